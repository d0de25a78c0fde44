/** A body as a list of fields, each with its label, its class and where it comes from: what tables of one node show. */

import { itemName } from '../../core/model/differences/pair-items.ts';
import { type FieldClass, type FieldRule, fieldRules } from '../../core/model/field-classes.ts';
import { fieldName } from '../../core/model/fields/field-name.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { NODE } from '../../core/model/kinds.ts';

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
