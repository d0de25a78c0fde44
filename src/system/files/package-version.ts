import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

export const VERSION = version;

export const DOCUMENTATION = fileURLToPath(new URL('../../../docs/', import.meta.url));
