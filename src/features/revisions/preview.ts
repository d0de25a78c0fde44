/** The registry as it would be if its unrecorded changes were recorded now, for `gridpress dev`. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { changesBetween } from '../../core/history/changes-between.ts';
import { headsOf } from '../../core/history/graph.ts';
import { extendHistory } from '../../core/history/replay.ts';
import type { Sources } from '../sources/load-sources.ts';
import { type DifferingResource, differingResources } from './differing-resources.ts';
import { revisionOf, stateBefore } from './pending-revision.ts';

export interface Preview {
  readonly sources: Sources;
  /** What a record would record. */
  readonly pending: readonly DifferingResource[];
}

/** Any finding but unrecorded changes ends it. The revision takes its date from the head: nothing here reads a clock. */
export function previewOf(sources: Sources): Preview {
  const { history, worktree, store, findings } = sources;
  if (findings.length > 0) failAll(findings);
  const head = history.revisions.at(-1);
  const said = { date: head?.date ?? '1970-01-01T00:00:00Z', author: 'unrecorded', message: 'Unrecorded changes' };
  const parents = headsOf(history.revisions).map(({ id }) => id);
  const compared = [...changesBetween(stateBefore(sources, parents), worktree, store, history.kinds)];
  const revision = revisionOf(sources, compared, { parents, ...said });
  if (revision.changes.length === 0) return { sources, pending: [] };
  return {
    sources: { ...sources, history: extendHistory(history, revision, worktree, store) },
    pending: differingResources(compared),
  };
}
