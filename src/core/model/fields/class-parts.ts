/** Extracts the fields of one class. Array items with key fields are stored by label, so their order has no effect. */

import { itemLabels } from '../differences/pair-items.ts';
import type { FieldClass, FieldRule } from '../field-classes.ts';
import { isJsonObject, type Json, type JsonObject, setOwn } from '../json.ts';

/** The tags of stored arrays. The items of an array are stored by position, or by label if the field has key fields. */
const BY_PLACE = 'places';
const BY_LABEL = 'labels';

export function partOf(value: Json, rule: FieldRule, name: FieldClass): Json | undefined {
  const isOwn = rule.class === name;
  if (Array.isArray(value)) {
    const part = partOfArray(value, rule, name);
    return isOwn || part.length > 1 ? part : undefined;
  }
  if (!isJsonObject(value)) return isOwn ? value : undefined;
  const fields = Object.entries(value).map(([key, held]) => [key, partOf(held, rule.below(key), name)] as const);
  const part = partsByName(fields);
  return isOwn || part !== undefined ? (part ?? {}) : undefined;
}

/**
 * Returns the tag and the parts of the items. The key of a labelled item is its label. The key of another item is its
 * position.
 */
function partOfArray(items: readonly Json[], rule: FieldRule, name: FieldClass): readonly Json[] {
  const item = rule.below('0');
  const parts = items.map((held) => partOf(held, item, name));
  const isKeyed = rule.keys.length > 0 && items.every(isJsonObject);
  const labels = isKeyed ? itemLabels(items, rule.keys) : [];
  const loose = parts.filter((_, i) => labels[i] === undefined);
  const labelled = isKeyed ? partsByName(parts.map((part, i) => [labels[i], part])) : undefined;
  const placed = partsByName(loose.map((part, i) => [String(i), part]));
  return labelled || placed ? [isKeyed ? BY_LABEL : BY_PLACE, labelled ?? {}, placed ?? {}] : [BY_PLACE];
}

function partsByName(
  parts: readonly (readonly [name: string | undefined, part: Json | undefined])[],
): JsonObject | undefined {
  const named: Record<string, Json> = {};
  for (const [name, part] of parts) {
    if (name !== undefined && part !== undefined) setOwn(named, name, part);
  }
  return Object.keys(named).length > 0 ? named : undefined;
}
