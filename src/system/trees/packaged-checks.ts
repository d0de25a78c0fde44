import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../core/model/json.ts';
import { SCHEMAS_FOLDER, schemaFileName } from '../../core/registry/layout.ts';
import { type QuickCheck, type QuickChecks, quickCheck } from '../../core/registry/quick-check.ts';
import { readingIfExists } from '../files/system-errors.ts';

export function packagedChecks(): QuickChecks {
  const known = new Map<string, QuickCheck | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, packagedCheck(name));
    return known.get(name);
  };
}

function packagedCheck(name: string): QuickCheck | undefined {
  const schema = packagedSchema(name);
  return schema && quickCheck(schema);
}

export function packagedSchema(name: string): JsonObject | undefined {
  const file = fileURLToPath(new URL(`../../../${SCHEMAS_FOLDER}/${schemaFileName(name)}`, import.meta.url));
  const text = readingIfExists(file, () => readFileSync(file, 'utf8'));
  return text === undefined ? undefined : JSON.parse(text);
}
