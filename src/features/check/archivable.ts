import { versionUrl } from '../../core/api/urls.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { asText } from '../../core/model/json.ts';
import { lastSegment, parsePath } from '../../core/model/resource-path.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { placeOf, storedObject } from '../../core/registry/registry.ts';
import { fileOfUrl, INDEX_NAME, PRETTY_FOLDER } from '../../core/tree/layout.ts';
import { archiveName, TREE_FOLDER } from '../../core/tree/names.ts';
import { nameProblem } from '../../system/tar/tar-header.ts';
import type { HeadSources } from '../sources/load-sources.ts';

const SOME_ID = '0'.repeat(40);

/**
 * Finds the resources in `paths` with file names that are too long for a tar archive. Checks only the names of version
 * variants, because these are the longest.
 */
export function archivableFindings(
  { worktree, store, folder, history }: HeadSources,
  paths: readonly string[],
): Finding[] {
  if (!worktree) return [];
  const grid = asText(storedObject(store, worktree.body.handle)['uid']);
  const tree = `${archiveName(grid, SOME_ID)}/${TREE_FOLDER}`;
  return paths.flatMap((path) => {
    const subject = parsePath(path, history.kinds);
    const version = fileOfUrl(versionUrl(path, SOME_ID));
    const names = [INDEX_NAME.replace('{path}', version.slice(0, -'.json'.length)), `${PRETTY_FOLDER}/${version}`];
    const name = names.map((file) => `${tree}/${file}`).find((file) => nameProblem(file) !== undefined);
    if (!subject || name === undefined) return [];
    const uid = path === '' ? grid : lastSegment(path);
    return [finding('uid-archive', { uid, length: name.length }, placeOf(folder, fileOfResource(subject), 'uid'))];
  });
}
