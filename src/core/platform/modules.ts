/** Loads modules on demand, because loading zod or a YAML parser takes about as long as starting Node.js. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { lazily } from './on-demand.ts';

const require = createRequire(import.meta.url);

/** The build bundles zod, because the installed package of zod is larger than all other dependencies together. */
const BUNDLED_ZOD = join(import.meta.dirname, '..', '..', 'vendor', 'zod.cjs');

export const zod = lazily((): typeof import('./zod.ts') => require(existsSync(BUNDLED_ZOD) ? BUNDLED_ZOD : 'zod'));
export const yaml = lazily((): typeof import('yaml') => require('yaml'));
export const jsYaml = lazily((): typeof import('js-yaml') => require('js-yaml'));
