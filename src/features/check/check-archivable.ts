/** Whether every resource can be in an archive: the names in a tar have bounds, and uids stand in them with all above. */
import { versionUrl } from '../../core/api/urls.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { asText } from '../../core/model/json.ts';
import { lastSegment, parsePath } from '../../core/model/resource-path.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { placeOf, storedObject } from '../../core/registry/registry.ts';
import { archiveName, TREE_FOLDER } from '../../core/tree/archive-name.ts';
import { fileOfUrl, INDEX_NAME, PRETTY_FOLDER } from '../../core/tree/layout.ts';
import { nameProblem } from '../../system/tar/tar-header.ts';
import type { HeadSources } from '../sources/load-sources.ts';

/** As long as any. */
const SOME_ID = '0'.repeat(40);

/** In the order of the resources' paths. Of a resource, variants of the documents of its versions have the longest names. */
export function archivableFindings({ worktree, store, folder, history }: HeadSources): Finding[] {
  if (!worktree) return [];
  const grid = asText(storedObject(store, worktree.body.handle)['uid']);
  const tree = `${archiveName(grid, SOME_ID)}/${TREE_FOLDER}`;
  return [...resourcesIn(worktree)].flatMap(([path]) => {
    const subject = parsePath(path, history.kinds);
    const version = fileOfUrl(versionUrl(path, SOME_ID));
    const names = [INDEX_NAME.replace('{path}', version.slice(0, -'.json'.length)), `${PRETTY_FOLDER}/${version}`];
    const name = names.map((file) => `${tree}/${file}`).find((file) => nameProblem(file) !== undefined);
    if (!subject || name === undefined) return [];
    const uid = path === '' ? grid : lastSegment(path);
    return [finding('uid-archive', { uid, length: name.length }, placeOf(folder, fileOfResource(subject), 'uid'))];
  });
}
