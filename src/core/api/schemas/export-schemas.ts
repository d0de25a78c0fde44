/** The schemas of what others' programs read, where it is JSON: the data package, and targets of Prometheus. */
import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { envelopeSchemas } from './envelope-schemas.ts';
import { type DialectName, hrefSchema } from './link-schemas.ts';

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
