import { hasOwnFolder, type Kinds } from '../model/kinds.ts';
import { gridOf, itemOf, joinPath, parsePath, pathAbove, type Subject } from '../model/resource-path.ts';

/** The folder of the registry in a project. */
export const REGISTRY_FOLDER = 'registry-data';
export const HISTORY_FOLDER = 'history';

/** Returns `sites/lyra/site.yaml` for `sites/lyra`, and `sites/lyra/flavors/a.yaml` for `sites/lyra/flavors/a`. */
export function fileOfResource(item: Subject): string {
  return hasOwnFolder(item.kind) ? joinPath(item.path, `${item.kind.name}.yaml`) : `${item.path}.yaml`;
}

export function resourceOfFile(file: string, kinds: Kinds): Subject | undefined {
  if (!file.endsWith('.yaml')) return undefined;
  const stem = file.slice(0, -'.yaml'.length);
  if (stem === kinds.grid.name) return gridOf(kinds);
  const folder = parsePath(pathAbove(stem), kinds);
  if (!folder || pathAbove(stem) === '') return undefined;
  const name = stem.slice(stem.lastIndexOf('/') + 1);
  if (folder.isCollection) return hasOwnFolder(folder.kind) ? undefined : itemOf(folder, name);
  return hasOwnFolder(folder.kind) && name === folder.kind.name ? folder : undefined;
}

/** Returns a name such as `000012-3fa9c1d2.yaml`. Revisions are ordered by their parents, not by this number. */
export function revisionFileName(number: number, id: string): string {
  return `${HISTORY_FOLDER}/${String(number).padStart(6, '0')}-${id.slice(0, 8)}.yaml`;
}

export const SCHEMAS_FOLDER = 'schemas';
export const API_FOLDER = 'api';

export function schemaFileName(name: string): string {
  return `${name}.schema.json`;
}

/** The keywords that gridpress adds to JSON Schema. They state a field's class, key fields, unit and standard. */
export const FIELD_KEYWORDS = { class: 'x-class', keys: 'x-keys', unit: 'x-unit', source: 'x-source' } as const;
