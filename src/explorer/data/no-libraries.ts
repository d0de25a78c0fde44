/**
 * In the page's scripts this stands in for `core/platform/modules.ts` and `core/model/schemas.ts`: libraries and schemas check
 * and explain sources, which a page never reads. What asks for one of them all the same is a bug.
 */

const missing = (): never => {
  throw new Error('the page has no libraries for sources');
};

export const zod = missing;
export const yaml = missing;
export const jsYaml = missing;
export const resourceSchemas = missing;
export const declaredSchema = missing;
