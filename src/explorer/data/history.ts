import { NODE_HISTORY_PATH } from '../../core/api/nodes/node-paths.ts';
import { type NodeEvents, nodeEventsIn, rowAfter } from '../../core/client/history-document.ts';
import { type LabelledColumns, labelledColumnsIn, type PublishedTable } from '../../core/client/table-document.ts';
import { byCodeUnit, itemsIn, type JsonObject, objectsIn, textOf } from '../../core/model/json.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { ABSENT, newClusterRows } from '../../core/table/node-table.ts';
import { lastDayOf } from './last-day.ts';
import { type DocumentReader, RevisionChangedError } from './reader.ts';
import type { ShownRegistry } from './registry.ts';

/** Some views load the history only if the registry has at most this many nodes. Otherwise, loading takes too long. */
export const MOST_NODES_WITH_HISTORY = 5_000;

export interface HistoryRevision {
  readonly id: string;
  /** The date in ISO 8601. */
  readonly date: string;
  /** The index of the first parent, or -1. */
  readonly parent: number;
  /** True if the tree omits the revisions before this one, so that this revision adds all existing nodes. */
  readonly isTruncated: boolean;
}

export interface FleetHistory extends LabelledColumns {
  /** Each parent comes before its children. */
  readonly revisions: readonly HistoryRevision[];
  /** The indexes of the revisions on the head's first-parent line, oldest first. */
  readonly line: readonly number[];
  readonly omittedFields: readonly string[];
  readonly nodes: readonly NodeEvents[];
}

async function readFleetHistory(reader: DocumentReader, version: string): Promise<FleetHistory | undefined> {
  const read = await reader.read(NODE_HISTORY_PATH);
  if (!read || !Array.isArray(read['events'])) return undefined;
  if (read['version'] !== version) throw new RevisionChangedError('Another revision was published.');
  const revisions = objectsIn(read['revisions']).map(revisionFrom);
  return {
    revisions,
    line: lineTo(
      revisions.findIndex(({ id }) => id === version),
      revisions,
    ),
    ...labelledColumnsIn(read),
    omittedFields: itemsIn(read['left_out']).map(textOf),
    nodes: nodeEventsIn(read),
  };
}

function revisionFrom({ uid, timestamp, parent, older_left_out }: JsonObject): HistoryRevision {
  return {
    id: textOf(uid),
    date: textOf(timestamp),
    parent: typeof parent === 'number' ? parent : -1,
    isTruncated: older_left_out === true,
  };
}

/** Returns the indexes of the revisions on the first-parent line of the given revision, oldest first. */
export function lineTo(last: number, revisions: readonly HistoryRevision[]): number[] {
  const line: number[] = [];
  for (let at = last; at >= 0; at = revisions[at]?.parent ?? -1) line.push(at);
  return line.reverse();
}

/** Returns the ids of a revision and of its first-parent line. */
export function idsUntil(history: FleetHistory, id: string): ReadonlySet<string> {
  const { revisions } = history;
  return new Set(lineTo(revisionIndex(history, id), revisions).map((index) => revisions[index]?.id ?? ''));
}

const cache = new WeakMap<DocumentReader, Promise<FleetHistory | undefined>>();

/** Returns the history up to the head. Returns undefined if the history is too long to be published. */
export function historyOf(reader: DocumentReader, { newest }: ShownRegistry): Promise<FleetHistory | undefined> {
  return getOrCreate(cache, reader, () => {
    const read = readFleetHistory(reader, newest);
    // After a failure, such as a lost connection, the next view reads the history again.
    read.catch(() => cache.delete(reader));
    return read;
  });
}

/** Returns the registry at an older revision. Returns undefined if the history does not contain this revision. */
export async function registryAt(
  reader: DocumentReader,
  newest: ShownRegistry,
  start: string,
): Promise<ShownRegistry | undefined> {
  const history = await historyOf(reader, newest);
  const index = history ? revisionAt(history, start) : -1;
  const revision = history?.revisions[index];
  const begin = history && historyStart(history);
  const day = lastDayOf(start);
  if (begin && day && day < begin.date.slice(0, 10)) return { ...newest, start: begin };
  if (!history || !revision) return undefined;
  return { ...newest, version: revision.id, date: revision.date, table: tableAt(history, index) };
}

/** Returns the revision with the earliest date on the head's first-parent line. */
export function historyStart({ line, revisions }: FleetHistory): HistoryRevision | undefined {
  const [first] = line.flatMap((index) => revisions[index] ?? []).sort((a, b) => byCodeUnit(a.date, b.date));
  return first;
}

/** Returns a revision's index, or -1. Accepts a day, a month, a year or the start of an id. */
export function revisionAt(history: FleetHistory, start: string): number {
  const day = lastDayOf(start);
  return day ? newestUntil(history, day) : revisionIndex(history, start);
}

/** Returns the index of the last revision on the head's first-parent line up to a day, or -1. */
function newestUntil({ line, revisions }: FleetHistory, day: string): number {
  return line.findLast((index) => (revisions[index]?.date ?? '').slice(0, 10) <= day) ?? -1;
}

/** Returns the index of the only revision whose id begins with `start`. Otherwise returns -1. */
export function revisionIndex({ revisions }: FleetHistory, start: string): number {
  const found = revisions.flatMap(({ id }, index) => (start !== '' && id.startsWith(start) ? [index] : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
}

export function tableAt(history: FleetHistory, revision: number): PublishedTable {
  const { labels, omittedFields, revisions } = history;
  const isOnLine = new Uint8Array(revisions.length);
  for (const index of lineTo(revision, revisions)) isOnLine[index] = 1;
  const clusters = newClusterRows();
  const uids: string[] = [];
  const rows: (readonly number[])[] = [];
  for (const node of history.nodes) {
    const row = rowAt(node, isOnLine);
    if (!row) continue;
    clusters.add(node);
    uids.push(node.uid);
    rows.push(row);
  }
  const columns = history.columns
    .map((column, i) => ({ ...column, rows: Int32Array.from(rows, (row) => row[i] ?? ABSENT) }))
    .filter((column) => column.rows.some((number) => number !== ABSENT));
  return { total: uids.length, clusters: clusters.all, uids, columns, omittedFields, labels };
}

/** Returns the value indexes of a node, by column. Returns undefined if the node did not exist. */
function rowAt({ events }: NodeEvents, isOnLine: Uint8Array): number[] | undefined {
  let row: number[] | undefined;
  for (const { revision, cells } of events) if (isOnLine[revision] === 1) row = rowAfter(row, cells);
  return row;
}
