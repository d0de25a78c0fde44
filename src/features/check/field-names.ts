/** Unknown fields of registry files: warnings of `check`, and errors of commands that record them. */
import { type Finding, finding, type Place } from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { fieldName } from '../../core/model/fields/field-name.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { KINDS } from '../../core/model/kinds.ts';
import { lastSegment, parsePath } from '../../core/model/resource-path.ts';
import { type BodyStore, type RegistryState, resourcesIn } from '../../core/model/state.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { jsonSchema } from '../../core/registry/editor-schemas.ts';
import { type StrayField, strayFields, unknownFields } from '../../core/registry/field-names.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { shownFile, storedObject } from '../../core/registry/registry.ts';
import { positionsIn } from '../../core/registry/yaml/yaml-positions.ts';
import { packagedSchema } from '../../system/trees/packaged-checks.ts';
import type { HeadSources } from '../sources/load-sources.ts';

const schemas = lazily(
  () => new Map(KINDS.all.map(({ name, schema }) => [name, packagedSchema(name) ?? jsonSchema(schema(), 'input')])),
);

/** Warns about field names that are similar to known ones, sorted by resource path. */
export function fieldNameWarnings({ worktree, store, folder }: HeadSources): Finding[] {
  const look = strayFields(schemas());
  return [...resourcesIn(worktree)].flatMap(([path, { body }]) => {
    const subject = parsePath(path, KINDS);
    const strays = subject ? look(subject.kind.name, storedObject(store, body.handle)) : [];
    if (!subject || strays.length === 0) return [];
    const file = fileOfResource(subject);
    const text = new TextDecoder().decode(folder.read(file));
    const { locate } = positionsIn(shownFile(folder, file), text);
    return strays.map((stray) =>
      finding(
        'field-name',
        {
          field: stray.path.join('.'),
          suggestion: stray.suggestion,
          ...(stray.kind === subject.kind.name ? {} : { kind: stray.kind }),
        },
        locate(stray.path, 'key'),
      ),
    );
  });
}

export interface NewBody {
  readonly path: string;
  readonly body: JsonObject;
}

interface UnknownField {
  readonly suggestion: string | undefined;
  readonly place: Place | undefined;
  readonly names: string[];
}

/**
 * Returns one error for each field of the new bodies that neither the schema nor a resource of `known` has. `placeOf`
 * returns the place of a field in a file.
 */
export function unknownFieldFindings(
  bodies: Iterable<NewBody>,
  { known, store }: { readonly known: RegistryState; readonly store: BodyStore },
  placeOf: (path: string, field: StrayField['path']) => Place | undefined,
): Finding[] {
  const look = unknownFields(schemas());
  const strays = strayFields(schemas());
  const unknownIn = (path: string, body: JsonObject) => {
    const kind = parsePath(path, KINDS)?.kind.name ?? '';
    return look(kind, body).map((field) => ({ field, kind, name: fieldName(namesIn(field)) }));
  };
  const recorded = lazily(() => {
    const names = [...resourcesIn(known)].flatMap(([path, { body }]) =>
      unknownIn(path, storedObject(store, body.handle)),
    );
    return new Set(names.map(({ kind, name }) => `${kind} ${name}`));
  });
  const found = new Map<string, UnknownField>();
  for (const { path, body } of bodies) {
    const names = new Set<string>();
    for (const { field, kind, name } of unknownIn(path, body)) {
      if (names.has(name) || recorded().has(`${kind} ${name}`)) continue;
      names.add(name);
      const [own] = suggestSimilar(
        name,
        [...recorded()].map((each) => each.slice(kind.length + 1)),
      );
      const suggestion = () => strays(kind, body).find((each) => each.path.join() === field.join())?.suggestion ?? own;
      const make = () => ({ suggestion: suggestion(), place: placeOf(path, field), names: [] });
      getOrCreate<string, UnknownField>(found, name, make).names.push(nodeNameOf(body) ?? lastSegment(path));
    }
  }
  return [...found].map(([field, { place, ...unknown }]) => finding('field-unknown', { field, ...unknown }, place));
}

function namesIn(path: StrayField['path']): string[] {
  return path.filter((part) => typeof part === 'string');
}
