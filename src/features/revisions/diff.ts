import { failAll, finding } from '../../core/diagnostics/finding.ts';
import { changesOfBodies } from '../../core/history/changes-between.ts';
import type { Graph, PositionFields } from '../../core/history/graph.ts';
import type { Counts } from '../../core/history/touches.ts';
import type { FieldClass } from '../../core/model/field-classes.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { isAtOrBelow } from '../../core/model/resource-path.ts';
import { type BodyStore, type RegistryState, resourceAt, stateDifference } from '../../core/model/state.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { inputFindings } from '../sources/input-findings.ts';
import { loadHeadSources, requireHistory, type SourceOptions } from '../sources/load-sources.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { WORKTREE } from '../sources/revision-names.ts';
import { type SearchedHistory, searchHistory } from '../sources/search-history.ts';
import { countsOf, type DifferingResource, differingResources } from './differing-resources.ts';

export function diff(options: DiffOptions): Promise<DiffResult> {
  return orNotCompared(() => searchHistory(options, (history) => compared(options, history), options.resource));
}

function compared(options: DiffOptions, history: SearchedHistory): DiffResult {
  const moments = [options.from, options.to];
  const { graph, kinds } = history;
  const worktree = worktreeFor(options, moments);
  const { path } = findSubject(options.resource ?? '', { history, ...(worktree ? { worktree } : {}) });
  // The registry files have no index in the history, so the index of the head represents them.
  const indexOf = (given: string) => indexAtRevisionOrDate(graph, given === WORKTREE ? 'head' : given);
  const [from, to] = [indexOf(options.from), indexOf(options.to)];
  const paths = new Set([
    ...history.changedBetween(from, to, path),
    ...(worktree?.unrecorded ?? []).filter((each) => isAtOrBelow(each, path)),
  ]);
  const [before, after] = history.bodiesAt([from, to], paths);
  const bodiesOf = (given: string, recorded: ReadonlyMap<string, JsonObject> = new Map()) =>
    given === WORKTREE && worktree ? bodiesIn(worktree, paths) : recorded;
  const sideOf = (given: string, index: number) => sideAt(graph, given === WORKTREE ? undefined : index);
  const bodyChanges = changesOfBodies(bodiesOf(options.from, before), bodiesOf(options.to, after), kinds);
  const changes = differingResources(bodyChanges, { within: path, classes: options.classes });
  const sides = { from: sideOf(options.from, from), to: sideOf(options.to, to) };
  return { ...sides, resource: `/${path}`, counts: countsOf(changes), changes };
}

export interface ComparedWorktree {
  readonly state: RegistryState;
  readonly store: BodyStore;
  /** The paths of resources that differ between the registry files and the head. */
  readonly unrecorded: readonly string[];
}

/** Returns the registry files if one of the moments is `worktree`. Fails if the files have findings. */
export function worktreeFor(options: SourceOptions, moments: readonly string[]): ComparedWorktree | undefined {
  if (!moments.includes(WORKTREE)) return undefined;
  const { worktree: state, store, heads, history, findings } = requireHistory(loadHeadSources(options));
  if (findings.length > 0) return failAll(findings);
  const head = getOrThrow(heads, history.revisions.at(-1)?.id ?? '');
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

export interface DiffOptions extends SourceOptions {
  /** A revision, a date, `head` or `worktree`, as in `to`. */
  readonly from: string;
  readonly to: string;
  readonly resource?: string | undefined;
  readonly classes?: readonly FieldClass[] | undefined;
}

/** One side of a comparison. The registry files have no revision. */
export interface Side {
  readonly revision: string | undefined;
  readonly date: string | undefined;
}

export interface DiffResult {
  readonly from: Side;
  readonly to: Side;
  readonly resource: string;
  readonly counts: Counts;
  readonly changes: readonly DifferingResource[];
}

export function sideAt({ revisions }: Graph<PositionFields>, index: number | undefined): Side {
  if (index === undefined) return { revision: undefined, date: undefined };
  const { id, date } = itemAt(revisions, index);
  return { revision: id, date };
}

/** If errors in the registry prevent a comparison, adds a finding that says so. */
export async function orNotCompared<T>(compare: () => T | Promise<T>): Promise<T> {
  try {
    return await compare();
  } catch (error) {
    return failAll([...(await inputFindings(error)), finding('not-compared', {})]);
  }
}
