/** The schemas of what describes the API. Formats of others are asked for what they cannot be without. */
import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { CATALOG_LINK, DEEP_LINK, EXPORTS_LINK, LINK_LIST } from '../description/link-list-rows.ts';
import { envelopeSchemas } from './envelope-schemas.ts';
import { type DialectName, linksSchema } from './link-schemas.ts';

/** The schema of the list of where everything is. */
export function linkListSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const rows = LINK_LIST.map(({ rel, form }) => ({ rel, target: form }));
  const links = linksSchema(dialect, [
    { rel: 'self', target: 'item' },
    { rel: 'parent', target: 'item' },
    ...rows,
    ...[DEEP_LINK, EXPORTS_LINK, CATALOG_LINK].map(({ rel, form }) => ({ rel, target: form, isOptional: true })),
  ]);
  return z
    .strictObject({
      type: z.literal('links'),
      uid: z.literal('links'),
      history_since: envelopeSchemas()
        .timestamp.optional()
        .describe('From when on the history is published, where not all of it is.'),
      version: envelopeSchemas().revision,
      links,
    })
    .describe('Where everything is that no link of the root leads to.');
}

export function openapiSchema(): z.ZodType {
  const z = zod();
  return z
    .looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) })
    .describe('An OpenAPI document.');
}

export function jsonSchemaSchema(): z.ZodType {
  const z = zod();
  return z.looseObject({ $schema: z.string() }).describe('A JSON Schema.');
}
