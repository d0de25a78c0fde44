/** JSON Schemas for editors, from the same definitions that the checks use, and the comment that points to them. */
import type { z } from 'zod';
import { configurationSchema } from '../model/configuration.ts';
import { type FieldRule, fieldRules } from '../model/field-classes.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import { KINDS } from '../model/kinds.ts';
import { zod } from '../platform/modules.ts';

export const SCHEMAS_FOLDER = 'schemas';

/** The schemas of all files that people write, by file name. */
export function editorSchemas(revisionFile: z.ZodType): ReadonlyMap<string, JsonObject> {
  const kinds = KINDS.map(
    ({ name, schema }) => [name, withClasses(jsonSchema(schema(), 'input'), fieldRules(name))] as const,
  );
  const schemas = new Map([
    ['gridpress', jsonSchema(configurationSchema(), 'input')],
    ...kinds,
    ['revision', jsonSchema(revisionFile, 'input')],
  ]);
  return new Map([...schemas].map(([name, schema]) => [schemaFileName(name), schema]));
}

/** How a JSON Schema says which class a field belongs to, and by which fields the items of an array are told apart. */
export const CLASS_KEYWORD = 'x-class';
export const KEYS_KEYWORD = 'x-keys';

function withClasses(schema: JsonObject, rule: FieldRule): JsonObject {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(isJsonObject(properties) ? { properties: classedProperties(properties, rule) } : {}),
    ...(isJsonObject(items) ? { items: withClasses(items, rule.below('0')) } : {}),
    ...(Array.isArray(anyOf)
      ? { anyOf: anyOf.map((each) => (isJsonObject(each) ? withClasses(each, rule) : each)) }
      : {}),
  };
}

function classedProperties(properties: JsonObject, rule: FieldRule): JsonObject {
  const classed = Object.entries(properties).map(([name, schema]) => {
    const field = rule.below(name);
    const said = {
      [CLASS_KEYWORD]: field.class,
      ...(field.keys.length > 0 ? { [KEYS_KEYWORD]: field.keys } : {}),
    };
    return [name, isJsonObject(schema) ? { ...withClasses(schema, field), ...said } : schema];
  });
  return Object.fromEntries(classed);
}

export function schemaFileName(name: string): string {
  return `${name}.schema.json`;
}

/** The JSON Schema of what a schema reads, or of what it gives. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const generated: unknown = zod().toJSONSchema(schema, { io, unrepresentable: 'any' });
  return isJsonObject(generated) ? generated : {};
}

/** The first line of a file that makes an editor check it. `folder` is the way from the file to the schemas. */
export function modeline(folder: string, name: string): string {
  return `# yaml-language-server: $schema=${folder}/${schemaFileName(name)}\n`;
}
