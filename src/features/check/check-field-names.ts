/** Fields of the registry that are nearly called like known ones: warnings, each with what may be meant. */
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { KINDS } from '../../core/model/kinds.ts';
import { parsePath } from '../../core/model/resource-path.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { jsonSchema } from '../../core/registry/editor-schemas.ts';
import { strayFields } from '../../core/registry/field-names.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { shownFile, storedObject } from '../../core/registry/registry.ts';
import { positionsIn } from '../../core/registry/yaml/yaml-positions.ts';
import { packagedSchema } from '../../system/trees/packaged-checks.ts';
import type { HeadSources } from '../sources/load-sources.ts';

/** In the order of the resources' paths; a name in a file is told of where it stands. */
export function fieldNameWarnings({ worktree, store, folder }: HeadSources): Finding[] {
  const look = strayFields(
    new Map(KINDS.all.map(({ name, schema }) => [name, packagedSchema(name) ?? jsonSchema(schema(), 'input')])),
  );
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
