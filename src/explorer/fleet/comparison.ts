/** Bodies side by side, paired as `gridpress diff` pairs them: each against the first. */

import { itemName } from '../../core/model/differences/pair-items.ts';
import { FIELD_CLASSES, type FieldClass, type FieldRule, fieldRules } from '../../core/model/field-classes.ts';
import { differingFields } from '../../core/model/fields/differing-fields.ts';
import { fieldName } from '../../core/model/fields/field-name.ts';
import { isJsonObject, type Json, type JsonObject, pointerTokens } from '../../core/model/json.ts';
import { NODE } from '../../core/model/kinds.ts';

interface ComparedField {
  readonly label: string;
  readonly name: string;
  readonly class: FieldClass;
  /** For each body what it has; undefined for nothing. */
  readonly cells: readonly (Json | undefined)[];
}

interface BodyComparison {
  /** By class, hardware first. */
  readonly fields: readonly ComparedField[];
  /** In which arrays the same items stand in another order. */
  readonly reordered: readonly string[];
}

/** Fields in which any body differs from the first; or all of them, those that are the same too. */
export function compared(columns: readonly { readonly body: JsonObject }[], isWhole: boolean): BodyComparison {
  const [first = {}, ...others] = columns.map(({ body }) => body);
  const rows = new Map<
    string,
    { name: string; class: FieldClass; first: Json | undefined; cells: Map<number, Json | undefined> }
  >();
  const reordered = new Set<string>();
  for (const [i, other] of others.entries()) {
    for (const { field: label, class: about, at, from, to, order } of differingFields(NODE, first, other)) {
      if (order !== undefined) {
        reordered.add(label);
        continue;
      }
      const name = fieldName((pointerTokens(at) ?? []).filter((token) => !/^\d+$/.test(token)));
      const made = { name, class: about, first: from, cells: new Map<number, Json | undefined>() };
      const row = rows.get(label) ?? made;
      rows.set(label, row);
      row.cells.set(i, to);
    }
  }
  const fields = [...rows].map(
    ([label, { name, class: about, first: held, cells }]): ComparedField => ({
      label,
      name,
      class: about,
      cells: [held, ...others.map((_, i) => (cells.has(i) ? cells.get(i) : held))],
    }),
  );
  const same = isWhole ? sameFields(first, columns.length, rows) : [];
  const place = ({ class: about }: ComparedField) => FIELD_CLASSES.indexOf(about);
  return { fields: [...fields, ...same].sort((a, b) => place(a) - place(b)), reordered: [...reordered] };
}

/** What the first has, and no difference tells of or holds. */
function sameFields(first: JsonObject, count: number, rows: ReadonlyMap<string, unknown>): ComparedField[] {
  const differing = [...rows.keys()];
  return bodyFields(first)
    .filter(
      ({ label }) =>
        !differing.some((other) => label === other || label.startsWith(`${other}.`) || label.startsWith(`${other}[`)),
    )
    .map(({ value, ...field }) => ({ ...field, cells: Array.from({ length: count }, () => value) }));
}

/** A body as a list of fields, each with its label, its class and where it comes from: what tables of one node show. */
export interface BodyField {
  /** `storage_devices[sda].size` */
  readonly label: string;
  /** `storage_devices.size` */
  readonly name: string;
  readonly class: FieldClass;
  readonly value: Json;
}

export function bodyFields(body: JsonObject): BodyField[] {
  const fields: BodyField[] = [];
  collect(body, fieldRules(NODE), '', [], fields);
  return fields;
}

function collect(value: Json, rule: FieldRule, label: string, way: readonly string[], fields: BodyField[]): void {
  if (Array.isArray(value) && value.length > 0) {
    for (const [i, item] of value.entries()) {
      collect(item, rule.below(String(i)), `${label}[${itemName(item, rule.keys) ?? i}]`, way, fields);
    }
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [key, held] of Object.entries(value)) {
      collect(held, rule.below(key), label === '' ? key : `${label}.${key}`, [...way, key], fields);
    }
  } else {
    fields.push({ label, name: fieldName(way), class: rule.class, value });
  }
}
