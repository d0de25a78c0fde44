/**
 * Converts JSON Schemas to OpenAPI components. `links` becomes a plain list, because client generators do not support a
 * schema for each list item. The JSON Schemas at `/schemas` are stricter.
 */

import { canonicalFrom, canonicalJson, isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import type { DialectName } from '../schemas/shared-schemas.ts';

export function componentRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Converts `node-page` to `NodePage`. */
export function componentName(document: string): string {
  return document.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
}

const LINK = 'Link';

function linkSchema(dialect: DialectName): JsonObject {
  const type = { type: 'string', description: 'The media type of the target.' };
  return {
    type: 'object',
    properties: {
      rel: { type: 'string', description: 'The relation of the target to this document.' },
      href: { type: 'string', description: 'A path of the API, to append to the base URL.' },
      ...(dialect === 'legacy' ? { type } : {}),
    },
    required: ['rel', 'href', ...(dialect === 'legacy' ? ['type'] : [])],
    additionalProperties: false,
    description: 'A link to another document.',
  };
}

type TextOf = (schema: JsonObject) => string;

function newTexts(): TextOf {
  const known = new Map<Json, string>();
  const textOf = (value: Json): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return getOrCreate(known, value, () => canonicalFrom(value, textOf));
  };
  return textOf;
}

/** A repeated schema becomes a component if it has at least this length, in characters. */
const MIN_SHARED_LENGTH = 200;

/** `documents` maps document names to schemas. The result maps component names to schemas. */
export function componentsOf(documents: ReadonlyMap<string, JsonObject>, dialect: DialectName): JsonObject {
  const plain = new Map([...documents].map(([name, schema]) => [componentName(name), plainSchema(schema)]));
  const textOf = newTexts();
  const names = new Map([...plain].map(([name, schema]) => [textOf(schema), name]));
  const all = new Map([[LINK, linkSchema(dialect)], ...plain]);
  for (const [text, { schema, name }] of repeatedIn(plain.values(), textOf)) {
    if (names.has(text)) continue;
    const own = freeName(componentName(name), all);
    names.set(text, own);
    all.set(own, schema);
  }
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, schema]) => [name, withReferences(schema, (below) => names.get(textOf(below)))]),
  );
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`;
  return name;
}

/** Returns each repeated object schema with its canonical text and the name of the first field that has this schema. */
function repeatedIn(schemas: Iterable<JsonObject>, textOf: TextOf) {
  const seen = new Map<string, { readonly schema: JsonObject; readonly name: string; count: number }>();
  const look = (schema: JsonObject, name: string) => {
    if (isJsonObject(schema['properties'])) {
      getOrCreate(seen, textOf(schema), () => ({ schema, name, count: 0 })).count++;
    }
    for (const [field, below] of schemasBelow(schema)) look(below, field ?? name);
  };
  for (const schema of schemas) for (const [field, below] of schemasBelow(schema)) look(below, field ?? 'part');
  return [...seen].filter(([text, { count }]) => count > 1 && text.length >= MIN_SHARED_LENGTH);
}

/** Yields the direct subschemas of a schema. If a subschema describes a property, it has the name of the property. */
function* schemasBelow({ properties, items, anyOf, oneOf }: JsonObject): Generator<[string | undefined, JsonObject]> {
  if (isJsonObject(properties))
    for (const [name, schema] of Object.entries(properties)) if (isJsonObject(schema)) yield [name, schema];
  if (isJsonObject(items)) yield [undefined, items];
  for (const choices of [anyOf, oneOf])
    if (Array.isArray(choices)) for (const choice of choices) if (isJsonObject(choice)) yield [undefined, choice];
}

function withBelow(schema: JsonObject, change: (below: JsonObject) => JsonObject): JsonObject {
  const { properties, items, anyOf, oneOf } = schema;
  const each = (below: Json) => (isJsonObject(below) ? change(below) : below);
  const fields = (held: JsonObject) =>
    Object.fromEntries(Object.entries(held).map(([name, below]) => [name, each(below)]));
  return {
    ...schema,
    ...(isJsonObject(properties) ? { properties: fields(properties) } : {}),
    ...(isJsonObject(items) ? { items: change(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(each) } : {}),
    ...(Array.isArray(oneOf) ? { oneOf: oneOf.map(each) } : {}),
  };
}

function withReferences(schema: JsonObject, nameOf: (schema: JsonObject) => string | undefined): JsonObject {
  return withBelow(schema, (below) => {
    const name = nameOf(below);
    return name === undefined ? withReferences(below, nameOf) : componentRef(name);
  });
}

/** Replaces the separate schemas of list items by one schema for all items. */
function plainSchema({ $schema: _, ...schema }: JsonObject): JsonObject {
  if (isListOfLinks(schema)) {
    const { description } = schema;
    return { type: 'array', items: componentRef(LINK), ...(description === undefined ? {} : { description }) };
  }
  const { prefixItems, items: __, ...list } = schema;
  if (!Array.isArray(prefixItems)) return withBelow(schema, plainSchema);
  const texts = new Map(prefixItems.filter(isJsonObject).map((item) => [canonicalJson(item), plainSchema(item)]));
  const [only, ...others] = texts.values();
  return { ...list, items: others.length === 0 && only ? only : { anyOf: [...texts.values()] } };
}

function isListOfLinks({ prefixItems, anyOf }: JsonObject): boolean {
  if (Array.isArray(anyOf)) return anyOf.every((choice) => isJsonObject(choice) && isListOfLinks(choice));
  return Array.isArray(prefixItems) && prefixItems.every(isLink);
}

function isLink(schema: Json): boolean {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) && 'rel' in properties && 'href' in properties;
}
