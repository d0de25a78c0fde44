import { fail, finding, type Place } from '../diagnostics/finding.ts';
import { isSimilar, nearestNames, suggestSimilar } from '../diagnostics/nearest.ts';
import { fieldName, LABEL_PREFIX, LENGTH_SUFFIX, pathOfField } from '../model/fields/field-name.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { DEEPEST_VALUE, findField, type NamedField, type QueryFleet } from './columns.ts';

/** Throws a Failure if no node has the field. If there are no nodes, any field is valid. */
export function namedField(name: string, fleet: QueryFleet, place?: Place): NamedField {
  const field = findField(name, fleet);
  return field.isKnown || fleet.total === 0 ? field : throwUnknownField(name, fleet, place);
}

export function throwUnknownField(name: string, fleet: QueryFleet, place?: Place): never {
  const args = { field: name, nearest: nearestFields(name, fleet), isLength: isLength(name, fleet) };
  return fail(finding('query-field', args, place));
}

/** Whether a CSV column has this name and contains the length of a list. */
function isLength(name: string, fleet: QueryFleet): boolean {
  if (!name.endsWith(LENGTH_SUFFIX)) return false;
  const [top = '', ...rest] = pathOfField(name.slice(0, -LENGTH_SUFFIX.length)) ?? [];
  const below = (value: Json | undefined, step: string) => (isJsonObject(value) ? value[step] : undefined);
  const values = fleet.column('field', top)?.values ?? [];
  return values.some((value) => Array.isArray(rest.reduce<Json | undefined>(below, value)));
}

export function fieldsBelow(values: Iterable<Json>, path: readonly string[]): string[] {
  const names = new Set<string>();
  for (const value of values) addNames(value, path, names);
  return [...names];
}

/** Returns the names of places, of labels, and of all fields that contain values. */
export function allFieldNames(fleet: QueryFleet): string[] {
  const names = new Set<string>();
  for (const name of fleet.names('place')) names.add(name);
  for (const name of fleet.names('label')) names.add(`${LABEL_PREFIX}.${name}`);
  for (const name of fleet.names('field')) {
    for (const value of fleet.column('field', name)?.values ?? []) addNames(value, [name], names);
  }
  return [...names];
}

function addNames(value: Json, path: readonly string[], names: Set<string>, depth = 0): void {
  if (value === null || depth > DEEPEST_VALUE) return;
  if (Array.isArray(value)) {
    for (const item of value) addNames(item, path, names, depth + 1);
  } else if (!isJsonObject(value)) {
    names.add(fieldName(path));
  } else {
    for (const name of Object.keys(value)) addNames(value[name] ?? null, [...path, name], names, depth + 1);
  }
}

export function nearestFields(name: string, fleet: QueryFleet): string[] {
  const wanted = name.toLowerCase().replaceAll('"', '');
  const names = allFieldNames(fleet);
  const ending = (end: string) => names.filter((name) => `.${name.toLowerCase()}`.endsWith(`.${end}`));
  const whole = ending(wanted);
  if (whole.length > 0) return nearestNames(wanted, whole);
  const last = lastPart(wanted);
  const alike = [...ending(last), ...suggestSimilar(wanted, names)];
  if (alike.length > 0) return nearestNames(wanted, alike);
  return nearestNames(
    wanted,
    names.filter((name) => isSimilar(lastPart(name.toLowerCase()), last)),
  );
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
