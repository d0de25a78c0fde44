import { isJsonObject, type Json, sameJson } from '../../core/model/json.ts';
import { nodePath } from '../../core/model/node-path.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { FleetHistory } from '../data/history.ts';
import { changesIn } from './change-counts.ts';

/** Maps the path of each updated node to the names of its changed fields. Omits added and removed nodes. */
type FieldsByNode = ReadonlyMap<string, readonly string[]>;

/** Maps the id of each revision on the head's first-parent line to its changed fields. */
export function changedFields(history: FleetHistory): ReadonlyMap<string, FieldsByNode> {
  const found = new Map<string, Map<string, readonly string[]>>();
  for (const { node, revision, row, columns, before } of changesIn(history)) {
    if (!columns) continue;
    const names = columns.flatMap((at, i) => {
      const { name = '', values = [] } = history.columns[at] ?? {};
      return differing(name, values[before[i] ?? ABSENT], values[row[at] ?? ABSENT]);
    });
    const fields = getOrCreate(found, history.revisions[revision]?.id ?? '', () => new Map());
    fields.set(nodePath(node), names);
  }
  return found;
}

/** Returns the names of the differing fields. Compares objects member by member, but arrays as a whole. */
function differing(name: string, from: Json | undefined, to: Json | undefined): string[] {
  if (isJsonObject(from) && isJsonObject(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key) => differing(`${name}.${key}`, from[key], to[key]));
  }
  const isEqual = from === undefined || to === undefined ? from === to : sameJson(from, to);
  return isEqual ? [] : [name];
}
