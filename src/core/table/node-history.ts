/**
 * The table of nodes over time: what each revision changed in the columns of each node, so that the table as of any
 * revision can be made of it, and since when nodes have each field. Changes are against the first parent, as the history
 * has them. One way through all changes tells it all; of a body that changed, only the fields that did are read.
 */

import type { History, RecordedChange } from '../history/replay.ts';
import type { FieldChange } from '../model/differences/difference.ts';
import { fieldName } from '../model/fields/field-name.ts';
import { byCodeUnit, isJsonObject, type Json, pointerTokens } from '../model/json.ts';
import { isNodePath } from '../model/resource-path.ts';
import { type BodyStore, type ResourceState, resourceAt } from '../model/state.ts';
import { ownText } from '../platform/text.ts';
import { type FormerRow, newBodyEncoder, type Row } from './body-encoder.ts';
import { ABSENT, type TableColumn } from './node-table.ts';
import type { OwnFields, TellOwn } from './own-fields.ts';

export interface NodePast {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  /**
   * The JSON text of what revisions did to the node, the oldest first: a list of lists, each with the index of the revision
   * and a list of columns and their values now by their numbers, ABSENT for none; null in its place where the node is gone.
   */
  readonly events: string;
}

export interface NodeHistory {
  readonly columns: readonly Pick<TableColumn, 'name' | 'values'>[];
  /** Every node that ever was, by site, cluster and uid; undefined where there would be too much to tell. */
  readonly nodes: readonly NodePast[] | undefined;
  /** The names of the fields that are in no column, though nodes have or had them, in code-unit order; not the uid. */
  readonly leftOut: readonly string[];
  /** The index of the first revision after which a node had the field to which names lead. */
  readonly since: (way: readonly string[]) => number | undefined;
}

/** `own` says what is in no column. What revisions did is not told once it is longer than `longest` characters. */
export function nodeHistory(
  { changes, parents, states }: Pick<History, 'changes' | 'parents' | 'states'>,
  store: BodyStore,
  own: OwnFields,
  longest = Number.POSITIVE_INFINITY,
): NodeHistory {
  const found = newFoundValues(own);
  const pasts = newPasts(longest);
  /** By handles. A row that a change replaces is deleted; another branch that needs it encodes its body again. */
  const rows = new Map<number, Row>();
  const rowOf = (resource: ResourceState | undefined, former?: FormerRow): Row | undefined =>
    resource && (rows.get(resource.body.handle) ?? found.rowOf(store.get(resource.body.handle), former));
  for (const [index, made] of changes.entries()) {
    found.begin(index);
    const before = states[parents[index]?.[0] ?? -1] ?? null;
    for (const change of made) {
      const { path, action } = change;
      if (action === 'touched' || !isNodePath(path)) continue;
      const [was, is] = [resourceAt(before, path), resourceAt(states[index] ?? null, path)];
      const old = rowOf(was);
      const now = rowOf(is, old && formerRow(old, change, store));
      pasts.add(path, index, old, now);
      if (was) rows.delete(was.body.handle);
      if (is && now) rows.set(is.body.handle, now);
    }
    found.end();
  }
  const { since } = found;
  // What finds the number of a value is done with.
  const columns = found.columns.map(({ name, values }) => ({ name, values }));
  return { columns, nodes: pasts.close(), leftOut: found.leftOut(), since };
}

function formerRow(row: Row, { fields }: RecordedChange, store: BodyStore): FormerRow | undefined {
  if (fields === undefined) return undefined;
  const changed: readonly FieldChange[] = JSON.parse(store.get(fields));
  const names = changed.map(({ at }) => pointerTokens(at)?.[0]);
  return { row, changed: new Set(names.filter((name) => name !== undefined)) };
}

const UID = 'uid';

function newFoundValues(own: OwnFields) {
  const encoder = newBodyEncoder(own);
  const first = newFirstAppearances();
  const dated: number[] = [];
  const ownSeen = new Set<OwnFields>();
  let revision = 0;
  const tellOwn: TellOwn = (field, value) => {
    if (typeof value === 'object' || !ownSeen.has(field)) first.see(field.way, value, revision);
    ownSeen.add(field);
  };
  return {
    columns: encoder.columns,
    rowOf: (json: string, former?: FormerRow) => encoder.encode(json, tellOwn, former),
    /** What is found from now on is there since the revision of this index. */
    begin: (index: number) => {
      revision = index;
    },
    end: () => {
      for (const [place, { name, values }] of encoder.columns.entries()) {
        for (let n = dated[place] ?? 0; n < values.length; n++) first.see([name], values[n] ?? null, revision);
        dated[place] = values.length;
      }
    },
    leftOut: () => {
      const names = Array.from(ownSeen, ({ way }) => fieldName(way));
      return names.filter((name) => name !== UID).sort(byCodeUnit);
    },
    since: first.of,
  };
}

/** What revisions did to each node, as JSON text, as long as it is no longer than that. */
function newPasts(longest: number) {
  const pasts = new Map<string, string>();
  let length = 0;
  return {
    add: (path: string, index: number, old: Row | undefined, now: Row | undefined) => {
      if (length > longest) return;
      const cells = now && changedCells(old ?? [], now);
      // A change of what is in no column is none here.
      if (old && cells?.length === 0) return;
      const known = pasts.get(path);
      const event = `[${index},${cells ? `[${cells.join(',')}]` : 'null'}]`;
      pasts.set(path, known === undefined ? event : `${known},${event}`);
      length += event.length;
    },
    close: (): NodePast[] | undefined =>
      length > longest
        ? undefined
        : [...pasts]
            .sort(([a], [b]) => byPath(a, b))
            .map(([path, events]) => ({ events: ownText(`[${events}]`), ...placeOf(path) })),
  };
}

/** The numbers of columns and of their values now, one after the other. */
function changedCells(old: Row, now: Row): number[] {
  const cells: number[] = [];
  for (let column = 0; column < Math.max(old.length, now.length); column++) {
    const value = now[column] ?? ABSENT;
    if (value !== (old[column] ?? ABSENT)) cells.push(column, value);
  }
  return cells;
}

function placeOf(path: string): Omit<NodePast, 'events'> {
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

/** Since when nodes have a field, of what they had after each revision, the oldest first. */
interface FirstAppearances {
  /** A node has a value in the field to which names lead, after the revision of an index. */
  readonly see: (way: readonly string[], value: Json, index: number) => void;
  readonly of: (way: readonly string[]) => number | undefined;
}

interface Seen {
  since: number | undefined;
  readonly below: Map<string, Seen>;
}

function newFirstAppearances(): FirstAppearances {
  const top = newSeen();
  return {
    see: (way, value, index) => seeIn(way.reduce(seenBelow, top), value, index),
    of: (way) => {
      let seen: Seen | undefined = top;
      for (const name of way) seen = seen?.below.get(name);
      return seen?.since;
    },
  };
}

function newSeen(): Seen {
  return { since: undefined, below: new Map() };
}

function seenBelow(seen: Seen, name: string): Seen {
  const known = seen.below.get(name);
  if (known) return known;
  const made = newSeen();
  seen.below.set(name, made);
  return made;
}

/** The items of an array are in the array's field. */
function seeIn(seen: Seen, value: Json, index: number): void {
  seen.since ??= index;
  if (Array.isArray(value)) {
    for (const item of value) seeIn(seen, item, index);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) seeIn(seenBelow(seen, name), value[name] ?? null, index);
  }
}
