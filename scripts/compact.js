/**
 * Makes the package small: removes white space from lib, and packs the schemas of API documents, which repeat the schemas of
 * nodes many times, into one compressed file.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { transformSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const LIB = join(ROOT, 'lib');
const API_SCHEMAS = join(ROOT, 'schemas', 'api');
const COMPILED = ['cli', 'core', 'features', 'system'];

const files = COMPILED.flatMap((folder) =>
  readdirSync(join(LIB, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
);
for (const { parentPath, name } of files) {
  const file = join(parentPath, name);
  // Names stay, for readable stack traces.
  const options = { minifyWhitespace: true, minifySyntax: true, platform: 'node', target: 'node20', format: 'esm' };
  writeFileSync(file, transformSync(readFileSync(file, 'utf8'), options).code);
}

const schemas = readdirSync(API_SCHEMAS)
  .sort()
  .map((file) => [`api/${file}`, JSON.parse(readFileSync(join(API_SCHEMAS, file), 'utf8'))]);
const text = JSON.stringify(Object.fromEntries(schemas));
const params = { [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(join(LIB, 'api-schemas.json.br'), brotliCompressSync(text, { params }));
