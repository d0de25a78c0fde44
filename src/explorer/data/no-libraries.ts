/**
 * Replaces `core/platform/modules.ts` and `core/model/schemas.ts` in the page, because the page never checks registry
 * files.
 */

const missing = (): never => {
  throw new Error('the page has no libraries for registry files');
};

export const zod = missing;
export const yaml = missing;
export const jsYaml = missing;
export const resourceSchemas = missing;
export const declaredSchema = missing;
