/** Checks registry files for unknown fields. `check` reports unknown fields as warnings, and `record` as errors. */
import { type Finding, finding, MOST_FINDINGS_PER_FILE, type Place } from '../../core/diagnostics/finding.ts';
import { formatPath } from '../../core/diagnostics/message.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { fieldName } from '../../core/model/fields/field-name.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { KINDS } from '../../core/model/kinds.ts';
import { lastSegment, parsePath, type Subject } from '../../core/model/resource-path.ts';
import { type BodyStore, type RegistryState, resourcesIn } from '../../core/model/state.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { getOrCreate, itemAt } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { jsonSchema } from '../../core/registry/editor-schemas.ts';
import { type StrayField, strayFields, unknownFields } from '../../core/registry/field-names.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { positionsOf, storedObject } from '../../core/registry/registry.ts';
import { packagedSchema } from '../../system/trees/packaged-checks.ts';
import type { HeadSources, SourceOptions } from '../sources/load-sources.ts';

const schemas = lazily(
  () => new Map(KINDS.all.map(({ name, schema }) => [name, packagedSchema(name) ?? jsonSchema(schema(), 'input')])),
);

interface ResourceStrays {
  readonly subject: Subject;
  readonly strays: readonly StrayField[];
}

function* straysIn(state: RegistryState, store: BodyStore): Generator<ResourceStrays> {
  const look = strayFields(schemas());
  for (const [path, { body }] of resourcesIn(state)) {
    const subject = parsePath(path, KINDS);
    const strays = subject ? look(subject.kind.name, storedObject(store, body.handle)) : [];
    if (subject && strays.length > 0) yield { subject, strays };
  }
}

/** Warns about unknown fields whose names resemble known names. Skips fields in the last imported revision. */
export async function fieldNameWarnings(options: SourceOptions, loaded: HeadSources): Promise<Finding[]> {
  const { worktree, store, folder } = loaded;
  const found = [...straysIn(worktree, store)];
  if (found.length === 0) return [];
  const nameOf = ({ kind }: Subject, { path }: StrayField) => `${kind.name} ${fieldName(namesIn(path))}`;
  const imported = await lastImport(options, loaded);
  const known = new Set(
    [...straysIn(imported.state, imported.store)].flatMap(({ subject, strays }) =>
      strays.map((stray) => nameOf(subject, stray)),
    ),
  );
  return found.flatMap(({ subject, strays }) => {
    const unknown = strays.filter((stray) => !known.has(nameOf(subject, stray)));
    if (unknown.length === 0) return [];
    const { locate } = positionsOf(folder, fileOfResource(subject));
    return unknown.map((stray) =>
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

/** Returns the state of the last imported revision, or an empty state if no revision was imported. */
async function lastImport(
  options: SourceOptions,
  { history: { revisions }, heads, store }: HeadSources,
): Promise<{ readonly state: RegistryState; readonly store: BodyStore }> {
  const last = revisions.findLastIndex(({ origin }) => origin === 'git');
  if (last < 0) return { state: null, store };
  const state = heads.get(itemAt(revisions, last).id);
  return state ? { state, store } : (await import('../sources/search-history.ts')).loadStateAt(options, () => last);
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

/** A field is known if it is in the schema, the data dictionary or a state in `known`. Limits the number of errors. */
export function unknownFieldFindings(
  bodies: Iterable<NewBody>,
  { known, store }: { readonly known: readonly RegistryState[]; readonly store: BodyStore },
  placeOf: (path: string, field: StrayField['path']) => Place | undefined,
): Finding[] {
  const look = unknownFields(schemas());
  const strays = strayFields(schemas());
  const unknownIn = (path: string, body: JsonObject) => {
    const kind = parsePath(path, KINDS)?.kind.name ?? '';
    return look(kind, body).map((field) => ({ field, kind, name: fieldName(namesIn(field)) }));
  };
  const recorded = lazily(() => {
    const resources = known.flatMap((state) => [...resourcesIn(state)]);
    const names = resources.flatMap(([path, { body }]) => unknownIn(path, storedObject(store, body.handle)));
    return new Set(names.map(({ kind, name }) => `${kind} ${name}`));
  });
  const found = new Map<string, UnknownField>();
  for (const { path, body } of bodies) {
    const names = new Set<string>();
    const misspelt = lazily(() => {
      const kind = parsePath(path, KINDS)?.kind.name ?? '';
      return new Map(strays(kind, body).map((stray) => [fieldName(namesIn(stray.path)), stray.suggestion]));
    });
    for (const { field, kind, name } of unknownIn(path, body)) {
      const isFull = found.size === MOST_FINDINGS_PER_FILE && !found.has(name);
      if (isFull || names.has(name) || recorded().has(`${kind} ${name}`)) continue;
      names.add(name);
      const own = () => {
        const prefix = `${kind} `;
        const fields = [...recorded()].flatMap((each) => (each.startsWith(prefix) ? [each.slice(prefix.length)] : []));
        return suggestSimilar(name, fields)[0];
      };
      const suggested = () => {
        // Another kind can have a field of this name, which is no correction.
        const schema = misspelt().get(name);
        return schema === name ? undefined : (schema ?? own());
      };
      const make = () => ({ suggestion: suggested(), place: placeOf(path, field), names: [] });
      getOrCreate<string, UnknownField>(found, name, make).names.push(
        nodeNameOf(body) ?? formatPath(lastSegment(path)),
      );
    }
  }
  return [...found].map(([field, { place, ...unknown }]) => finding('field-unknown', { field, ...unknown }, place));
}

function namesIn(path: StrayField['path']): string[] {
  return path.filter((part) => typeof part === 'string');
}
