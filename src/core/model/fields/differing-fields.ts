import { difference, type FieldChange } from '../differences/difference.ts';
import { itemName } from '../differences/pair-items.ts';
import { type ClassedKind, type FieldClass, type FieldRule, fieldRules, ruleAt } from '../field-classes.ts';
import type { Json, JsonObject } from '../json.ts';
import { memberOf, pointerTokens } from '../json-pointer.ts';

export interface DifferingField extends FieldChange {
  /** The field name with part names in brackets: `storage_devices[sda].serial`. */
  readonly field: string;
  readonly class: FieldClass;
}

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

/** Returns a label such as `storage_devices[sdc].serial`, or `ports[3].kind` if the items have no names. */
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
