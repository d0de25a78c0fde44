import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { isJsonObject, type JsonObject } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { API_FOLDER, SCHEMAS_FOLDER, schemaFileName } from '../../core/registry/layout.ts';
import { type QuickCheck, type QuickChecks, quickCheck } from '../../core/registry/quick-check.ts';
import { readingIfExists } from '../files/system-errors.ts';

const known = new Map<string, QuickCheck | undefined>();

/** Returns the check of a packaged schema. Compiles each schema once, because `dev` checks every file with it. */
export const packagedChecks: QuickChecks = (name) => {
  if (!known.has(name)) known.set(name, packagedCheck(name));
  return known.get(name);
};

function packagedCheck(name: string): QuickCheck | undefined {
  const schema = packagedSchema(name);
  return schema && quickCheck(schema);
}

export function packagedSchema(name: string): JsonObject | undefined {
  const file = fileURLToPath(new URL(`../../../${SCHEMAS_FOLDER}/${schemaFileName(name)}`, import.meta.url));
  const text = readingIfExists(file, () => readFileSync(file, 'utf8'));
  if (text !== undefined) return JSON.parse(text);
  const packed: unknown = name.startsWith(`${API_FOLDER}/`) ? apiSchemas()[schemaFileName(name)] : undefined;
  return isJsonObject(packed) ? packed : undefined;
}

/** The published package has the schemas of API documents in one file, which `scripts/compact.js` writes. */
const apiSchemas = lazily((): JsonObject => {
  const file = fileURLToPath(new URL('../../api-schemas.json.br', import.meta.url));
  const bytes = readingIfExists(file, () => readFileSync(file));
  return bytes ? JSON.parse(brotliDecompressSync(bytes).toString('utf8')) : {};
});
