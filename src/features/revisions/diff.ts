/** `gridpress diff`: what differs between two revisions, dates, the head and the registry's files. */

import { Failure } from '../../core/diagnostics/failure.ts';
import { changesOfBodies } from '../../core/history/changes-between.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import { isAtOrBelow, parsePath } from '../../core/model/resource-path.ts';
import { isIndexThere } from '../history-index/index-place.ts';
import { WORKTREE } from '../sources/moment-names.ts';
import { readConfiguration } from '../sources/read-configuration.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { type DiffOptions, type DiffResult, resultOf, sideAt } from './diff-result.ts';
import { orNotCompared } from './not-compared.ts';
import { type PartialHistoryRead, withPartialHistory } from './read-partial-history.ts';

/**
 * Answered from the index of the history where there is one; else, what takes only a part of the history is answered from
 * that part, and the rest from all of the sources.
 */
export function diff(options: DiffOptions): Promise<DiffResult> {
  return orNotCompared(async () => {
    const answer = await indexedDiff(options);
    const quick = answer ?? withPartialHistory(options, (history) => quickDiff(options, history));
    return quick ?? (await import('./whole-diff.ts')).wholeDiff(options);
  });
}

/** Undefined where something is wrong: the part of the history that is asked for may be free of it. */
async function indexedDiff(options: DiffOptions): Promise<DiffResult | undefined> {
  if (!isIndexThere(options.registry)) return undefined;
  const { wholeDiff } = await import('./whole-diff.ts');
  try {
    return wholeDiff(options);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Undefined for what takes more than the two revisions: the registry's files, and names, which any state may have. */
function quickDiff(options: DiffOptions, { graph, changedBetween, bodiesAt }: PartialHistoryRead) {
  const kinds = kindsWith(readConfiguration(options).kinds);
  const within = parsePath(options.resource ?? '', kinds)?.path;
  if (options.from === WORKTREE || options.to === WORKTREE || within === undefined) return undefined;
  const [from, to] = [indexAtRevisionOrDate(graph, options.from), indexAtRevisionOrDate(graph, options.to)];
  const paths = [...changedBetween(from, to)].filter((path) => isAtOrBelow(path, within));
  // A resource that never was is found out, and told, only from all of the history.
  if (paths.length === 0 && within !== '') return undefined;
  const compared = changesOfBodies(bodiesAt(from, paths), bodiesAt(to, paths), kinds);
  return resultOf(sideAt(graph, from), sideAt(graph, to), within, options, compared);
}
