/** Per-node fields, such as serial numbers, differ in every node, so a dictionary of their values saves no space. */

import { type FieldRule, ruleBelow } from '../model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject, setOwn } from '../model/json.ts';
import { getOrCreate } from '../platform/lookups.ts';

/** A tree of field names that marks the per-node fields. Array items have the path of their array. */
export interface PerNodeFields {
  readonly path: readonly string[];
  readonly isPerNode: boolean;
  /** Returns the subfield with this name. Calls with the same name return the same object. */
  readonly below: (name: string) => PerNodeFields;
}

/** Selects the fields whose rule has the class `component`, and the fields in `named`. */
export function perNodeFields(
  rule: FieldRule | undefined,
  named: readonly (readonly string[])[],
  path: readonly string[] = [],
  isPerNode = false,
): PerNodeFields {
  const known = new Map<string, PerNodeFields>();
  const newField = (name: string): PerNodeFields => {
    const field = rule && ruleBelow(rule, name);
    const rest = named.filter(([first]) => first === name).map((names) => names.slice(1));
    const isNamed = rest.some((names) => names.length === 0);
    return perNodeFields(field, rest, [...path, name], isNamed || field?.class === 'component');
  };
  const below = (name: string) => getOrCreate(known, name, () => newField(name));
  return { path, isPerNode, below };
}

export function isPerNodeAt(path: readonly string[], fields: PerNodeFields): boolean {
  let field = fields;
  return path.some((name) => {
    field = field.below(name);
    return field.isPerNode;
  });
}

export type OnPerNodeField = (field: PerNodeFields, value: Json) => void;

export function sharedValue(value: Json, field: PerNodeFields, onPerNodeField?: OnPerNodeField): Json {
  if (field.isPerNode) return value;
  if (Array.isArray(value)) return value.map((item) => sharedValue(item, field, onPerNodeField));
  return isJsonObject(value) ? withoutPerNodeFields(value, field, onPerNodeField) : value;
}

export function withoutPerNodeFields(
  object: JsonObject,
  { below }: PerNodeFields,
  tellOwn?: OnPerNodeField,
): JsonObject {
  const shared: Record<string, Json> = {};
  for (const [name, held] of Object.entries(object)) {
    const field = below(name);
    if (field.isPerNode) tellOwn?.(field, held);
    else setOwn(shared, name, sharedValue(held, field, tellOwn));
  }
  return shared;
}
