/** The schemas of exports and API descriptions. They check the formats of other standards only partly. */

import type { z } from 'zod';
import { CONFORMANCE_CLASSES } from '../../query/conformance.ts';
import { CATALOG_LINK, DEEP_LINK, EXPORTS_LINK, LINK_LIST } from '../description/link-list.ts';
import { type DialectName, documentSchema, hrefSchema, linksSchema, sharedSchemas } from './shared-schemas.ts';

export function linkListSchema(dialect: DialectName): z.ZodType {
  const { timestamp } = sharedSchemas();
  const links = linksSchema(dialect, {
    self: 'item',
    parent: 'item',
    ...Object.fromEntries(LINK_LIST.map(({ rel, form }) => [rel, form])),
    ...Object.fromEntries([DEEP_LINK, EXPORTS_LINK, CATALOG_LINK].map(({ rel, form }) => [`${rel}?`, form])),
  });
  const since = timestamp
    .optional()
    .describe('The history start: older revisions are not published. Absent if the whole history is published.');
  return documentSchema('links', { history_since: since }, links).describe(
    'Links to all documents to which the root has no link.',
  );
}

export function conformanceSchema(dialect: DialectName): z.ZodType {
  const { z } = sharedSchemas();
  const conformsTo = z
    .array(z.string())
    .describe('The URIs of conformance classes of CQL2 (OGC 21-065).')
    .meta({ examples: [CONFORMANCE_CLASSES] });
  return documentSchema('conformance', { conformsTo }, linksSchema(dialect, { self: 'item', parent: 'item' })).describe(
    'The conformance classes of the queries.',
  );
}

export function openapiSchema(): z.ZodType {
  const { z } = sharedSchemas();
  return z
    .looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) })
    .describe('An OpenAPI document.');
}

export function jsonSchemaSchema(): z.ZodType {
  const { z } = sharedSchemas();
  return z.looseObject({ $schema: z.string() }).describe('A JSON Schema.');
}

/** Source: https://specs.frictionlessdata.io, version 1.0 */
export function dataPackageSchema(dialect: DialectName): z.ZodType {
  const { z, timestamp } = sharedSchemas();
  const field = z.strictObject({
    name: z.string(),
    type: z.enum(['any', 'array', 'boolean', 'datetime', 'integer', 'number', 'string']),
    description: z.string().optional(),
    unit: z.string().optional().describe('The unit of the numbers.'),
    class: z.string().optional().describe('The class of the field.'),
  });
  const schema = z.strictObject({
    fields: z.array(field),
    missingValues: z.tuple([z.literal('')]),
    primaryKey: z.array(z.string()).optional(),
  });
  const resource = z.strictObject({
    profile: z.enum(['tabular-data-resource', 'data-resource']),
    name: z.string(),
    description: z.string(),
    path: z.string().describe('The path relative to this document.'),
    format: z.string(),
    mediatype: z.string(),
    encoding: z.literal('utf-8'),
    schema: schema.optional(),
  });
  const link = { rel: z.enum(['self', 'parent', 'item']), href: hrefSchema() };
  const fields = {
    profile: z.literal('data-package'),
    name: z.string(),
    title: z.string(),
    created: timestamp,
    resources: z.array(resource),
  };
  const links = z.array(z.strictObject(dialect === 'current' ? link : { ...link, type: z.string() }));
  return documentSchema('exports', fields, links).describe(
    'The exports for spreadsheets, databases and data frames, as a data package.',
  );
}

/** Source: https://prometheus.io, HTTP service discovery */
export function targetsSchema(): z.ZodType {
  const { z } = sharedSchemas();
  const labels = z.record(z.string().regex(/^__meta_gridpress_[a-z_]+$/), z.string());
  return z
    .array(z.strictObject({ targets: z.tuple([z.string()]), labels }))
    .describe('One target without a port per node, with labels that describe the node.');
}
