/** `gridpress diff` where it takes all of the sources: their files, names, or a history that has to be checked. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { changesBetween } from '../../core/history/changes-between.ts';
import { stateAfter } from '../../core/history/replay.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { loadSources, requireHistory, type Sources } from '../sources/load-sources.ts';
import { indexAtRevisionOrDate, WORKTREE } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { withIndex } from '../sources/with-index.ts';
import { type DiffOptions, type DiffResult, resultOf, type Side, sideAt } from './diff-result.ts';

export function wholeDiff(options: DiffOptions): DiffResult {
  return withIndex(options, compared);
}

function compared(options: DiffOptions): DiffResult {
  const sources = requireHistory(loadSources(options));
  const { history, store, worktree, findings } = sources;
  const isAboutFiles = [options.from, options.to].includes(WORKTREE);
  if (isAboutFiles && findings.length > 0) failAll(findings);
  const from = sideOf(sources, options.from);
  const to = sideOf(sources, options.to);
  // What only the files have is found by its name too.
  const scope = { history, store, ...(isAboutFiles ? { worktree } : {}) };
  const { path } = findSubject(options.resource ?? '', scope);
  return resultOf(
    from.side,
    to.side,
    path,
    options,
    changesBetween(from.state, to.state, store, history.kinds),
  );
}

function sideOf({ history, worktree }: Sources, given: string): { side: Side; state: RegistryState } {
  if (given === WORKTREE) return { side: { revision: undefined, date: undefined }, state: worktree };
  const index = indexAtRevisionOrDate(history, given);
  return { side: sideAt(history, index), state: stateAfter(history, index) };
}
