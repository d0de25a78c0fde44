/** A field that somebody names, or what to name instead. */

import { fail } from '../diagnostics/failure.ts';
import { finding, type Place } from '../diagnostics/finding.ts';
import { isClose, nearestOf, nearestTo } from '../diagnostics/nearest.ts';
import { fieldName, LABEL_PREFIX, LENGTH_ENDING, wayOfField } from '../model/fields/field-name.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { DEEPEST_VALUE, findField, type NamedField, type QueryFleet } from './columns.ts';

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

/** The fields below a field, of some of its values. */
export function fieldsBelow(values: Iterable<Json>, way: readonly string[]): string[] {
  const names = new Set<string>();
  for (const value of values) addNames(value, way, names);
  return [...names];
}

/** All fields of a fleet that hold values, by their whole names. */
function fieldNames(fleet: QueryFleet): string[] {
  const names = new Set<string>();
  for (const name of fleet.names('place')) names.add(name);
  for (const name of fleet.names('label')) names.add(`${LABEL_PREFIX}.${name}`);
  for (const name of fleet.names('field')) {
    for (const value of fleet.column('field', name)?.values ?? []) addNames(value, [name], names);
  }
  return [...names];
}

function addNames(value: Json, way: readonly string[], names: Set<string>, depth = 0): void {
  if (depth > DEEPEST_VALUE) return;
  if (Array.isArray(value)) {
    for (const item of value) addNames(item, way, names, depth + 1);
  } else if (!isJsonObject(value)) {
    names.add(fieldName(way));
  } else {
    for (const name of Object.keys(value)) addNames(value[name] ?? null, [...way, name], names, depth + 1);
  }
}

/** The fields that somebody may mean who names one that no node has. */
export function nearestFields(name: string, fleet: QueryFleet): string[] {
  const wanted = name.toLowerCase().replaceAll('"', '');
  const names = fieldNames(fleet);
  const ending = (end: string) => names.filter((name) => `.${name.toLowerCase()}`.endsWith(`.${end}`));
  const whole = ending(wanted);
  if (whole.length > 0) return nearestOf(wanted, whole);
  const last = lastPart(wanted);
  const alike = [...ending(last), ...nearestTo(wanted, names)];
  if (alike.length > 0) return nearestOf(wanted, alike);
  return nearestOf(
    wanted,
    names.filter((name) => isClose(lastPart(name.toLowerCase()), last)),
  );
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
