/** A column stores each distinct value once. Queries test the distinct values, which are fewer than the nodes. */

import { LABEL_PREFIX, PLACE_NAMES, pathOfField } from '../model/fields/field-name.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { ABSENT } from '../table/node-table.ts';
import type { FieldReference } from './query.ts';

export interface QueryColumn {
  readonly values: readonly Json[];
  /** The index of each node's value in `values`, or ABSENT. */
  readonly rows: ArrayLike<number>;
}

/** A `place` is `site` or `cluster`. A place or a label hides a body field that has the same name. */
export type ColumnKind = 'place' | 'label' | 'field';

export interface QueryFleet {
  readonly total: number;
  readonly column: (kind: ColumnKind, name: string) => QueryColumn | undefined;
  readonly names: (kind: ColumnKind) => Iterable<string>;
}

interface ColumnAddress {
  readonly kind: ColumnKind;
  readonly name: string;
  readonly rest: readonly string[];
}

const PLACES: readonly string[] = PLACE_NAMES;

/** Returns the kind and the name of a field's column. A quoted name such as `"site"` always means a body field. */
export function addressOf({ name, path }: Pick<FieldReference, 'name' | 'path'>): ColumnAddress {
  const [first = '', ...rest] = path;
  const [second, ...below] = rest;
  const isOwn = name.startsWith('"');
  if (!isOwn && first === LABEL_PREFIX && second !== undefined) {
    return { kind: 'label', name: second, rest: below };
  }
  const isPlace = !isOwn && PLACES.includes(first) && rest.length === 0;
  return { kind: isPlace ? 'place' : 'field', name: first, rest };
}

/** Values below this depth are ignored. */
export const DEEPEST_VALUE = 100;

/** Returns the values at a path. If the path leads through arrays, returns the values of all items. Omits null. */
export function valuesAt(value: Json, path: readonly string[]): Json[] {
  const found: Json[] = [];
  gather(value, path, 0, found);
  return found;
}

/** Returns whether the path leads to a value, which can also be null or an empty list. */
function gather(value: Json, path: readonly string[], at: number, found: Json[], depth = 0): boolean {
  const name = path[at];
  if (depth > DEEPEST_VALUE) return false;
  if (value === null) return name === undefined;
  if (Array.isArray(value)) {
    let isThere = name === undefined;
    for (const item of value) if (gather(item, path, at, found, depth + 1)) isThere = true;
    return isThere;
  }
  if (name === undefined) {
    found.push(value);
    return true;
  }
  return (
    isJsonObject(value) && Object.hasOwn(value, name) && gather(value[name] ?? null, path, at + 1, found, depth + 1)
  );
}

export interface NamedField {
  readonly name: string;
  readonly path: readonly string[];
  /** Whether a node has the field. The values of a known field can all be null or empty lists. */
  readonly isKnown: boolean;
  readonly hasValues: boolean;
  readonly valuesOf: (node: number) => readonly Json[];
}

export function findField(name: string, fleet: QueryFleet): NamedField {
  const path = pathOfField(name) ?? [name];
  const { kind, name: top, rest } = addressOf({ name, path });
  const { values, rows } = fleet.column(kind, top) ?? { values: [], rows: [] };
  // Finds the values on demand, because callers show only a few nodes.
  const byNumber: (readonly Json[])[] = [];
  const found = (number: number): readonly Json[] => {
    const value = values[number];
    if (value === undefined) return [];
    byNumber[number] ??= valuesAt(value, rest);
    return byNumber[number];
  };
  const hasValues = values.some((_, number) => found(number).length > 0);
  const isKnown = hasValues || values.some((value) => gather(value, rest, 0, []));
  return { name, path, isKnown, hasValues, valuesOf: (node) => found(rows[node] ?? ABSENT) };
}
