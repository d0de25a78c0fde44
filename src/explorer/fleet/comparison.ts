/** Compares bodies field by field with the first body. Pairs items of arrays in the same way as `gridpress diff`. */

import { itemName } from '../../core/model/differences/pair-items.ts';
import { FIELD_CLASSES, type FieldClass, type FieldRule, fieldRules } from '../../core/model/field-classes.ts';
import { differingFields } from '../../core/model/fields/differing-fields.ts';
import { fieldName } from '../../core/model/fields/field-name.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { pointerTokens } from '../../core/model/json-pointer.ts';
import { NODE } from '../../core/model/kinds.ts';

interface ComparedField {
  readonly label: string;
  readonly name: string;
  readonly class: FieldClass;
  /** One value for each body. Undefined if the body does not have the field. */
  readonly cells: (Json | undefined)[];
}

/** `reordered` lists arrays that differ only in the order of their items. */
export function compared(columns: readonly { readonly body: JsonObject }[], isWhole: boolean) {
  const [first = {}, ...others] = columns.map(({ body }) => body);
  const rows = new Map<string, ComparedField>();
  const reordered = new Set<string>();
  for (const [i, other] of others.entries()) {
    for (const { field: label, class: about, at, from, to, order } of differingFields(NODE, first, other)) {
      if (order !== undefined) {
        reordered.add(label);
        continue;
      }
      const name = fieldName((pointerTokens(at) ?? []).filter((token) => !/^\d+$/.test(token)));
      const row = rows.get(label) ?? { label, name, class: about, cells: columns.map(() => from) };
      rows.set(label, row);
      row.cells[i + 1] = to;
    }
  }
  const same = isWhole ? sameFields(first, columns.length, [...rows.keys()]) : [];
  const rank = ({ class: about }: ComparedField) => FIELD_CLASSES.indexOf(about);
  return { fields: [...rows.values(), ...same].sort((a, b) => rank(a) - rank(b)), reordered: [...reordered] };
}

function sameFields(first: JsonObject, count: number, differing: readonly string[]): ComparedField[] {
  const isWithin = (label: string, other: string) =>
    label === other || label.startsWith(`${other}.`) || label.startsWith(`${other}[`);
  return bodyFields(first)
    .filter(({ label }) => !differing.some((other) => isWithin(label, other)))
    .map(({ value, ...field }) => ({ ...field, cells: Array.from({ length: count }, () => value) }));
}

export interface BodyField {
  /** The label, such as `storage_devices[sda].size`. */
  readonly label: string;
  /** The name, such as `storage_devices.size`. */
  readonly name: string;
  readonly class: FieldClass;
  readonly value: Json;
}

/** Returns the leaves of a body. Empty arrays and objects also count as leaves. */
export function bodyFields(body: JsonObject): BodyField[] {
  const fields: BodyField[] = [];
  collect(body, fieldRules(NODE), '', [], fields);
  return fields;
}

function collect(value: Json, rule: FieldRule, label: string, path: readonly string[], fields: BodyField[]): void {
  if (Array.isArray(value) && value.length > 0) {
    for (const [i, item] of value.entries()) {
      collect(item, rule.below(String(i)), `${label}[${itemName(item, rule.keys) ?? i}]`, path, fields);
    }
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [key, member] of Object.entries(value)) {
      collect(member, rule.below(key), label === '' ? key : `${label}.${key}`, [...path, key], fields);
    }
  } else {
    fields.push({ label, name: fieldName(path), class: rule.class, value });
  }
}
