/** The table of nodes over time, as `/nodes/history` has it. */

import { NODE_HISTORY_PATH } from '../../core/api/nodes/node-paths.ts';
import { isJsonObject, itemsIn, type Json, type JsonObject } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { ABSENT, type NodeTable, newClusterRows } from '../../core/table/node-table.ts';
import { type DocumentReader, MovedError, number, text } from './reader.ts';
import { type LabelSource, labelOf, type ShownRegistry } from './registry.ts';

export interface Moment {
  readonly id: string;
  /** ISO 8601. */
  readonly date: string;
  /** The index of its first parent; -1 for none. */
  readonly parent: number;
  /** Whether what came before is left out: it then brings what was there. */
  readonly isCut: boolean;
}

export interface FleetHistory {
  /** Each after its parents. */
  readonly moments: readonly Moment[];
  /** Those on the head's line of first parents, the oldest first. */
  readonly line: readonly number[];
  readonly columns: readonly { readonly name: string; readonly values: readonly Json[] }[];
  readonly labels: readonly LabelSource[];
  readonly leftOut: readonly string[];
  readonly nodes: readonly NodeEvents[];
}

export interface NodeEvents {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  readonly events: readonly NodeEvent[];
}

export interface NodeEvent {
  readonly moment: number;
  /** Columns and the numbers of their values from then on, one after the other; null where the node went. */
  readonly cells: readonly number[] | null;
}

/** Undefined where the tree does not tell it: it is too long. */
export async function readFleetHistory(reader: DocumentReader, version: string): Promise<FleetHistory | undefined> {
  const read = await reader.read(NODE_HISTORY_PATH);
  if (!read || !Array.isArray(read['events'])) return undefined;
  if (read['version'] !== version) throw new MovedError('Another revision was published.');
  const moments = itemsIn(read['revisions']).filter(isJsonObject).map(momentFrom);
  return {
    moments,
    line: lineTo(
      moments.findIndex(({ id }) => id === version),
      moments,
    ),
    columns: itemsIn(read['columns'])
      .filter(isJsonObject)
      .map(({ name, values }) => ({ name: text(name), values: itemsIn(values) })),
    labels: itemsIn(read['labels']).filter(isJsonObject).map(labelOf),
    leftOut: itemsIn(read['left_out']).map(text),
    nodes: nodesFrom(read),
  };
}

function momentFrom({ uid, timestamp, parent, older_left_out }: JsonObject): Moment {
  return {
    id: text(uid),
    date: text(timestamp),
    parent: typeof parent === 'number' ? parent : -1,
    isCut: older_left_out === true,
  };
}

/** A moment and the first parents before it, the oldest first. */
export function lineTo(last: number, moments: readonly Moment[]): number[] {
  const line: number[] = [];
  for (let at = last; at >= 0; at = moments[at]?.parent ?? -1) line.push(at);
  return line.reverse();
}

function nodesFrom(read: JsonObject): NodeEvents[] {
  const [uids, events] = [itemsIn(read['uids']), itemsIn(read['events'])];
  const nodes: NodeEvents[] = [];
  for (const place of itemsIn(read['clusters']).filter(isJsonObject)) {
    const [site, cluster] = [text(place['site']), text(place['cluster'])];
    for (let i = number(place['nodes']); i > 0; i--) {
      const row = nodes.length;
      nodes.push({ site, cluster, uid: text(uids[row]), events: itemsIn(events[row]).map(eventFrom) });
    }
  }
  return nodes;
}

function eventFrom(event: Json): NodeEvent {
  const [moment, cells] = itemsIn(event);
  return { moment: number(moment), cells: Array.isArray(cells) ? cells.map(number) : null };
}

/** The registry as of another revision than the newest: the same for every view, from the history of all nodes. */
const read = new WeakMap<DocumentReader, () => Promise<FleetHistory | undefined>>();

export function historyOf(reader: DocumentReader, { newest }: ShownRegistry): Promise<FleetHistory | undefined> {
  const known = read.get(reader) ?? lazily(() => readFleetHistory(reader, newest));
  read.set(reader, known);
  return known();
}

export async function registryAt(
  reader: DocumentReader,
  newest: ShownRegistry,
  start: string,
): Promise<ShownRegistry | undefined> {
  const history = await historyOf(reader, newest);
  const index = history ? momentNamed(history, start) : -1;
  const moment = history?.moments[index];
  if (!history || !moment) return undefined;
  const { id, date } = moment;
  return { ...newest, version: id, date, table: tableAt(history, index), labels: history.labels };
}

/** The index of the revision that an id, or the beginning of one, names; -1 where it is none or more than one. */
export function momentNamed({ moments }: FleetHistory, start: string): number {
  const found = moments.flatMap(({ id }, index) => (start !== '' && id.startsWith(start) ? [index] : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
}

export function tableAt(history: FleetHistory, moment: number): NodeTable {
  const isOnLine = new Uint8Array(history.moments.length);
  for (const index of lineTo(moment, history.moments)) isOnLine[index] = 1;
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
  const columns = history.columns.map(({ name, values }, column) => ({
    name,
    values,
    rows: Int32Array.from(rows, (row) => row[column] ?? ABSENT),
  }));
  return {
    total: uids.length,
    clusters: clusters.all,
    uids,
    columns: columns.filter(isHeld),
    leftOut: history.leftOut,
  };
}

function isHeld({ rows }: { readonly rows: Int32Array }): boolean {
  return rows.some((number) => number !== ABSENT);
}

/** The numbers of a node's values by column; undefined where the node was not there. */
function rowAt({ events }: NodeEvents, isOnLine: Uint8Array): number[] | undefined {
  let row: number[] | undefined;
  for (const { moment, cells } of events) {
    if (isOnLine[moment] === 0) continue;
    if (!cells) row = undefined;
    else {
      row ??= [];
      for (let i = 0; i < cells.length; i += 2) row[cells[i] ?? 0] = cells[i + 1] ?? ABSENT;
    }
  }
  return row;
}
