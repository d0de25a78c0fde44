/** `gridpress schemas`: the JSON Schemas with which editors check the sources, and those of what the API answers. */
import { join } from 'node:path';
import { API_FOLDER, apiSchemas } from '../api/schemas.ts';
import { revisionFileSchema } from '../history/revision-file.ts';
import { replaceFile } from '../io/registry-writer.ts';
import type { JsonObject } from '../model/json.ts';
import { lockSchema } from '../model/lock.ts';
import { editorSchemas, jsonSchema, schemaFileName } from '../registry/editor-schemas.ts';
import { manifestSchema } from '../site/manifest.ts';

/** Writes the schemas of the sources and returns their file names. */
export function writeSchemas(folder: string): string[] {
  return write(folder, editorSchemas(revisionFileSchema()));
}

/** Writes the schema of locks, which no one edits, and returns its file name. */
export function writeLockSchema(folder: string): string[] {
  return write(folder, new Map([[schemaFileName('lock'), jsonSchema(lockSchema(), 'input')]]));
}

/** Writes the schemas of the API's documents and of their list into a folder of their own below, and returns their file names. */
export function writeApiSchemas(folder: string): string[] {
  const manifest = [schemaFileName('manifest'), jsonSchema(manifestSchema(), 'output')] as const;
  return write(join(folder, API_FOLDER), new Map([...apiSchemas(), manifest])).map(
    (file) => `${API_FOLDER}/${file}`,
  );
}

function write(folder: string, schemas: ReadonlyMap<string, JsonObject>): string[] {
  for (const [file, schema] of schemas) replaceFile(folder, file, `${JSON.stringify(schema, null, 2)}\n`);
  return [...schemas.keys()];
}
