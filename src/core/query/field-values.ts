/** What nodes have in a field that is named outside of a query, to be shown or ordered by. */
import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import { wayOfField } from '../model/fields/field-name.ts';
import type { Json } from '../model/json.ts';
import { ABSENT } from '../table/body-encoder.ts';
import { addressOf, type QueryFleet, valuesAt } from './columns.ts';
import { nearestFields } from './field-names.ts';

export interface NamedField {
  readonly name: string;
  readonly way: readonly string[];
  /** Whether any node has it. */
  readonly isHeld: boolean;
  readonly valuesOf: (node: number) => readonly Json[];
}

/** Ends with a Failure where no node has the field; where there are no nodes, any field is one. */
export function namedField(name: string, fleet: QueryFleet): NamedField {
  const field = findField(name, fleet);
  if (field.isHeld || fleet.total === 0) return field;
  return fail(finding('query-field', { field: name, nearest: nearestFields(name, fleet) }));
}

export function findField(name: string, fleet: QueryFleet): NamedField {
  const way = wayOfField(name) ?? [name];
  const { kind, name: top, rest } = addressOf({ name, way });
  const { values, rows } = fleet.column(kind, top) ?? { values: [], rows: [] };
  const byNumber = values.map((value) => valuesAt(value, rest));
  const isHeld = byNumber.some((found) => found.length > 0);
  return { name, way, isHeld, valuesOf: (node) => byNumber[rows[node] ?? ABSENT] ?? [] };
}
