/**
 * A node's own fields: those that say which specimen it is, such as serials and addresses. They are different at every
 * node, so that a dictionary is of no use for them.
 */
import { type FieldRule, ruleBelow } from '../model/field-classes.ts';

/** Which fields at and below one are a node's own. The items of an array are of the array's field. */
export interface OwnFields {
  /** The names on the way to the field. */
  readonly way: readonly string[];
  readonly isOwn: boolean;
  readonly below: (name: string) => OwnFields;
}

/** The fields of which a rule says that they are about components, and those that are named; without a rule, only these. */
export function ownFields(
  rule: FieldRule | undefined,
  named: readonly (readonly string[])[],
  way: readonly string[] = [],
  isOwn = false,
): OwnFields {
  return {
    way,
    isOwn,
    below: (name) => {
      const field = rule && ruleBelow(rule, name);
      const rest = named.filter(([first]) => first === name).map((names) => names.slice(1));
      const isNamed = rest.some((names) => names.length === 0);
      return ownFields(field, rest, [...way, name], isNamed || field?.class === 'component');
    },
  };
}

/** Whether a field is a node's own, or below one that is. */
export function isOwnAt(way: readonly string[], fields: OwnFields): boolean {
  let field = fields;
  return way.some((name) => {
    field = field.below(name);
    return field.isOwn;
  });
}
