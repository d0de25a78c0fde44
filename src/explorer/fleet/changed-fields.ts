/** Finds the fields that revisions changed, from the history of all nodes. */

import { isJsonObject, type Json, sameJson } from '../../core/model/json.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import { type FleetHistory, rowAfter } from '../data/history.ts';

/** The names of the changed fields by path of the node. Added and removed nodes have no entry. */
type FieldsByNode = ReadonlyMap<string, readonly string[]>;

/** Returns the changed fields by id of the revision, for the head's first-parent line. */
export function changedFields({ revisions, line, columns, nodes }: FleetHistory): ReadonlyMap<string, FieldsByNode> {
  const found = new Map(line.map((index) => [index, new Map<string, readonly string[]>()]));
  for (const { site, cluster, uid, events } of nodes) {
    const path = `sites/${site}/clusters/${cluster}/nodes/${uid}`;
    let row: number[] | undefined;
    for (const { revision, cells } of events) {
      const fields = found.get(revision);
      if (!fields) continue;
      const before = row && [...row];
      row = rowAfter(row, cells);
      if (!before || !cells) continue;
      const changed = cells.filter((_, i) => i % 2 === 0);
      const names = changed.flatMap((at) => {
        const { name = '', values = [] } = columns[at] ?? {};
        return differing(name, values[before[at] ?? ABSENT], values[row?.[at] ?? ABSENT]);
      });
      fields.set(path, names);
    }
  }
  return new Map([...found].map(([index, fields]) => [revisions[index]?.id ?? '', fields]));
}

/** Compares objects member by member, and arrays as a whole. */
function differing(name: string, from: Json | undefined, to: Json | undefined): string[] {
  if (isJsonObject(from) && isJsonObject(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key) => differing(`${name}.${key}`, from[key], to[key]));
  }
  const isEqual = from === undefined || to === undefined ? from === to : sameJson(from, to);
  return isEqual ? [] : [name];
}
