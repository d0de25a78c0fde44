/**
 * Libraries that are loaded when they are first asked for. zod and both YAML parsers each take about as long to load as
 * Node.js takes to start, and most runs need none of them: they are for what is wrong with the sources, or unusual.
 * In a browser `modules.browser.ts` stands in for this module.
 */
import { createRequire } from 'node:module';
import { lazily } from './on-demand.ts';

const require = createRequire(import.meta.url);

export const zod = lazily((): typeof import('zod').z => require('zod').z);
export const yaml = lazily((): typeof import('yaml') => require('yaml'));
export const jsYaml = lazily((): typeof import('js-yaml') => require('js-yaml'));
