/** Derives JSON Schemas for editors. A comment in each registry file refers editors to its schema. */
import type { z } from 'zod';
import { configurationSchema } from '../model/configuration.ts';
import { type ClassedKind, type FieldRule, fieldRules } from '../model/field-classes.ts';
import { describedBelow, describedField } from '../model/fields/field-descriptions.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { KINDS } from '../model/kinds.ts';
import { zod } from '../platform/modules.ts';
import { FIELD_KEYWORDS, schemaFileName } from './layout.ts';

export function editorSchemas(revisionFile: z.ZodType): ReadonlyMap<string, JsonObject> {
  const kinds = KINDS.all.map((kind) => [kind.name, withFieldNotes(jsonSchema(kind.schema(), 'input'), kind)] as const);
  const schemas = new Map([
    ['gridpress', jsonSchema(configurationSchema(), 'input')],
    ...kinds,
    ['revision', jsonSchema(revisionFile, 'input')],
  ]);
  return new Map([...schemas].map(([name, schema]) => [schemaFileName(name), schema]));
}

/** Adds field classes and descriptions to a schema. Skips the fields that the API itself adds (`others`). */
export function withFieldNotes(schema: JsonObject, kind: ClassedKind, others: readonly string[] = []): JsonObject {
  const { properties } = schema;
  const noted = notedBelow(schema, { kind, path: [], rule: fieldRules(kind) });
  if (!isJsonObject(noted['properties']) || !isJsonObject(properties)) return noted;
  const unchanged = Object.entries(properties).filter(([name]) => others.includes(name));
  return { ...noted, properties: { ...noted['properties'], ...Object.fromEntries(unchanged) } };
}

interface NotedField {
  readonly kind: ClassedKind;
  readonly path: readonly string[];
  readonly rule: FieldRule;
}

function notedBelow(schema: JsonObject, field: NotedField): JsonObject {
  const { properties, items, anyOf } = schema;
  const below = (each: Json) => (isJsonObject(each) ? notedBelow(each, field) : each);
  const item = { ...field, rule: field.rule.below('0') };
  return {
    ...schema,
    ...(isJsonObject(properties) ? { properties: notedProperties(properties, field) } : {}),
    ...(isJsonObject(items) ? { items: notedBelow(items, item) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(below) } : {}),
  };
}

/** Adds fields to the schema if only the data dictionary describes them. */
function notedProperties(properties: JsonObject, above: NotedField): JsonObject {
  const described = describedBelow(above.kind.name, above.path)
    .filter((name) => above.rule.below(name).class !== 'unknown')
    .map((name) => [name, {}]);
  const all: JsonObject = { ...properties, ...Object.fromEntries(described), ...properties };
  const noted = Object.entries(all).map(([name, schema]) => {
    const field = { ...above, path: [...above.path, name], rule: above.rule.below(name) };
    return [name, isJsonObject(schema) ? { ...notedBelow(schema, field), ...notesOf(field) } : schema];
  });
  return Object.fromEntries(noted);
}

function notesOf({ kind, path, rule }: NotedField): JsonObject {
  const { text, unit, source } = describedField(kind.name, path) ?? {};
  return {
    ...(text === undefined ? {} : { description: text }),
    [FIELD_KEYWORDS.class]: rule.class,
    ...(rule.keys.length > 0 ? { [FIELD_KEYWORDS.keys]: rule.keys } : {}),
    ...(unit === undefined ? {} : { [FIELD_KEYWORDS.unit]: unit }),
    ...(source === undefined ? {} : { [FIELD_KEYWORDS.source]: source }),
  };
}

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const generated: unknown = zod().toJSONSchema(schema, { io, unrepresentable: 'any' });
  return isJsonObject(generated) ? generated : {};
}

export function modeline(folder: string, name: string): string {
  return `# yaml-language-server: $schema=${folder}/${schemaFileName(name)}\n`;
}
