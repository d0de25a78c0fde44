/** The revision that would record the present state of the registry: for `gridpress record`, and to preview it. */

import type { ComparedResource } from '../../core/history/changes-between.ts';
import { contentsDigest } from '../../core/history/contents-digest.ts';
import { stateDigest } from '../../core/history/replay.ts';
import type { ResourceChange, RevisionFile } from '../../core/history/revision-file.ts';
import { type RevisionHeader, recordedId, type Successors } from '../../core/model/revision.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import type { HeadSources } from '../sources/load-sources.ts';

export interface PendingStatement extends Pick<RevisionHeader, 'parents' | 'date' | 'author' | 'message'> {
  readonly successors?: Successors;
}

/** The state that a revision with these heads as its parents starts from. */
export function stateBefore({ heads }: HeadSources, [parent]: readonly string[]): RegistryState {
  return parent === undefined ? null : mustGet(heads, parent);
}

/** The revision that records the present state of the registry on top of its parents, by what that changes. */
export function revisionOf(
  { worktree, history }: HeadSources,
  compared: readonly ComparedResource[],
  { successors = {}, ...said }: PendingStatement,
): RevisionFile {
  const changes = compared.map(({ change }): ResourceChange => {
    const successor = change.action === 'removed' ? successors[change.path] : undefined;
    return change.action === 'removed' && successor !== undefined ? { ...change, successor } : change;
  });
  const stated = { ...said, message: withoutTrailing(said.message, '\n'), state: stateDigest(worktree) };
  const header = { ...stated, id: recordedId(stated, successors), origin: 'recorded' } as const;
  const past = said.parents.map((id) => itemAt(history.revisions, mustGet(history.indexOf, id)).contents);
  return { header: { ...header, contents: contentsDigest(header, changes, past) }, changes };
}
