/**
 * What queries are asked of: nodes in columns, whose values stand once each, so that a condition is held against some
 * dozens of values instead of thousands of nodes. A column whose values are all different is one, too.
 */

import { LABEL_PREFIX, PLACE_NAMES, wayOfField } from '../model/fields/field-name.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { ABSENT } from '../table/node-table.ts';
import type { FieldReference } from './query.ts';

export interface QueryColumn {
  readonly values: readonly Json[];
  /** For each node the number of its value, or ABSENT. */
  readonly rows: ArrayLike<number>;
}

/**
 * `place` is the site and the cluster, which come before fields of these names; a `label` is called without `label.`, and
 * comes before what is in a field `label`; a `field` stands at the top of bodies.
 */
export type ColumnKind = 'place' | 'label' | 'field';

export interface QueryFleet {
  readonly total: number;
  /** Undefined where no node has it. */
  readonly column: (kind: ColumnKind, name: string) => QueryColumn | undefined;
  readonly names: (kind: ColumnKind) => Iterable<string>;
}

interface ColumnAddress {
  readonly kind: ColumnKind;
  readonly name: string;
  readonly rest: readonly string[];
}

const PLACES: readonly string[] = PLACE_NAMES;

/** In quotation marks, `"site"` and `"label"` are a body's own fields. */
export function addressOf({ name, way }: Pick<FieldReference, 'name' | 'way'>): ColumnAddress {
  const [first = '', ...rest] = way;
  const [second, ...below] = rest;
  const isOwn = name.startsWith('"');
  if (!isOwn && first === LABEL_PREFIX && second !== undefined) {
    return { kind: 'label', name: second, rest: below };
  }
  const isPlace = !isOwn && PLACES.includes(first) && rest.length === 0;
  return { kind: isPlace ? 'place' : 'field', name: first, rest };
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

/** What nodes have in a field that is named outside of a query, to be shown or ordered by. */
export interface NamedField {
  readonly name: string;
  readonly way: readonly string[];
  /** Whether any node has it. */
  readonly isHeld: boolean;
  readonly valuesOf: (node: number) => readonly Json[];
}

export function findField(name: string, fleet: QueryFleet): NamedField {
  const way = wayOfField(name) ?? [name];
  const { kind, name: top, rest } = addressOf({ name, way });
  const { values, rows } = fleet.column(kind, top) ?? { values: [], rows: [] };
  // Taken apart when they are asked for: of very many names, few are shown.
  const byNumber: (readonly Json[])[] = [];
  const found = (number: number): readonly Json[] => {
    const value = values[number];
    if (value === undefined) return [];
    byNumber[number] ??= valuesAt(value, rest);
    return byNumber[number];
  };
  const isHeld = values.some((_, number) => found(number).length > 0);
  return { name, way, isHeld, valuesOf: (node) => found(rows[node] ?? ABSENT) };
}
