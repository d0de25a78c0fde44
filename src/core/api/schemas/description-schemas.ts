/** The schemas of what describes the API. Formats of others are asked for what they cannot be without. */

import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { CATALOG_LINK, DEEP_LINK, EXPORTS_LINK, LINK_LIST } from '../description/link-list.ts';
import { type DialectName, envelopeSchemas, hrefSchema, linksSchema } from './shared-schemas.ts';

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

/** The schema of the data package: specs.frictionlessdata.io, version 1.0. */
export function dataPackageSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { revision, timestamp } = envelopeSchemas();
  const field = z.strictObject({
    name: z.string(),
    type: z.enum(['any', 'array', 'boolean', 'datetime', 'integer', 'number', 'string']),
    description: z.string().optional(),
    unit: z.string().optional().describe('The unit of its numbers.'),
    class: z.string().optional().describe('What the field is about.'),
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
    path: z.string().describe('As seen from this document.'),
    format: z.string(),
    mediatype: z.string(),
    encoding: z.literal('utf-8'),
    schema: schema.optional(),
  });
  return z
    .strictObject({
      type: z.literal('exports'),
      uid: z.literal('exports'),
      profile: z.literal('data-package'),
      name: z.string(),
      title: z.string(),
      created: timestamp,
      resources: z.array(resource),
      version: revision,
      links: exportLinks(dialect),
    })
    .describe('What there is for spreadsheets, databases and data frames, as a data package.');
}

function exportLinks(dialect: DialectName): z.ZodType {
  const z = zod();
  const link = { rel: z.enum(['self', 'parent', 'item']), href: hrefSchema() };
  return z.array(dialect === 'current' ? z.strictObject(link) : z.strictObject({ ...link, type: z.string() }));
}

/** The schema of targets: prometheus.io, HTTP service discovery. */
export function targetsSchema(): z.ZodType {
  const z = zod();
  const labels = z.record(z.string().regex(/^__meta_gridpress_[a-z_]+$/), z.string());
  return z
    .array(z.strictObject({ targets: z.tuple([z.string()]), labels }))
    .describe('A target without a port for each node, with what is known of it in labels.');
}
