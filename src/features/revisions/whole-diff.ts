/** `gridpress diff` where it takes all of the sources: their files, names, or a history that has to be checked. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { changesBetween } from '../../core/history/changes-between.ts';
import { stateAfter } from '../../core/history/replay.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { loadHistory, loadSources, requireHistory, type SourceOptions, type Sources } from '../sources/load-sources.ts';
import { WORKTREE } from '../sources/moment-names.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { withIndex } from '../sources/with-index.ts';
import { type DiffOptions, type DiffResult, resultOf, type Side, sideAt } from './diff-result.ts';

export function wholeDiff(options: DiffOptions): DiffResult {
  return withIndex(options, compared);
}

function compared(options: DiffOptions): DiffResult {
  const sources = sourcesOf(options, [options.from, options.to]);
  const { history, store } = sources;
  const from = sideOf(sources, options.from);
  const to = sideOf(sources, options.to);
  const { path } = findSubject(options.resource ?? '', sources);
  return resultOf(from.side, to.side, path, options, changesBetween(from.state, to.state, store, history.kinds));
}

/** What moments are compared from: the history, and the files where one of them is about those. */
export function sourcesOf(options: SourceOptions, moments: readonly string[]): Compared {
  if (!moments.includes(WORKTREE)) return loadHistory(options);
  const { history, store, worktree, findings } = requireHistory(loadSources(options));
  return findings.length > 0 ? failAll(findings) : { history, store, worktree };
}

export interface Compared extends Pick<Sources, 'history' | 'store'> {
  /** What only the files have is found by its name too. */
  readonly worktree?: RegistryState;
}

/** Of a revision, a date, `head` or `worktree`. */
export function sideOf({ history, worktree = null }: Compared, given: string): { side: Side; state: RegistryState } {
  if (given === WORKTREE) return { side: { revision: undefined, date: undefined }, state: worktree };
  const index = indexAtRevisionOrDate(history, given);
  return { side: sideAt(history, index), state: stateAfter(history, index) };
}
