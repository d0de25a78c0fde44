/** Clients compute the node table of any revision from this history. Changes are relative to the first parent. */

import type { History, RecordedChange } from '../history/replay.ts';
import type { FieldChange } from '../model/differences/difference.ts';
import { fieldName } from '../model/fields/field-name.ts';
import { byCodeUnit, isJsonObject, type Json } from '../model/json.ts';
import { pointerTokens } from '../model/json-pointer.ts';
import { nodePlace } from '../model/node-path.ts';
import { byTree, isNodePath } from '../model/resource-path.ts';
import { type BodyStore, type ResourceState, resourceAt } from '../model/state.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { ownText } from '../platform/text.ts';
import { type FormerRow, newBodyEncoder, type Row } from './body-encoder.ts';
import { ABSENT, type TableColumn } from './node-table.ts';
import type { OnPerNodeField, PerNodeFields } from './per-node-fields.ts';

export interface NodePast {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  /**
   * A JSON list of the revisions that changed the node, oldest first. An item contains the index of the revision, and a
   * flat list of column numbers and value numbers. ABSENT is the number of a missing value. Null replaces the flat list
   * after a removal.
   */
  readonly events: string;
}

export interface NodeHistory {
  readonly columns: readonly Pick<TableColumn, 'name' | 'values'>[];
  /** All nodes that ever existed, by site, cluster and uid. Undefined if the text of their events is too long. */
  readonly nodes: readonly NodePast[] | undefined;
  /** The names of the past and present node fields that `columns` omits, in code-unit order. The uid is not listed. */
  readonly omittedFields: readonly string[];
  readonly since: (path: readonly string[]) => number | undefined;
}

/** The fields in `own` get no column. If the events have more than `longest` characters, `nodes` is undefined. */
export function nodeHistory(
  { changes, parents, states }: Pick<History, 'changes' | 'parents' | 'states'>,
  store: BodyStore,
  own: PerNodeFields,
  longest = Number.POSITIVE_INFINITY,
): NodeHistory {
  const found = newValueLog(own);
  const pasts = newEventLog(longest);
  /** Caches rows by body handle. A change deletes the old row. If this row is needed again, it is encoded again. */
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
  // Copies only the names and the values, so that the memory of the dictionaries can be freed.
  const columns = found.columns.map(({ name, values }) => ({ name, values }));
  return { columns, nodes: pasts.close(), omittedFields: found.omittedFields(), since };
}

function formerRow(row: Row, { fields }: RecordedChange, store: BodyStore): FormerRow | undefined {
  if (fields === undefined) return undefined;
  const changed: readonly FieldChange[] = JSON.parse(store.get(fields));
  const names = changed.map(({ at }) => pointerTokens(at)?.[0]);
  return { row, changed: new Set(names.filter((name) => name !== undefined)) };
}

const UID = 'uid';

function newValueLog(own: PerNodeFields) {
  const encoder = newBodyEncoder(own);
  const first = newFirstAppearances();
  const dated: number[] = [];
  const ownSeen = new Set<PerNodeFields>();
  let revision = 0;
  const tellOwn: OnPerNodeField = (field, value) => {
    if (typeof value === 'object' || !ownSeen.has(field)) first.see(field.path, value, revision);
    ownSeen.add(field);
  };
  return {
    columns: encoder.columns,
    rowOf: (json: string, former?: FormerRow) => encoder.encode(json, tellOwn, former),
    /** Sets the index of the revision in which the following values first occur. */
    begin: (index: number) => {
      revision = index;
    },
    end: () => {
      for (const [place, { name, values }] of encoder.columns.entries()) {
        for (let n = dated[place] ?? 0; n < values.length; n++) first.see([name], values[n] ?? null, revision);
        dated[place] = values.length;
      }
    },
    omittedFields: () => {
      const names = Array.from(ownSeen, ({ path }) => fieldName(path));
      return names.filter((name) => name !== UID).sort(byCodeUnit);
    },
    since: first.of,
  };
}

function newEventLog(longest: number) {
  const pasts = new Map<string, string>();
  let length = 0;
  return {
    add: (path: string, index: number, old: Row | undefined, now: Row | undefined) => {
      if (length > longest) return;
      const cells = now && changedCells(old ?? [], now);
      // Ignores an update that changes only fields without a column.
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
            .sort(([a], [b]) => byTree(a, b))
            .map(([path, events]) => ({ events: ownText(`[${events}]`), ...nodePlace(path) })),
  };
}

function changedCells(old: Row, now: Row): number[] {
  const cells: number[] = [];
  for (let column = 0; column < Math.max(old.length, now.length); column++) {
    const value = now[column] ?? ABSENT;
    if (value !== (old[column] ?? ABSENT)) cells.push(column, value);
  }
  return cells;
}

interface FirstAppearances {
  readonly see: (path: readonly string[], value: Json, index: number) => void;
  readonly of: (path: readonly string[]) => number | undefined;
}

interface Seen {
  since: number | undefined;
  readonly below: Map<string, Seen>;
}

function newFirstAppearances(): FirstAppearances {
  const top = newSeen();
  return {
    see: (path, value, index) => seeIn(path.reduce(seenBelow, top), value, index),
    of: (path) => {
      let seen: Seen | undefined = top;
      for (const name of path) seen = seen?.below.get(name);
      return seen?.since;
    },
  };
}

function newSeen(): Seen {
  return { since: undefined, below: new Map() };
}

function seenBelow(seen: Seen, name: string): Seen {
  return getOrCreate(seen.below, name, newSeen);
}

/** The values in an array belong to the field of the array. */
function seeIn(seen: Seen, value: Json, index: number): void {
  seen.since ??= index;
  if (Array.isArray(value)) {
    for (const item of value) seeIn(seen, item, index);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) seeIn(seenBelow(seen, name), value[name] ?? null, index);
  }
}
