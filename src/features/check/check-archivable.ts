/** Whether every resource can be in an archive: the names in a tar have bounds, and uids stand in them with all above. */
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { lastSegment, parsePath } from '../../core/model/resource-path.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { placeOf, storedObject } from '../../core/registry/registry.ts';
import { archiveName, TREE_FOLDER } from '../../core/tree/archive-name.ts';
import { nameProblem } from '../../system/tar/tar-header.ts';
import type { Sources } from '../sources/load-sources.ts';

/** As long as any. */
const SOME_ID = '0'.repeat(40);

/** In the order of the resources' paths. Of a resource, the documents of its versions have the longest names. */
export function archivableFindings({ worktree, store, folder, history, configuration }: Sources): Finding[] {
  if (!worktree) return [];
  const grid = String(storedObject(store, worktree.body.handle)['uid']);
  const tree = `${archiveName(grid, SOME_ID)}/${TREE_FOLDER}`;
  const ending = configuration.index_files === false ? '.json' : '/index.json';
  return [...resourcesIn(worktree)].flatMap(([path]) => {
    const subject = parsePath(path, history.kinds);
    const name = `${tree}/${path === '' ? '' : `${path}/`}versions/${SOME_ID}${ending}`;
    if (!subject || nameProblem(name) === undefined) return [];
    const uid = path === '' ? grid : lastSegment(path);
    return [
      finding('uid-archive', { uid, length: name.length }, placeOf(folder, fileOfResource(subject), 'uid')),
    ];
  });
}
