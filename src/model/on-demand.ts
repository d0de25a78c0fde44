/**
 * What is made or loaded when it is first asked for. zod and both YAML parsers each take about as long to load as Node.js
 * takes to start, and most runs need none of them: they are for what is wrong with the sources, or unusual.
 */
// biome-ignore lint/style/noRestrictedImports: loading a module is no input: what it exports is always the same.
import { createRequire } from 'node:module';

/** A value that is made when it is first asked for, and only once. */
export type Lazy<T> = () => T;

export function lazily<T>(make: () => T): Lazy<T> {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const require = createRequire(import.meta.url);

export const zod = lazily((): typeof import('zod').z => require('zod').z);
export const yaml = lazily((): typeof import('yaml') => require('yaml'));
export const jsYaml = lazily((): typeof import('js-yaml') => require('js-yaml'));
