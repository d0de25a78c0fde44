/** Finds the classes of changed fields, and selects changes by class. */

import { classesOf, difference } from '../../core/model/differences/difference.ts';
import { type ClassSet, classNames, FIELD_CLASSES, fieldRules } from '../../core/model/field-classes.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { NODE } from '../../core/model/kinds.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import type { FleetHistory } from '../data/history.ts';

/** The class of the changes that add or remove a node. */
export const PRESENCE = 'presence';
export const CHANGE_CLASSES = [PRESENCE, ...FIELD_CLASSES] as const;

/**
 * Compares two values of a column, and returns the classes of the fields that differ. `from` and `to` are the indexes
 * of the values.
 */
export type ClassesBetween = (column: string, from: number, to: number) => ClassSet;

const known = new WeakMap<FleetHistory, ClassesBetween>();

/** Classifies changes by the same rules as the change feed. Caches the results, because changes often repeat. */
export function classesBetween(history: FleetHistory): ClassesBetween {
  return getOrCreate(known, history, () => {
    const valuesOf = new Map(history.columns.map(({ name, values }) => [name, values]));
    const found = new Map<string, ClassSet>();
    return (column, from, to) =>
      getOrCreate(found, `${column} ${from} ${to}`, () => {
        const bodyOf = (number: number): JsonObject => {
          const value = valuesOf.get(column)?.[number];
          return value === undefined ? {} : { [column]: value };
        };
        return classesOf(NODE, difference(bodyOf(from), bodyOf(to), fieldRules(NODE)));
      });
  });
}

/** True if a change belongs to the chosen class. `classes` is undefined for an added or removed node. */
export function isOfClass(chosen: string, classes: ClassSet | undefined): boolean {
  if (chosen === '') return true;
  if (classes === undefined) return chosen === PRESENCE;
  return classNames(classes).some((name) => name === chosen);
}
