/** JSON Schemas for editors, from the same definitions that the checks use, and the comment that points to them. */
import type { z } from 'zod';
import { configurationSchema } from '../model/configuration.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import { KINDS } from '../model/kinds.ts';
import { zod } from '../model/on-demand.ts';

export const SCHEMAS_FOLDER = 'schemas';

/** The schemas of all files that people write, by file name. */
export function editorSchemas(revisionFile: z.ZodType): ReadonlyMap<string, JsonObject> {
  const schemas = new Map<string, z.ZodType>([
    ['gridpress', configurationSchema()],
    ...KINDS.map(({ name, schema }) => [name, schema()] as const),
    ['revision', revisionFile],
  ]);
  return new Map([...schemas].map(([name, schema]) => [schemaFileName(name), jsonSchema(schema, 'input')]));
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
