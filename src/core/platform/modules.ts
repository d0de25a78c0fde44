/**
 * Loads modules when they are needed. Loading zod or a YAML parser takes about as long as starting Node.js. Browsers
 * use `modules.browser.ts`.
 */
import { createRequire } from 'node:module';
import { lazily } from './on-demand.ts';

const require = createRequire(import.meta.url);

export const zod = lazily((): typeof import('zod').z => require('zod').z);
export const yaml = lazily((): typeof import('yaml') => require('yaml'));
export const jsYaml = lazily((): typeof import('js-yaml') => require('js-yaml'));
