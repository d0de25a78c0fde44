/** What nodes have in a field that is named outside of a query, to be shown or ordered by. */
import { wayOfField } from '../model/fields/field-name.ts';
import type { Json } from '../model/json.ts';
import { ABSENT } from '../table/dictionary.ts';
import { addressOf, type QueryFleet, valuesAt } from './columns.ts';

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
