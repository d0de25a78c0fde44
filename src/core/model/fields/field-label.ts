/** Fields in words: where a change stands, with the parts called by their names instead of their positions. */
import type { FieldChange } from '../differences/difference.ts';
import { itemName } from '../differences/pair-items.ts';
import type { FieldRule } from '../field-classes.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pointerTokens } from '../json-pointer.ts';

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
