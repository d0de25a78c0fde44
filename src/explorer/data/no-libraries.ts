/**
 * In the bundle, this file replaces `modules.ts` and `schemas.ts`, because the explorer does not check registry files.
 */

const missing = (): never => {
  throw new Error('the page has no libraries for registry files');
};

export const zod = missing;
export const yaml = missing;
export const jsYaml = missing;
export const resourceSchemas = missing;
export const declaredSchema = missing;
