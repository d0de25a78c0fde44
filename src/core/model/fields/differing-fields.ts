/**
 * The fields in which two bodies differ, in words: what `gridpress diff` prints of a resource then and now or of two nodes,
 * and what the explorer has side by side.
 */

import { difference, type FieldChange } from '../differences/difference.ts';
import { itemName } from '../differences/pair-items.ts';
import { type ClassedKind, type FieldClass, type FieldRule, fieldRules, ruleAt } from '../field-classes.ts';
import { isJsonObject, type Json, type JsonObject, pointerTokens } from '../json.ts';

export interface DifferingField extends FieldChange {
  /** The field with its parts by name: `storage_devices[sda].serial`. */
  readonly field: string;
  readonly class: FieldClass;
}

/** In the order of the difference, which is known already where both are versions of one resource. */
export function differingFields(
  kind: ClassedKind,
  before: JsonObject,
  after: JsonObject,
  changes: readonly FieldChange[] = difference(before, after, fieldRules(kind)),
): DifferingField[] {
  const rules = fieldRules(kind);
  return changes.map((change) => ({
    field: fieldLabel(change, before, after, rules),
    class: change.order === undefined ? ruleAt(kind, change.at).class : 'derived',
    ...change,
  }));
}

/** `storage_devices[sdc].serial`; `ports[3].kind` where items have no names. */
export function fieldLabel(
  { at, from, to }: FieldChange,
  before: JsonObject,
  after: JsonObject,
  rule: FieldRule,
): string {
  let label = '';
  let here: Json | undefined = from === undefined && to !== undefined ? after : before;
  let known = rule;
  for (const token of pointerTokens(at) ?? []) {
    const next: Json | undefined = memberOf(here, token);
    if (Array.isArray(here)) label += `[${itemName(next, known.keys) ?? token}]`;
    else label += label === '' ? token : `.${token}`;
    known = known.below(token);
    here = next;
  }
  return label;
}

function memberOf(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(token)];
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}
