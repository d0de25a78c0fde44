/** `gridpress schemas`: the JSON Schemas with which editors check the sources. */
import { mkdirSync } from 'node:fs';
import { revisionFileSchema } from '../history/revision-file.ts';
import { replaceFile } from '../io/registry-writer.ts';
import { editorSchemas } from '../registry/editor-schemas.ts';

/** Writes the schemas and returns their file names. */
export function writeSchemas(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const schemas = editorSchemas(revisionFileSchema);
  for (const [file, schema] of schemas) replaceFile(folder, file, `${JSON.stringify(schema, null, 2)}\n`);
  return [...schemas.keys()];
}
