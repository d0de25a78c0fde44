/**
 * The table of nodes over time: what each revision changed in the columns of each node, so that the table as of any
 * revision can be made of it. Changes are against the first parent, as the history has them.
 */
import type { History } from '../history/replay.ts';
import { byCodeUnit } from '../model/json.ts';
import { isNodePath } from '../model/resource-path.ts';
import { type BodyStore, type ResourceState, resourceAt } from '../model/state.ts';
import { ABSENT, type EncodedColumn, newBodyEncoder, type Row } from './body-encoder.ts';
import type { OwnFields } from './own-fields.ts';

/** What a revision did to a node. */
export interface NodeEvent {
  /** The index of the revision. */
  readonly index: number;
  /** The numbers of the columns that changed, and of their values now, ABSENT for none; undefined where the node is gone. */
  readonly cells: readonly (readonly [column: number, value: number])[] | undefined;
}

export interface NodePast {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  /** The oldest first. */
  readonly events: readonly NodeEvent[];
}

export interface NodeHistory {
  readonly columns: readonly EncodedColumn[];
  /** Every node that ever was, by site, cluster and uid. */
  readonly nodes: readonly NodePast[];
}

/**
 * `own` says what is in no column. Undefined as soon as what is found would be longer than `longest` characters in any
 * case, with two for each number.
 */
export function nodeHistory(
  { changes, parents, states }: History,
  store: BodyStore,
  own: OwnFields,
  longest = Number.POSITIVE_INFINITY,
): NodeHistory | undefined {
  const encoder = newBodyEncoder(own);
  const rows = new Map<number, Row>();
  const rowOf = (resource: ResourceState | undefined): Row | undefined => {
    if (!resource) return undefined;
    const { handle } = resource.body;
    const row = rows.get(handle) ?? encoder.encode(store.get(handle), () => {});
    rows.set(handle, row);
    return row;
  };
  const pasts = new Map<string, NodeEvent[]>();
  let length = 0;
  for (const [index, made] of changes.entries()) {
    const before = states[parents[index]?.[0] ?? -1] ?? null;
    for (const { path, action } of made) {
      if (action === 'touched' || !isNodePath(path)) continue;
      const old = rowOf(resourceAt(before, path));
      const now = rowOf(resourceAt(states[index] ?? null, path));
      const cells = now && changedCells(old ?? [], now);
      // A change of what is in no column is none here.
      if (old && cells?.length === 0) continue;
      const events = pasts.get(path) ?? [];
      pasts.set(path, events);
      events.push({ index, cells });
      length += 2 + (cells?.length ?? 0) * 4;
    }
    if (length > longest) return undefined;
  }
  const nodes = [...pasts]
    .sort(([a], [b]) => byPath(a, b))
    .map(([path, events]) => ({ ...placeOf(path), events }));
  return { columns: encoder.columns, nodes };
}

function changedCells(old: Row, now: Row): [number, number][] {
  const cells: [number, number][] = [];
  for (let column = 0; column < Math.max(old.length, now.length); column++) {
    const value = now[column] ?? ABSENT;
    if (value !== (old[column] ?? ABSENT)) cells.push([column, value]);
  }
  return cells;
}

function placeOf(path: string): { readonly site: string; readonly cluster: string; readonly uid: string } {
  const [, site = '', , cluster = '', , uid = ''] = path.split('/');
  return { site, cluster, uid };
}

/** By segments, so that `a/b` stands before `a-b/c`. */
function byPath(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (const [i, segment] of left.entries()) {
    const order = byCodeUnit(segment, right[i] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
