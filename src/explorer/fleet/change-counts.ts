/** Counts changes of nodes by revision and by month. Counts only revisions on the head's first-parent line. */

import { type NodeEvents, rowAfter } from '../../core/client/history-document.ts';
import type { ClassSet } from '../../core/model/field-classes.ts';
import { nodePath } from '../../core/model/node-path.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { FleetHistory } from '../data/history.ts';
import { CHANGE_CLASSES, classesBetween, isOfClass } from './changed-classes.ts';
import { categories } from './growth.ts';
import type { MonthlyChanges } from './monthly-changes.ts';
import { pastNodes } from './past-nodes.ts';

interface NodeChange {
  readonly node: NodeEvents;
  readonly revision: number;
  /** The indexes of the node's values after the change, one for each column. The next change overwrites this array. */
  readonly row: number[];
  /** The indexes of the changed columns. Undefined if the revision added or removed the node. */
  readonly columns: readonly number[] | undefined;
  /** The indexes of the node's values before the change, one for each changed column. */
  readonly before: readonly number[];
}

/** Lists, for each node, the changes on the head's first-parent line. */
export function* changesIn({ nodes, line }: FleetHistory): Generator<NodeChange> {
  const isOnLine = new Set(line);
  for (const node of nodes) {
    let row: number[] | undefined;
    for (const { revision, cells } of node.events) {
      if (!isOnLine.has(revision)) continue;
      const last = row;
      const columns = last && cells?.filter((_, i) => i % 2 === 0);
      const before = columns?.map((at) => last?.[at] ?? ABSENT) ?? [];
      row = rowAfter(row, cells);
      yield { node, revision, row: row ?? last ?? [], columns, before };
    }
  }
}

export interface ChangedNodes {
  readonly revision: number;
  readonly nodes: number;
}

/** Returns the revisions with the most changed nodes, oldest first. Omits the first revision, which adds all nodes. */
export function largestRevisions(history: FleetHistory, most: number, fewestNodes: number): ChangedNodes[] {
  const counts = new Map<number, number>();
  for (const { revision } of changesIn(history)) counts.set(revision, (counts.get(revision) ?? 0) + 1);
  counts.delete(history.line[0] ?? -1);
  return [...counts]
    .map(([revision, nodes]) => ({ revision, nodes }))
    .filter(({ nodes }) => nodes >= fewestNodes)
    .sort((a, b) => b.nodes - a.nodes)
    .slice(0, most)
    .sort((a, b) => a.revision - b.revision);
}

/** Returns the revisions that changed nodes of a site, newest first. */
export function revisionsOfSite(history: FleetHistory, site: string): ChangedNodes[] {
  const counts = new Map<number, number>();
  for (const { revision, node } of changesIn(history))
    if (node.site === site) counts.set(revision, (counts.get(revision) ?? 0) + 1);
  return [...counts].map(([revision, nodes]) => ({ revision, nodes })).sort((a, b) => b.revision - a.revision);
}

/** Maps the path of each node to the month of its last change, such as `2026-03`, on a first-parent line. */
export function lastChangedMonths(history: FleetHistory, line: readonly number[]): ReadonlyMap<string, string> {
  const months = new Map<string, string>();
  for (const { node, revision } of changesIn({ ...history, line }))
    months.set(nodePath(node), monthOf(history, revision));
  return months;
}

/** Returns a function that lists the classes of changed fields, or undefined for an added or removed node. */
function changeClassifier(history: FleetHistory): (change: NodeChange) => ClassSet | undefined {
  const between = classesBetween(history);
  const nameOf = (column: number) => history.columns[column]?.name ?? '';
  return ({ columns, before, row }) =>
    columns?.reduce((set, at, i) => set | between(nameOf(at), before[i] ?? ABSENT, row[at] ?? ABSENT), 0);
}

/** Counts the changes of each class. A change counts for each of its classes. */
export function changesByClass(history: FleetHistory): ReadonlyMap<string, number> {
  const classesOf = changeClassifier(history);
  const sets = new Map<ClassSet | undefined, number>();
  for (const change of changesIn(history)) {
    const set = classesOf(change);
    sets.set(set, (sets.get(set) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [set, count] of sets)
    for (const name of CHANGE_CLASSES) if (isOfClass(name, set)) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
}

export const EACH_NODE = 'node';

/** Counts changes by month and by the value of `field`. If `field` is `EACH_NODE`, counts changes by month and node. */
export function monthlyChanges(
  history: FleetHistory,
  field: string,
  accepts: (classes: ClassSet | undefined) => boolean,
): MonthlyChanges {
  const monthAt = (revision: number) => monthOf(history, revision);
  const months = monthsIn(history.line.map(monthAt));
  const placeOf = new Map(months.map((month, place) => [month, place]));
  const nameOf = field === EACH_NODE ? nodeNames(history) : categories(history, field);
  const classesOf = changeClassifier(history);
  const counts = new Map<string, number[]>();
  for (const change of changesIn(history)) {
    const { node, revision, row } = change;
    const place = placeOf.get(monthAt(revision));
    if (place === undefined || !accepts(classesOf(change))) continue;
    const name = nameOf(row, node);
    const own = counts.get(name) ?? months.map(() => 0);
    own[place] = (own[place] ?? 0) + 1;
    counts.set(name, own);
  }
  const groups = [...counts]
    .map(([name, counts]) => ({ name, counts, total: counts.reduce((sum, count) => sum + count, 0) }))
    .sort((a, b) => b.total - a.total);
  const mostInCell = Math.max(0, ...groups.map(({ counts }) => Math.max(...counts)));
  return { months, groups, mostInCell, lastRevisions: new Map(history.line.map((index) => [monthAt(index), index])) };
}

function monthOf({ revisions }: FleetHistory, revision: number): string {
  return (revisions[revision]?.date ?? '').slice(0, 7);
}

/**
 * Returns a function that returns the newest name of a node. If nodes of several clusters have the same name, adds the
 * site and the cluster.
 */
function nodeNames(history: FleetHistory): (row: number[], node: NodeEvents) => string {
  const names = new Map<string, string>();
  const clusters = new Map<string, Set<string>>();
  for (const { path, name } of pastNodes(history)) {
    names.set(path, name);
    getOrCreate(clusters, name, () => new Set<string>()).add(clusterPath(path));
  }
  return (_, node) => {
    const name = names.get(nodePath(node)) ?? node.uid;
    return clusters.get(name)?.size === 1 ? name : `${node.site}/${node.cluster}/${name}`;
  };
}

function clusterPath(path: string): string {
  return path.replace(/\/[^/]+$/, '');
}

/** Returns all months from the earliest to the latest. Revisions can have dates out of order. */
function monthsIn(found: readonly string[]): string[] {
  const sorted = found.filter((month) => /^\d{4}-\d\d$/.test(month)).sort();
  const [first, last] = [sorted[0], sorted.at(-1)].map((month) => {
    const [year = 0, number = 0] = (month ?? '').split('-').map(Number);
    return year * 12 + number - 1;
  });
  if (!first || !last) return [];
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const month = first + i;
    return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}
