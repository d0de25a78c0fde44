/**
 * A quick check that a value fits a schema: the JSON Schema that was generated from it, as a function. It is for values
 * with which nothing is wrong; what is wrong, the schema itself tells.
 */

import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { FIELD_KEYWORDS } from './schema-files.ts';

/** True only when a value fits. */
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

/** Undefined when the schema says anything that this does not know. */
export function quickCheck(schema: Json): QuickCheck | undefined {
  if (!isJsonObject(schema)) return undefined;
  const rules: Rule[] = [];
  for (const [keyword, said] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword) || keyword === 'required') continue;
    const rule = ruleOf(keyword, said, schema);
    if (!rule) return undefined;
    rules.push(rule);
  }
  return all(rules);
}

function ruleOf(keyword: string, said: Json, schema: JsonObject): Rule | undefined {
  switch (keyword) {
    case 'type':
      return any(listOf(said).map((type) => TYPES[String(type)]));
    case 'const':
      return (value) => value === said;
    case 'enum': {
      const choices = new Set(listOf(said));
      return (value) => choices.has(value);
    }
    case 'anyOf':
      return any(listOf(said).map(quickCheck));
    case 'oneOf':
      return one(listOf(said).map(quickCheck));
    case 'not':
      return isAnything(said) ? () => false : undefined;
    case 'properties':
      return isJsonObject(said) ? fieldsRule(said, schema) : undefined;
    case 'additionalProperties':
      return 'properties' in schema || isAnything(said) ? () => true : valuesRule(quickCheck(said));
    case 'propertyNames':
      return namesRule(quickCheck(said));
    case 'prefixItems':
      return tupleRule(listOf(said).map(quickCheck), schema);
    case 'items':
      return 'prefixItems' in schema ? () => true : itemsRule(quickCheck(said));
    case 'pattern': {
      const pattern = new RegExp(String(said));
      return (value) => typeof value !== 'string' || pattern.test(value);
    }
    case 'maxLength':
      return (value) => typeof value !== 'string' || value.length <= Number(said);
    case 'minItems':
      return (value) => !Array.isArray(value) || value.length >= Number(said);
    case 'maxItems':
      return (value) => !Array.isArray(value) || value.length <= Number(said);
    case 'maximum':
      return (value) => typeof value !== 'number' || value <= Number(said);
    case 'minimum':
      return (value) => typeof value !== 'number' || value >= Number(said);
    case 'exclusiveMinimum':
      return (value) => typeof value !== 'number' || value > Number(said);
    default:
      return undefined;
  }
}

function fieldsRule(properties: JsonObject, schema: JsonObject): Rule | undefined {
  const { required, additionalProperties: others } = schema;
  const isLoose = others === undefined || isAnything(others);
  if (!isLoose && others !== false) return undefined;
  const fields: { readonly name: string; readonly rule: Rule; readonly isRequired: boolean }[] = [];
  for (const [name, said] of Object.entries(properties)) {
    const rule = quickCheck(said);
    // What every object has already could not be told from what this one has.
    if (!rule || name in Object.prototype) return undefined;
    const field = { name, rule, isRequired: listOf(required ?? []).includes(name) };
    // What tells one of several choices from the others is asked first.
    if (isJsonObject(said) && 'const' in said) fields.unshift(field);
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

/** Every item at the front has a schema of its own, and all others, where there may be any, the same. */
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

function valuesRule(rule: Rule | undefined): Rule | undefined {
  return rule && ((value) => !isJsonObject(value) || Object.values(value).every((field) => rule(field)));
}

function namesRule(rule: Rule | undefined): Rule | undefined {
  return rule && ((value) => !isJsonObject(value) || Object.keys(value).every((name) => rule(name)));
}

function isAnything(said: Json): boolean {
  return isJsonObject(said) && Object.keys(said).length === 0;
}

function itemsRule(rule: Rule | undefined): Rule | undefined {
  return rule && ((value) => !Array.isArray(value) || value.every((item) => rule(item)));
}

function all(rules: readonly Rule[]): Rule {
  return (value) => rules.every((rule) => rule(value));
}

function any(rules: readonly (Rule | undefined)[]): Rule | undefined {
  const known = allKnown(rules);
  return known && ((value) => known.some((rule) => rule(value)));
}

/** Exactly one fits. */
function one(rules: readonly (Rule | undefined)[]): Rule | undefined {
  const known = allKnown(rules);
  return known && ((value) => known.filter((rule) => rule(value)).length === 1);
}

function allKnown(rules: readonly (Rule | undefined)[]): Rule[] | undefined {
  const known = rules.filter((rule) => rule !== undefined);
  return known.length < rules.length ? undefined : known;
}

function listOf(said: Json): readonly Json[] {
  return Array.isArray(said) ? said : [said];
}
