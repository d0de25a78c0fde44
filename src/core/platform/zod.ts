/**
 * Imports only the parts of zod that gridpress needs, so that the build bundles only these parts. This halves the size
 * of zod, and the time to load it.
 */
export {
  array,
  boolean,
  discriminatedUnion,
  enum,
  int,
  literal,
  looseObject,
  never,
  null,
  number,
  partialRecord,
  prettifyError,
  record,
  strictObject,
  string,
  toJSONSchema,
  tuple,
  union,
  unknown,
} from 'zod';
