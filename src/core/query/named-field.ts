/** A field that somebody names, or what to name instead. */
import { fail } from '../diagnostics/failure.ts';
import { finding, type Place } from '../diagnostics/finding.ts';
import { LENGTH_ENDING, wayOfField } from '../model/fields/field-name.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { QueryFleet } from './columns.ts';
import { nearestFields } from './field-names.ts';
import { findField, type NamedField } from './field-values.ts';

/** Ends with a Failure where no node has the field; where there are no nodes, any field is one. */
export function namedField(name: string, fleet: QueryFleet): NamedField {
  const field = findField(name, fleet);
  return field.isHeld || fleet.total === 0 ? field : failUnheld(name, fleet);
}

/** Says of a field that no node has what to name instead. */
export function failUnheld(name: string, fleet: QueryFleet, place?: Place): never {
  const args = { field: name, nearest: nearestFields(name, fleet), isLength: isLength(name, fleet) };
  return fail(finding('query-field', args, place));
}

/** Whether a name is that of the column of CSV that counts the items of a list. */
function isLength(name: string, fleet: QueryFleet): boolean {
  if (!name.endsWith(LENGTH_ENDING)) return false;
  const [top = '', ...rest] = wayOfField(name.slice(0, -LENGTH_ENDING.length)) ?? [];
  const below = (value: Json | undefined, step: string) => (isJsonObject(value) ? value[step] : undefined);
  const values = fleet.column('field', top)?.values ?? [];
  return values.some((value) => Array.isArray(rest.reduce<Json | undefined>(below, value)));
}
