/** Sorts revisions like `git log --date-order --reverse`. A parent comes first, even if its date is not earlier. */

import { type Finding, finding, firstFindings, type Place } from '../diagnostics/finding.ts';
import { epochSeconds, type RevisionHeader } from '../model/revision.ts';
import { getOrCreate, getOrThrow, itemAt, lastAtOrBefore } from '../platform/lookups.ts';

export type PositionFields = Pick<RevisionHeader, 'id' | 'parents' | 'date'>;

export interface Graph<H extends PositionFields = RevisionHeader> {
  /** Lists the oldest revision first. The position of a revision is its index. */
  readonly revisions: readonly H[];
  readonly parents: readonly (readonly number[])[];
  readonly indexOf: ReadonlyMap<string, number>;
}

/** Returns the place of a field in a revision file. */
export type PlaceOfRevision = (id: string, ...path: PropertyKey[]) => Place;

export type Ordered<H extends PositionFields = RevisionHeader> =
  | { readonly graph: Graph<H>; readonly findings?: undefined }
  | { readonly findings: readonly Finding[] };

/** Returns the revisions that are not a parent of any other revision. */
export function headsOf<H extends PositionFields>(headers: readonly H[]): H[] {
  const inner = new Set(headers.flatMap((header) => header.parents));
  return headers.filter((header) => !inner.has(header.id));
}

/** Returns a revision and its first-parent ancestors, newest first. */
export function firstParentLine({ parents }: Pick<Graph<PositionFields>, 'parents'>, index: number): number[] {
  const line: number[] = [];
  for (let at: number | undefined = index; at !== undefined; at = itemAt(parents, at)[0]) line.push(at);
  return line;
}

/** Sorts headers. Fails for a disconnected history, several roots, or several heads without `allowsSeveralHeads`. */
export function orderGraph<H extends PositionFields>(
  headers: readonly H[],
  place: PlaceOfRevision,
  allowsSeveralHeads = false,
): Ordered<H> {
  const byId = new Map(headers.map((header) => [header.id, header]));
  const findings = firstFindings(parentFindings(headers, byId, place));
  if (findings.length > 0) return { findings };

  const heads = headsOf(headers).map(({ id }) => id);
  const order = newestFirst(heads, byId).reverse();
  const loop = order.length < headers.length ? findLoop(headers, byId) : undefined;
  if (loop) return { findings: [finding('history-cycle', { ids: loop }, place(loop[0], 'parents'))] };
  const roots = headers.filter((header) => header.parents.length === 0).map(({ id }) => id);
  if (heads.length > 1 && !allowsSeveralHeads)
    findings.push(finding('several-heads', { ids: heads }, place(itemAt(heads, 1), 'id')));
  if (roots.length > 1) findings.push(finding('several-roots', { ids: roots }, place(itemAt(roots, 1), 'id')));
  return findings.length > 0 ? { findings } : { graph: orderedGraph(order) };
}

/** Returns the graph of a revision and its ancestors. In this graph, the revision is the head. */
export function graphAt<H extends PositionFields>(graph: Graph<H>, index: number): Graph<H> {
  const { id } = itemAt(graph.revisions, index);
  const byId = new Map(graph.revisions.map((header) => [header.id, header]));
  return orderedGraph(newestFirst([id], byId).reverse());
}

function orderedGraph<H extends PositionFields>(revisions: readonly H[]): Graph<H> {
  const indexOf = new Map(revisions.map((header, index) => [header.id, index]));
  const parents = revisions.map((header) => header.parents.map((id) => getOrThrow(indexOf, id)));
  return { revisions, parents, indexOf };
}

function* parentFindings(
  headers: readonly PositionFields[],
  byId: ReadonlyMap<string, PositionFields>,
  place: PlaceOfRevision,
): Generator<Finding> {
  for (const { id, parents } of headers) {
    if (new Set([id, ...parents]).size !== parents.length + 1) {
      yield finding('revision-self-parent', { id }, place(id, 'parents'));
      continue;
    }
    for (const [i, parent] of parents.entries())
      if (!byId.has(parent)) yield finding('unknown-parent', { id, parent }, place(id, 'parents', i));
  }
}

/** Returns the identifiers of a cycle. The last identifier equals the first. */
function findLoop(
  headers: readonly PositionFields[],
  byId: ReadonlyMap<string, PositionFields>,
): [string, ...string[]] | undefined {
  const waiting = new Map(headers.map((header) => [header.id, header.parents.length]));
  const children = childrenOf(headers);
  const free = headers.filter((header) => header.parents.length === 0).map((header) => header.id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    waiting.delete(id);
    for (const child of children.get(id) ?? []) {
      const left = getOrThrow(waiting, child) - 1;
      waiting.set(child, left);
      if (left === 0) free.push(child);
    }
  }
  const walked = new Set<string>();
  let here = waiting.keys().next().value;
  while (here !== undefined && !walked.has(here)) {
    walked.add(here);
    here = getOrThrow(byId, here).parents.find((parent) => waiting.has(parent));
  }
  if (here === undefined) return undefined;
  const path = [...walked];
  return [here, ...path.slice(path.indexOf(here) + 1), here];
}

function childrenOf(headers: readonly PositionFields[]): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const { id, parents } of headers) {
    for (const parent of parents) getOrCreate(children, parent, (): string[] => []).push(id);
  }
  return children;
}

function newestFirst<H extends PositionFields>(heads: readonly string[], byId: ReadonlyMap<string, H>): H[] {
  const known = heads.map((id) => getOrThrow(byId, id));
  const children = new Map<string, number>();
  for (const { parents } of reachableFrom(known, byId)) {
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const ready = queueByDate<H>();
  for (const header of known) ready.add(header);
  const order: H[] = [];
  for (let header = ready.take(); header; header = ready.take()) {
    order.push(header);
    for (const id of header.parents) {
      const left = getOrThrow(children, id) - 1;
      children.set(id, left);
      if (left === 0) ready.add(getOrThrow(byId, id));
    }
  }
  return order;
}

/** A queue with the newest revision first. Revisions with equal dates keep the order in which they were added. */
function queueByDate<H extends PositionFields>() {
  // The list is sorted by date, oldest first. The newest element is last, where removal is fast.
  const waiting: H[] = [];
  const seconds: number[] = [];
  return {
    add: (header: H) => {
      const at = epochSeconds(header.date);
      const place = lastAtOrBefore(seconds, at - 1) + 1;
      waiting.splice(place, 0, header);
      seconds.splice(place, 0, at);
    },
    take: (): H | undefined => {
      seconds.pop();
      return waiting.pop();
    },
  };
}

function reachableFrom<H extends PositionFields>(heads: readonly H[], byId: ReadonlyMap<string, H>): H[] {
  const seen = new Set(heads);
  for (const header of seen) {
    for (const id of header.parents) seen.add(getOrThrow(byId, id));
  }
  return [...seen];
}
