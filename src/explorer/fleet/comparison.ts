/** Compares the bodies of nodes field by field. Pairs array items as `gridpress diff` does, and optionally by role. */

import { nominalRamSize } from '../../core/labels/hardware-names.ts';
import { itemName, pairItems } from '../../core/model/differences/pair-items.ts';
import { FIELD_CLASSES, type FieldClass, type FieldRule, fieldRules } from '../../core/model/field-classes.ts';
import { fieldName } from '../../core/model/fields/field-name.ts';
import { isJsonObject, type Json, type JsonObject, sameJson } from '../../core/model/json.ts';
import { NODE } from '../../core/model/kinds.ts';

export interface ComparedField {
  readonly label: string;
  readonly name: string;
  readonly class: FieldClass;
  /** One value for each compared body. A value is undefined if its body does not contain the field. */
  readonly cells: readonly (Json | undefined)[];
}

interface Options {
  /** Whether to include fields that have the same value in all bodies. */
  readonly hasEqualFields: boolean;
  /** True to pair parts with different names but the same role, such as the Ethernet adapters of two nodes. */
  readonly byRole: boolean;
}

/** Returns the differing leaf fields, sorted by class. `reordered` names arrays whose items differ only in order. */
export function compared(bodies: readonly JsonObject[], { hasEqualFields, byRole }: Options) {
  const fields: ComparedField[] = [];
  const reordered: string[] = [];
  const walk = (cells: readonly (Json | undefined)[], rule: FieldRule, label: string, path: readonly string[]) => {
    const present = cells.filter((cell) => cell !== undefined);
    if (present.every(isJsonObject) && present.some((cell) => Object.keys(cell).length > 0)) {
      for (const key of new Set(present.flatMap((cell) => Object.keys(cell)))) {
        const members = cells.map((cell) => (isJsonObject(cell) && Object.hasOwn(cell, key) ? cell[key] : undefined));
        walk(members, rule.below(key), label === '' ? key : `${label}.${key}`, [...path, key]);
      }
    } else if (present.every(isListOfParts) && present.some((cell) => cell.length > 0)) {
      const lists = cells.map((cell) => (cell !== undefined && isListOfParts(cell) ? cell : []));
      const parts = pairedParts(lists, rule.keys, byRole);
      if (parts.isReordered) reordered.push(label);
      for (const { name, items } of parts.rows) walk(items, rule.below('0'), `${label}[${name}]`, path);
    } else if (hasEqualFields || cells.some((cell) => isDifferent(cell, cells[0]))) {
      fields.push({ label, name: fieldName(path), class: rule.class, cells });
    }
  };
  walk(bodies, fieldRules(NODE), '', []);
  const rank = ({ class: about }: ComparedField) => FIELD_CLASSES.indexOf(about);
  return { fields: fields.sort((a, b) => rank(a) - rank(b)), reordered };
}

export function isDifferent(cell: Json | undefined, first: Json | undefined): boolean {
  return cell === undefined || first === undefined ? cell !== first : !sameJson(cell, first);
}

/** True if two different numbers mean the same nominal memory size, such as 256 GB and 256 GiB. */
export function isSameNominalSize(name: string, cell: Json | undefined, first: Json | undefined): boolean {
  if (name !== 'main_memory.ram_size' || typeof cell !== 'number' || typeof first !== 'number') return false;
  const nominal = nominalRamSize(cell);
  return cell !== first && nominal !== undefined && nominal === nominalRamSize(first);
}

function isListOfParts(value: Json): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

interface PairedPart {
  readonly name: string;
  readonly items: readonly (JsonObject | undefined)[];
}

function pairedParts(
  lists: readonly (readonly JsonObject[])[],
  keys: readonly string[],
  byRole: boolean,
): { readonly rows: readonly PairedPart[]; readonly isReordered: boolean } {
  const known: JsonObject[] = [];
  const rows: (JsonObject | undefined)[][] = [];
  let isReordered = false;
  for (const [column, list] of lists.entries()) {
    const partners = pairItems(known, list, keys);
    const taken = new Set(partners);
    const order = partners.filter((at) => at !== undefined);
    isReordered ||= !byRole && order.some((at, i) => at < (order[i - 1] ?? 0));
    for (const [i, item] of list.entries()) {
      const isFree = (other: JsonObject, at: number) => !taken.has(at) && roleOf(other) === roleOf(item);
      const byOwnRole = byRole ? known.findIndex(isFree) : -1;
      const at = partners[i] ?? (byOwnRole < 0 ? known.push(item) - 1 : byOwnRole);
      taken.add(at);
      rows[at] ??= lists.map(() => undefined);
      rows[at][column] = item;
    }
  }
  const roles = new Map<string, number>();
  const named = rows.map((items, at) => {
    const names = new Set(items.flatMap((item) => itemName(item, keys) ?? []));
    const [name = String(at)] = names;
    const role = roleOf(known[at] ?? {});
    const number = (roles.get(role) ?? 0) + 1;
    roles.set(role, number);
    return { name: names.size > 1 ? `${role} ${number}`.trim() : name, items };
  });
  return { rows: named, isReordered };
}

function roleOf(part: JsonObject): string {
  return ['interface', 'media_type', 'type']
    .flatMap((name) => (typeof part[name] === 'string' ? [part[name]] : []))
    .join(' ');
}

export interface BodyField {
  /** The label of the field, such as `storage_devices[sda].size`. */
  readonly label: string;
  /** The name of the field, such as `storage_devices.size`. */
  readonly name: string;
  readonly class: FieldClass;
  readonly value: Json;
}

/** Returns the leaf fields of a body. An empty array or object counts as a leaf field. */
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
