/**
 * Profiles: nodes whose fields of the class `hardware` are all the same, as the digests of classes have it. What differs
 * between two nodes of one profile is firmware, serials, places and names.
 */

import { fieldRules } from '../../core/model/field-classes.ts';
import { partOf } from '../../core/model/fields/class-parts.ts';
import { canonicalJson } from '../../core/model/json.ts';
import { NODE } from '../../core/model/kinds.ts';
import { ABSENT } from '../../core/table/dictionary.ts';
import type { NodeTable } from '../../core/table/node-table.ts';

export interface Profiles {
  /** For each row the number of its profile. */
  readonly of: Int32Array;
  /** The rows of each profile. */
  readonly rows: readonly (readonly number[])[];
}

const known = new WeakMap<NodeTable, Profiles>();

export function profilesOf(table: NodeTable): Profiles {
  const profiles = known.get(table) ?? found(table);
  known.set(table, profiles);
  return profiles;
}

function found({ columns, total }: NodeTable): Profiles {
  const rules = fieldRules(NODE);
  const parts = columns.map(({ name, values, rows }) => {
    const rule = rules.below(name);
    const numbers = new Map<string, number>([['', ABSENT]]);
    const byNumber = values.map((value) => {
      const part = partOf(value, rule, 'hardware');
      const key = part === undefined ? '' : canonicalJson(part);
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return known;
    });
    return { byNumber, rows };
  });
  const numbers = new Map<string, number>();
  const members: number[][] = [];
  const of = new Int32Array(total);
  for (let row = 0; row < total; row++) {
    const key = parts.map(({ byNumber, rows }) => byNumber[rows[row] ?? ABSENT] ?? ABSENT).join();
    const profile = numbers.get(key) ?? members.push([]) - 1;
    numbers.set(key, profile);
    of[row] = profile;
    members[profile]?.push(row);
  }
  return { of, rows: members };
}
