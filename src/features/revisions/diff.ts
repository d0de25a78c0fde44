/** `gridpress diff`: what differs between two revisions, dates, the head and the registry's files. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { changesOfBodies } from '../../core/history/changes-between.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { isAtOrBelow } from '../../core/model/resource-path.ts';
import { type BodyStore, type RegistryState, resourceAt, stateDifference } from '../../core/model/state.ts';
import { mustGet } from '../../core/platform/certain.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { type AskedHistory, askHistory } from '../sources/ask-history.ts';
import { loadHeadSources, requireHistory, type SourceOptions } from '../sources/load-sources.ts';
import { WORKTREE } from '../sources/moment-names.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { type DiffOptions, type DiffResult, orNotCompared, resultOf, type Side, sideAt } from './diff-result.ts';

export function diff(options: DiffOptions): Promise<DiffResult> {
  return orNotCompared(() => askHistory(options, (history) => compared(options, history), options.resource));
}

function compared(options: DiffOptions, history: AskedHistory): DiffResult {
  const moments = [options.from, options.to];
  const { graph, kinds } = history;
  const worktree = worktreeFor(options, moments);
  const { path } = findSubject(options.resource ?? '', { history, ...(worktree ? { worktree } : {}) });
  // The files are compared as a revision on top of the head.
  const indexOf = (given: string) => indexAtRevisionOrDate(graph, given === WORKTREE ? 'head' : given);
  const [from, to] = [indexOf(options.from), indexOf(options.to)];
  const paths = new Set([
    ...history.changedBetween(from, to, path),
    ...(worktree?.unrecorded ?? []).filter((each) => isAtOrBelow(each, path)),
  ]);
  const [before, after] = history.bodiesAt([from, to], paths);
  const bodiesOf = (given: string, recorded: ReadonlyMap<string, JsonObject> = new Map()) =>
    given === WORKTREE && worktree ? bodiesIn(worktree, paths) : recorded;
  const sideOf = (given: string, index: number): Side =>
    given === WORKTREE ? { revision: undefined, date: undefined } : sideAt(graph, index);
  const changes = changesOfBodies(bodiesOf(options.from, before), bodiesOf(options.to, after), kinds);
  return resultOf(sideOf(options.from, from), sideOf(options.to, to), path, options, changes);
}

export interface ComparedWorktree {
  readonly state: RegistryState;
  readonly store: BodyStore;
  /** The paths of the resources in which the files differ from the head. */
  readonly unrecorded: readonly string[];
}

/** The registry's files, where one of the moments means them. What is wrong with them ends the command. */
export function worktreeFor(options: SourceOptions, moments: readonly string[]): ComparedWorktree | undefined {
  if (!moments.includes(WORKTREE)) return undefined;
  const { worktree: state, store, heads, history, findings } = requireHistory(loadHeadSources(options));
  if (findings.length > 0) return failAll(findings);
  const head = mustGet(heads, history.revisions.at(-1)?.id ?? '');
  return { state, store, unrecorded: Array.from(stateDifference(head, state), ({ path }) => path) };
}

function bodiesIn({ state, store }: ComparedWorktree, paths: ReadonlySet<string>): ReadonlyMap<string, JsonObject> {
  const bodies = new Map<string, JsonObject>();
  for (const path of paths) {
    const held = resourceAt(state, path);
    if (held) bodies.set(path, storedObject(store, held.body.handle));
  }
  return bodies;
}
