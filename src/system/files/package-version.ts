/** The version of this program, and where its documentation lies. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

export const VERSION = version;

/** The folder of the pages in Markdown. */
export const DOCUMENTATION = fileURLToPath(new URL('../../../docs/', import.meta.url));
