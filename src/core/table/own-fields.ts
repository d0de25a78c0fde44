/**
 * A node's own fields: those that say which specimen it is, such as serials and addresses. They are different at every
 * node, so that a dictionary is of no use for them.
 */
import { type FieldRule, ruleBelow } from '../model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject, setOwn } from '../model/json.ts';

/** Which fields at and below one are a node's own. The items of an array are of the array's field. */
export interface OwnFields {
  readonly way: readonly string[];
  readonly isOwn: boolean;
  /** The same field has the same object. */
  readonly below: (name: string) => OwnFields;
}

/** The fields of which a rule says that they are about components, and those that are named; without a rule, only these. */
export function ownFields(
  rule: FieldRule | undefined,
  named: readonly (readonly string[])[],
  way: readonly string[] = [],
  isOwn = false,
): OwnFields {
  const known = new Map<string, OwnFields>();
  const newField = (name: string): OwnFields => {
    const field = rule && ruleBelow(rule, name);
    const rest = named.filter(([first]) => first === name).map((names) => names.slice(1));
    const isNamed = rest.some((names) => names.length === 0);
    return ownFields(field, rest, [...way, name], isNamed || field?.class === 'component');
  };
  const below = (name: string) => {
    const field = known.get(name) ?? newField(name);
    known.set(name, field);
    return field;
  };
  return { way, isOwn, below };
}

/** Whether a field is a node's own, or below one that is. */
export function isOwnAt(way: readonly string[], fields: OwnFields): boolean {
  let field = fields;
  return way.some((name) => {
    field = field.below(name);
    return field.isOwn;
  });
}

export type TellOwn = (field: OwnFields, value: Json) => void;

/** A value of a field without what is a node's own below it. */
export function sharedValue(value: Json, field: OwnFields, tellOwn?: TellOwn): Json {
  if (field.isOwn) return value;
  if (Array.isArray(value)) return value.map((item) => sharedValue(item, field, tellOwn));
  return isJsonObject(value) ? withoutOwnFields(value, field, tellOwn) : value;
}

/** The fields of a body, or of a mapping in it, without those that are a node's own. */
export function withoutOwnFields(object: JsonObject, { below }: OwnFields, tellOwn?: TellOwn): JsonObject {
  const shared: Record<string, Json> = {};
  for (const [name, held] of Object.entries(object)) {
    const field = below(name);
    if (field.isOwn) tellOwn?.(field, held);
    else setOwn(shared, name, sharedValue(held, field, tellOwn));
  }
  return shared;
}
