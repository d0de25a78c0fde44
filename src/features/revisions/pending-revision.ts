import { type ComparedResource, changesBetween } from '../../core/history/changes-between.ts';
import { contentsDigest } from '../../core/history/contents-digest.ts';
import { headsOf } from '../../core/history/graph.ts';
import { extendHistory, stateDigest } from '../../core/history/replay.ts';
import type { ResourceChange, RevisionFile } from '../../core/history/revision-file.ts';
import { type RevisionHeader, recordedId, type Successors } from '../../core/model/revision.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import type { HeadSources } from '../sources/load-sources.ts';
import type { PublicSources } from '../sources/public-sources.ts';
import { type DifferingResource, differingResources } from './differing-resources.ts';

export interface PendingStatement extends Pick<RevisionHeader, 'parents' | 'date' | 'author' | 'message' | 'salt'> {
  readonly successors?: Successors;
}

export function stateBefore({ heads }: Pick<HeadSources, 'heads'>, [parent]: readonly string[]): RegistryState {
  return parent === undefined ? null : getOrThrow(heads, parent);
}

export function revisionOf(
  { worktree, history }: Pick<HeadSources, 'worktree' | 'history'>,
  compared: readonly ComparedResource[],
  { successors = {}, ...statement }: PendingStatement,
): RevisionFile {
  const changes = compared.map(({ change }): ResourceChange => {
    const successor = change.action === 'removed' ? successors[change.path] : undefined;
    return change.action === 'removed' && successor !== undefined ? { ...change, successor } : change;
  });
  const stated = { ...statement, message: withoutTrailing(statement.message, '\n'), state: stateDigest(worktree) };
  const header = { ...stated, id: recordedId(stated, successors), origin: 'recorded' } as const;
  const past = statement.parents.map((id) => itemAt(history.revisions, getOrThrow(history.indexOf, id)).contents);
  return { header: { ...header, contents: contentsDigest(header, changes, past) }, changes };
}

export interface Preview {
  readonly sources: PublicSources;
  readonly pending: readonly DifferingResource[];
}

/** Unrecorded changes become a revision with the date of the head, because builds do not read a clock. */
export function previewOf(sources: PublicSources): Preview {
  const { history, worktree, store } = sources;
  const head = history.revisions.at(-1);
  const statement = { date: head?.date ?? '1970-01-01T00:00:00Z', author: 'unrecorded', message: 'Unrecorded changes' };
  const parents = headsOf(history.revisions).map(({ id }) => id);
  const compared = [...changesBetween(stateBefore(sources, parents), worktree, store, history.kinds)];
  const revision = revisionOf(sources, compared, { parents, ...statement });
  if (revision.changes.length === 0) return { sources, pending: [] };
  return {
    sources: { ...sources, history: extendHistory(history, revision, worktree, store) },
    pending: differingResources(compared),
  };
}
