/** The schemas of what tells of changes: their pages, and the JSON Feed. */
import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { PAGE_SIZE } from '../page-size.ts';
import { isPage } from './body-rules.ts';
import { collectionSchema, envelopeSchemas } from './envelope-schemas.ts';
import { fieldClass } from './history-schemas.ts';
import { type DialectName, hrefSchema, linksSchema } from './link-schemas.ts';

/** The schema of a page of changes. */
export function changesSchema(dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, [
    { rel: 'self', target: 'collection' },
    { rel: 'parent', target: 'any' },
    { rel: 'first', target: 'collection' },
    { rel: 'last', target: 'collection' },
    { rel: 'alternate', target: 'feed' },
    { rel: 'alternate', target: 'atom' },
    { rel: 'prev', target: 'collection', isOptional: true },
    { rel: 'next', target: 'collection', isOptional: true },
  ]);
  return collectionSchema(entrySchema(dialect), links)
    .refine(isPage, 'a page has more entries than a full one')
    .describe(`A page of changes, the newest first. One with ${PAGE_SIZE} entries never changes again.`);
}

function entrySchema(dialect: DialectName) {
  const z = zod();
  const { revision, when, timestamp } = envelopeSchemas();
  const versionLinks = linksSchema(dialect, [
    { rel: 'version', target: 'item' },
    { rel: 'collection', target: 'collection', isOptional: true },
  ]);
  const goneLinks = linksSchema(dialect, [
    { rel: 'version-history', target: 'collection' },
    { rel: 'collection', target: 'collection', isOptional: true },
  ]);
  const entry = {
    type: z.literal('change'),
    revision,
    date: when,
    timestamp,
    resource: hrefSchema().describe('The path of the resource, which need not be there any more.'),
  };
  const classes = z.array(fieldClass()).describe('What the changed fields are about.');
  return z.discriminatedUnion('action', [
    z.strictObject({ ...entry, action: z.enum(['added', 'updated', 'replaced']), classes, links: versionLinks }),
    z.strictObject({
      ...entry,
      action: z.literal('removed'),
      classes,
      successor: z.string().optional().describe('The uid of the resource that took its place.'),
      links: z.union([versionLinks, goneLinks]).describe('No version, where a merge dropped what it never had.'),
    }),
  ]);
}

/** The schema of a feed in the format of others: jsonfeed.org, version 1.1. */
export function feedSchema(): z.ZodType {
  const z = zod();
  const reference = z.string().regex(/^(?:https:\/\/[^/]+)?\//, 'expected a path of the host, or an https URL');
  const item = z.strictObject({
    id: z.string().regex(/^urn:uuid:/),
    url: reference.describe('The version of the resource of which the feed is.'),
    title: z.string(),
    content_text: z.string(),
    date_published: envelopeSchemas().timestamp,
    authors: z.tuple([z.strictObject({ name: z.string() })]),
    tags: z.array(fieldClass()),
  });
  return z
    .strictObject({
      version: z.literal('https://jsonfeed.org/version/1.1'),
      title: z.string(),
      home_page_url: reference,
      feed_url: reference,
      items: z.array(item),
    })
    .describe('The newest changes as a JSON Feed, one item for each revision.');
}
