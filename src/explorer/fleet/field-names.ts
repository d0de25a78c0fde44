/** The names of the fields of a fleet. */

import { allFieldNames } from '../../core/query/named-field.ts';
import { namedByTitle } from './field-titles.ts';
import type { Fleet } from './fleet.ts';

/** Returns the field with the given name. If no field has this name, returns the field with this title. */
export function fieldTitled(name: string, fleet: Fleet): string {
  return fieldsOf(fleet).includes(name) ? name : (namedByTitle(name) ?? name);
}

const known = new WeakMap<Fleet, readonly string[]>();

/** Returns the names of all fields with values. */
export function fieldsOf(fleet: Fleet): readonly string[] {
  const names = known.get(fleet) ?? [...new Set(allFieldNames(fleet.query))];
  known.set(fleet, names);
  return names;
}
