/** `gridpress diff` where it takes all of the sources: their files, names, or a history that has to be checked. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { changesBetween } from '../../core/history/changes-between.ts';
import { stateAfter } from '../../core/history/replay.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { loadHistory, loadSources, requireHistory, type Sources } from '../sources/load-sources.ts';
import { indexAtRevisionOrDate, WORKTREE } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { withIndex } from '../sources/with-index.ts';
import { type DiffOptions, type DiffResult, resultOf, type Side, sideAt } from './diff-result.ts';

export function wholeDiff(options: DiffOptions): DiffResult {
  return withIndex(options, compared);
}

function compared(options: DiffOptions): DiffResult {
  const isAboutFiles = [options.from, options.to].includes(WORKTREE);
  const sources = isAboutFiles ? sourcesWithFiles(options) : loadHistory(options);
  const { history, store } = sources;
  const from = sideOf(sources, options.from);
  const to = sideOf(sources, options.to);
  const { path } = findSubject(options.resource ?? '', sources);
  return resultOf(
    from.side,
    to.side,
    path,
    options,
    changesBetween(from.state, to.state, store, history.kinds),
  );
}

/** What only the files have is found by its name too. */
function sourcesWithFiles(options: DiffOptions): Compared {
  const { history, store, worktree, findings } = requireHistory(loadSources(options));
  return findings.length > 0 ? failAll(findings) : { history, store, worktree };
}

interface Compared extends Pick<Sources, 'history' | 'store'> {
  readonly worktree?: RegistryState;
}

function sideOf({ history, worktree = null }: Compared, given: string): { side: Side; state: RegistryState } {
  if (given === WORKTREE) return { side: { revision: undefined, date: undefined }, state: worktree };
  const index = indexAtRevisionOrDate(history, given);
  return { side: sideAt(history, index), state: stateAfter(history, index) };
}
