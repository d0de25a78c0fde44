/** Compiles a fast check from a JSON Schema. Callers use the zod schema to explain problems. */

import { isJsonObject, itemsIn, type Json, type JsonObject } from '../model/json.ts';
import { FIELD_KEYWORDS } from './layout.ts';

export type QuickCheck = (value: Json) => boolean;

export type QuickChecks = (name: string) => QuickCheck | undefined;

type Rule = (value: Json) => boolean;

const ANNOTATIONS = new Set<string>([
  '$schema',
  'title',
  'description',
  'default',
  'examples',
  ...Object.values(FIELD_KEYWORDS),
]);

const TYPES: Readonly<Record<string, Rule>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isJsonObject,
};

/** Returns undefined if the schema has a keyword that this module does not support. */
export function quickCheck(schema: Json): QuickCheck | undefined {
  if (!isJsonObject(schema)) return undefined;
  const rules: Rule[] = [];
  for (const [keyword, operand] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword) || keyword === 'required') continue;
    const rule = ruleOf(keyword, operand, schema);
    if (!rule) return undefined;
    rules.push(rule);
  }
  return all(rules);
}

function ruleOf(keyword: string, operand: Json, schema: JsonObject): Rule | undefined {
  switch (keyword) {
    case 'type':
      return any(listOf(operand).map((type) => TYPES[String(type)]));
    case 'const':
      return (value) => value === operand;
    case 'enum': {
      const choices = new Set(listOf(operand));
      return (value) => choices.has(value);
    }
    case 'anyOf':
      return any(listOf(operand).map(quickCheck));
    case 'oneOf':
      return one(listOf(operand).map(quickCheck));
    case 'not':
      return isAnything(operand) ? () => false : undefined;
    case 'properties':
      return isJsonObject(operand) ? fieldsRule(operand, schema) : undefined;
    case 'additionalProperties':
      return 'properties' in schema || isAnything(operand) ? () => true : everyRule(quickCheck(operand), valuesIn);
    case 'propertyNames':
      return everyRule(quickCheck(operand), namesIn);
    case 'prefixItems':
      return tupleRule(listOf(operand).map(quickCheck), schema);
    case 'items':
      return 'prefixItems' in schema ? () => true : everyRule(quickCheck(operand), itemsIn);
    case 'pattern': {
      const pattern = new RegExp(String(operand));
      return (value) => typeof value !== 'string' || pattern.test(value);
    }
    case 'maxLength':
      return (value) => typeof value !== 'string' || value.length <= Number(operand);
    case 'minItems':
      return (value) => !Array.isArray(value) || value.length >= Number(operand);
    case 'maxItems':
      return (value) => !Array.isArray(value) || value.length <= Number(operand);
    case 'maximum':
      return (value) => typeof value !== 'number' || value <= Number(operand);
    case 'minimum':
      return (value) => typeof value !== 'number' || value >= Number(operand);
    case 'exclusiveMinimum':
      return (value) => typeof value !== 'number' || value > Number(operand);
    default:
      return undefined;
  }
}

function fieldsRule(properties: JsonObject, schema: JsonObject): Rule | undefined {
  const { required, additionalProperties: others } = schema;
  const isLoose = others === undefined || isAnything(others);
  if (!isLoose && others !== false) return undefined;
  const fields: { readonly name: string; readonly rule: Rule; readonly isRequired: boolean }[] = [];
  for (const [name, operand] of Object.entries(properties)) {
    const rule = quickCheck(operand);
    // Every object inherits this property, so the check cannot detect a missing property.
    if (!rule || name in Object.prototype) return undefined;
    const field = { name, rule, isRequired: listOf(required ?? []).includes(name) };
    // Checks constants first, because a constant distinguishes the alternatives of a union.
    if (isJsonObject(operand) && 'const' in operand) fields.unshift(field);
    else fields.push(field);
  }
  return (value) => {
    if (!isJsonObject(value)) return true;
    let known = 0;
    for (const { name, rule, isRequired } of fields) {
      const field = value[name];
      if (field === undefined ? isRequired : !rule(field)) return false;
      if (field !== undefined) known++;
    }
    return isLoose || Object.keys(value).length === known;
  };
}

function tupleRule(rules: readonly (Rule | undefined)[], schema: JsonObject): Rule | undefined {
  const known = allKnown(rules);
  const { items, minItems, maxItems } = schema;
  const most = items === false ? rules.length : undefined;
  if (items === undefined || !known || minItems !== rules.length || maxItems !== most) return undefined;
  const other = items === false ? () => false : quickCheck(items);
  return (
    other &&
    ((value) =>
      !Array.isArray(value) || (value.length >= known.length && value.every((item, i) => (known[i] ?? other)(item))))
  );
}

function everyRule(rule: Rule | undefined, partsOf: (value: Json) => readonly Json[]): Rule | undefined {
  return rule && ((value) => partsOf(value).every(rule));
}

function valuesIn(value: Json): readonly Json[] {
  return isJsonObject(value) ? Object.values(value) : [];
}

function namesIn(value: Json): readonly Json[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

function isAnything(operand: Json): boolean {
  return isJsonObject(operand) && Object.keys(operand).length === 0;
}

function all(rules: readonly Rule[]): Rule {
  return (value) => rules.every((rule) => rule(value));
}

function any(rules: readonly (Rule | undefined)[]): Rule | undefined {
  const known = allKnown(rules);
  return known && ((value) => known.some((rule) => rule(value)));
}

function one(rules: readonly (Rule | undefined)[]): Rule | undefined {
  const known = allKnown(rules);
  return known && ((value) => known.filter((rule) => rule(value)).length === 1);
}

function allKnown(rules: readonly (Rule | undefined)[]): Rule[] | undefined {
  const known = rules.filter((rule) => rule !== undefined);
  return known.length < rules.length ? undefined : known;
}

function listOf(operand: Json): readonly Json[] {
  return Array.isArray(operand) ? operand : [operand];
}
