/** Where the resources' files stand in a registry folder, and which resource a file describes. */
import { hasOwnFolder, type Kinds } from '../model/kinds.ts';
import { gridOf, itemOf, joinPath, parsePath, pathAbove, type Subject } from '../model/resource-path.ts';

export const HISTORY_FOLDER = 'history';

/** `sites/lyra` -> `sites/lyra/site.yaml`; `sites/lyra/flavors/small` -> `sites/lyra/flavors/small.yaml`. */
export function fileOfResource(item: Subject): string {
  return hasOwnFolder(item.kind) ? joinPath(item.path, `${item.kind.name}.yaml`) : `${item.path}.yaml`;
}

/** The resource that a file describes; undefined when the file has no place in a registry. */
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

/** `000012-3fa9c1d2.yaml`: sorts by name for people; the graph gives the order. */
export function revisionFileName(number: number, id: string): string {
  return `${HISTORY_FOLDER}/${String(number).padStart(6, '0')}-${id.slice(0, 8)}.yaml`;
}
