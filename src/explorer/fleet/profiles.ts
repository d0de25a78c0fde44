/** A hardware profile is a set of nodes that have equal values in all fields of the class `hardware`. */

import { difference, type FieldChange } from '../../core/model/differences/difference.ts';
import { classesAt, classNames, fieldRules } from '../../core/model/field-classes.ts';
import { partOf } from '../../core/model/fields/class-parts.ts';
import { canonicalJson, type JsonObject } from '../../core/model/json.ts';
import { NODE } from '../../core/model/kinds.ts';
import { ABSENT, bodyAt, type NodeTable } from '../../core/table/node-table.ts';

export interface Profiles {
  /** The index of the profile, by row. */
  readonly profileByRow: Int32Array;
  readonly rows: readonly (readonly number[])[];
  readonly countOf: (rows: readonly number[]) => number;
}

const cache = new WeakMap<NodeTable, Profiles>();

export function profilesOf(table: NodeTable): Profiles {
  const profiles = cache.get(table) ?? newProfiles(table);
  cache.set(table, profiles);
  return profiles;
}

function newProfiles({ columns, total }: NodeTable): Profiles {
  const rules = fieldRules(NODE);
  const profileByRow = new Int32Array(total);
  let count = Math.min(1, total);
  for (const { name, values, rows } of columns) {
    const rule = rules.below(name);
    const numbers = new Map<string, number>([['', 0]]);
    const byNumber = Int32Array.from(values, (value) => {
      const part = partOf(value, rule, 'hardware');
      const key = part === undefined ? '' : canonicalJson(part);
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return known;
    });
    if (numbers.size > 1) count = splitBy(profileByRow, rows, byNumber, numbers.size);
  }
  const members: number[][] = Array.from({ length: count }, () => []);
  for (let row = 0; row < total; row++) members[profileByRow[row] ?? 0]?.push(row);
  return { profileByRow, rows: members, countOf: (rows) => new Set(rows.map((row) => profileByRow[row])).size };
}

/** Splits each profile by one more field, and returns the number of profiles. Compares indexes, which is fast. */
function splitBy(profileByRow: Int32Array, rows: ArrayLike<number>, byNumber: Int32Array, size: number): number {
  const numbers = new Map<number, number>();
  let [lastKey, last] = [-1, 0];
  for (let row = 0; row < profileByRow.length; row++) {
    const number = rows[row] ?? ABSENT;
    const key = (profileByRow[row] ?? 0) * size + (number === ABSENT ? 0 : (byNumber[number] ?? 0));
    if (key !== lastKey) {
      last = numbers.get(key) ?? numbers.size;
      numbers.set(key, last);
      lastKey = key;
    }
    profileByRow[row] = last;
  }
  return numbers.size;
}

interface Substitute {
  /** The first node of the profile. */
  readonly row: number;
  readonly nodes: number;
  /** The number of hardware fields that differ between the two nodes. */
  readonly fields: number;
}

export function hardwareChanges(body: JsonObject, other: JsonObject): FieldChange[] {
  return difference(body, other, fieldRules(NODE)).filter(
    ({ at, order }) => order === undefined && classNames(classesAt(NODE, [at])).includes('hardware'),
  );
}

export function substitutes(
  table: NodeTable,
  { profileByRow, rows }: Profiles,
  row: number,
  most: number,
): Substitute[] {
  const body = bodyAt(table, row);
  return rows
    .flatMap((members, profile) => {
      const [first] = members;
      if (first === undefined || profile === profileByRow[row]) return [];
      return [{ row: first, nodes: members.length, fields: hardwareChanges(body, bodyAt(table, first)).length }];
    })
    .sort((a, b) => a.fields - b.fields || b.nodes - a.nodes)
    .slice(0, most);
}
