/** A field that somebody names, or what to name instead. */
import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import type { QueryFleet } from './columns.ts';
import { nearestFields } from './field-names.ts';
import { findField, type NamedField } from './field-values.ts';

/** Ends with a Failure where no node has the field; where there are no nodes, any field is one. */
export function namedField(name: string, fleet: QueryFleet): NamedField {
  const field = findField(name, fleet);
  if (field.isHeld || fleet.total === 0) return field;
  return fail(finding('query-field', { field: name, nearest: nearestFields(name, fleet) }));
}
