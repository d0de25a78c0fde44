import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { apiSchemas } from '../../core/api/schemas/document-schemas.ts';
import { revisionFileSchema } from '../../core/history/revision-file.ts';
import { lockSchema } from '../../core/lock/lock-file.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { editorSchemas, jsonSchema } from '../../core/registry/editor-schemas.ts';
import { API_FOLDER, schemaFileName } from '../../core/registry/layout.ts';
import { manifestSchema } from '../../core/tree/manifest/manifest.ts';
import { replaceFiles } from '../../system/files/replace-file.ts';

export function writeSchemas(folder: string): string[] {
  return write(folder, editorSchemas(revisionFileSchema()));
}

/** Writes only missing files, for example after an interrupted command. Keeps existing files. */
export function writeMissingSchemas(folder: string): void {
  write(folder, new Map([...editorSchemas(revisionFileSchema())].filter(([file]) => !existsSync(join(folder, file)))));
}

export function writeLockSchema(folder: string): string[] {
  return write(folder, new Map([[schemaFileName('lock'), jsonSchema(lockSchema(), 'input')]]));
}

export function writeApiSchemas(folder: string): string[] {
  const manifest = [schemaFileName('manifest'), jsonSchema(manifestSchema(), 'output')] as const;
  return write(join(folder, API_FOLDER), new Map([...apiSchemas(), manifest])).map((file) => `${API_FOLDER}/${file}`);
}

function write(folder: string, schemas: ReadonlyMap<string, JsonObject>): string[] {
  const texts = [...schemas].map(([file, schema]) => [file, `${JSON.stringify(schema, null, 2)}\n`] as const);
  replaceFiles(folder, new Map(texts));
  return [...schemas.keys()];
}
