/** Differences that leave every field where it stands: what `patch` makes of one body is then the text of the other. */

import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { FieldChange } from './difference.ts';

/** Whether two bodies of a difference have their fields in the same order, and it only puts values in the place of others. */
export function isInPlace(before: JsonObject, after: JsonObject, changes: readonly FieldChange[]): boolean {
  return changes.every(({ from, to }) => from !== undefined && to !== undefined) && hasSameKeys(before, after);
}

function hasSameKeys(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return !Array.isArray(b) || a.every((item, i) => hasSameKeys(item, b[i] ?? null));
  if (!isJsonObject(a) || !isJsonObject(b)) return true;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && hasSameKeys(a[key] ?? null, b[key] ?? null))
  );
}
