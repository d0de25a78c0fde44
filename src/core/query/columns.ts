/**
 * What queries are asked of: nodes in columns, whose values stand once each, so that a condition is held against some
 * dozens of values instead of thousands of nodes. A column whose values are all different is one, too.
 */
import { isJsonObject, type Json } from '../model/json.ts';

/** What stands in a row where a node has nothing. */
export const ABSENT = -1;

export interface QueryColumn {
  readonly values: readonly Json[];
  /** For each node the number of its value, or ABSENT. */
  readonly rows: ArrayLike<number>;
}

export interface QueryFleet {
  /** How many nodes there are. */
  readonly total: number;
  /** `site` and `cluster`, which come before fields of these names. */
  readonly places: ReadonlyMap<string, QueryColumn>;
  /** By their names after `label.`, which come before a field `label`. */
  readonly labels: ReadonlyMap<string, QueryColumn>;
  /** The fields at the top of bodies. */
  readonly fields: ReadonlyMap<string, QueryColumn>;
}

/** What all labels stand below. */
export const LABEL = 'label';

export type ColumnKind = 'places' | 'labels' | 'fields';

/** The column in which a field stands, and the way to it within the column's values. */
export interface ColumnAddress {
  readonly kind: ColumnKind;
  readonly name: string;
  readonly rest: readonly string[];
}

const PLACES = ['site', 'cluster'];

export function addressOf(way: readonly string[]): ColumnAddress {
  const [first = '', ...rest] = way;
  const [second, ...below] = rest;
  if (first === LABEL && second !== undefined) return { kind: 'labels', name: second, rest: below };
  return { kind: PLACES.includes(first) && rest.length === 0 ? 'places' : 'fields', name: first, rest };
}

/** What lies deeper within a value is passed over. */
export const DEEPEST_VALUE = 100;

/** What values a field has: through the items of arrays, without null. */
export function valuesAt(value: Json, way: readonly string[]): Json[] {
  const found: Json[] = [];
  gather(value, way, 0, found);
  return found;
}

function gather(value: Json, way: readonly string[], at: number, found: Json[], depth = 0): void {
  if (value === null || depth > DEEPEST_VALUE) return;
  if (Array.isArray(value)) {
    for (const item of value) gather(item, way, at, found, depth + 1);
    return;
  }
  const name = way[at];
  if (name === undefined) found.push(value);
  else if (isJsonObject(value) && Object.hasOwn(value, name)) {
    gather(value[name] ?? null, way, at + 1, found, depth + 1);
  }
}
