/** The schemas of what tells of the past: versions, histories, TimeMaps. */

import type { z } from 'zod';
import { FIELD_CLASSES } from '../../model/field-classes.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import type { SubjectForm } from '../endpoints.ts';
import { PAGE_SIZE, VERSION_PAGE_SIZE } from '../page-size.ts';
import { isPage, isVersionPage } from './body-rules.ts';
import {
  collectionSchema,
  type DialectName,
  envelopeSchemas,
  hrefSchema,
  type LinkRow,
  linksSchema,
} from './shared-schemas.ts';

/** What fields are about. */
const fieldClass = lazily(() => zod().enum(FIELD_CLASSES));

const changeSchema = lazily(() => {
  const z = zod();
  const fieldChange = z.strictObject({
    at: z.string().describe('The field, as a JSON pointer.'),
    from: z.unknown().optional().describe('What was there; absent when nothing was.'),
    to: z.unknown().optional().describe('What is there now; absent when nothing is.'),
    order: z
      .array(envelopeSchemas().count)
      .optional()
      .describe('For each item that stays, as they stand now: its former place among the items that stay.'),
  });
  const changed = { href: hrefSchema(), classes: z.array(fieldClass()).describe('What the changed fields are about.') };
  return z.discriminatedUnion('action', [
    z.strictObject({ ...changed, action: z.literal('added') }),
    z.strictObject({
      ...changed,
      action: z.literal('removed'),
      successor: z.string().optional().describe('The uid of the resource that took its place.'),
    }),
    z.strictObject({ ...changed, action: z.enum(['updated', 'replaced']), fields: z.array(fieldChange).min(1) }),
  ]);
});

const countsSchema = lazily(() => {
  const z = zod();
  const { count } = envelopeSchemas();
  return z.strictObject({
    added: count,
    updated: count,
    removed: count,
    replaced: count,
    classes: z.partialRecord(fieldClass(), count).describe('How many of them changed fields of each class.'),
  });
});

/** Only items have TimeMaps, where there are any, and only those that live still have an original. */
const PAST_OF_ITEMS: readonly LinkRow[] = [
  { rel: 'timemap', target: 'item', isOptional: true },
  { rel: 'original', target: 'item', isOptional: true },
];

/** What all version items have. Their keys stand in the order of the contract. */
function versionItem(subject: SubjectForm, dialect: DialectName) {
  const links = linksSchema(dialect, [
    { rel: 'self', target: 'item' },
    { rel: 'parent', target: 'any' },
    { rel: 'version-history', target: 'collection' },
    { rel: 'latest-version', target: 'item' },
    { rel: 'predecessor-version', target: 'item', isOptional: true },
    { rel: 'snapshot', target: subject, isOptional: true },
    ...(subject === 'item' ? PAST_OF_ITEMS : []),
  ]);
  const z = zod();
  const { revision, when, timestamp } = envelopeSchemas();
  return z.strictObject({
    uid: revision,
    date: when,
    timestamp,
    message: z.string(),
    author: z.string(),
    type: z.literal('version'),
    older_left_out: z
      .literal(true)
      .optional()
      .describe('There were versions before it, which are older than the history that is published.'),
    version: revision,
    links,
  });
}

/** The schema of one version. */
export function versionSchema(subject: SubjectForm, dialect: DialectName): z.ZodType {
  const version = versionItem(subject, dialect).extend({ changes: zod().array(changeSchema()) });
  const described = `What a revision did to ${subject === 'item' ? 'a resource' : 'a collection'}.`;
  return (subject === 'item' ? version.extend({ resource: envelopeSchemas().identity.nullable() }) : version).describe(
    described,
  );
}

/** The schema of a history. */
export function versionsSchema(subject: SubjectForm, dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, [
    { rel: 'self', target: 'collection' },
    { rel: 'parent', target: 'any' },
    { rel: 'last', target: 'collection', isOptional: true },
    { rel: 'next', target: 'collection', isOptional: true },
  ]);
  return summariesSchema(subject, dialect, links).describe(
    `A history, the newest revision first. From ${2 * VERSION_PAGE_SIZE} versions on, older ones are in pages, to which \`next\` leads.`,
  );
}

/** The schema of an older page of a history. */
export function versionPageSchema(subject: SubjectForm, dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, [
    { rel: 'self', target: 'collection' },
    { rel: 'parent', target: 'collection' },
    { rel: 'first', target: 'collection' },
    { rel: 'last', target: 'collection' },
    { rel: 'prev', target: 'collection' },
    { rel: 'next', target: 'collection', isOptional: true },
  ]);
  return summariesSchema(subject, dialect, links).describe(
    'A page of a long history, the newest revision first: `total` counts the versions up to its newest.',
  );
}

function summariesSchema(subject: SubjectForm, dialect: DialectName, links: z.ZodType) {
  const item = versionItem(subject, dialect).extend({ changes: countsSchema() });
  const { revision, count } = envelopeSchemas();
  const z = zod();
  return z
    .strictObject({ total: count, offset: z.literal(0), items: z.array(item), version: revision, links })
    .refine(isVersionPage, 'there are neither all versions nor as many as a page has');
}

/** The schema of the 410 document of a removed item: a problem document (RFC 9457) with links to its history. */
export function tombstoneSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { revision, when, timestamp } = envelopeSchemas();
  const links = linksSchema(dialect, [
    { rel: 'version-history', target: 'collection' },
    { rel: 'latest-version', target: 'item' },
    { rel: 'predecessor-version', target: 'item', isOptional: true },
    { rel: 'successor', target: 'item', isOptional: true },
  ]);
  return z
    .strictObject({
      type: z.literal('about:blank'),
      title: z.literal('Gone'),
      status: z.literal(410),
      detail: z.string().describe('The same information as text.'),
      uid: z.string().describe('The uid of the removed item.'),
      removed: z.strictObject({ revision, date: when, timestamp }).describe('The revision that removed it.'),
      successor: z.string().optional().describe('The uid of the item that replaced it.'),
      links,
    })
    .describe('The answer for a removed item.');
}

/** The schema of a TimeMap. */
export function timemapSchema(dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, [
    { rel: 'self', target: 'item' },
    { rel: 'parent', target: 'collection' },
    { rel: 'first', target: 'item' },
    { rel: 'last', target: 'item' },
    { rel: 'alternate', target: 'link-format' },
    { rel: 'original', target: 'item', isOptional: true },
  ]);
  const z = zod();
  const { revision, when, timestamp } = envelopeSchemas();
  const memento = z.strictObject({ href: hrefSchema(), date: when, timestamp });
  return z
    .strictObject({
      type: z.literal('timemap'),
      uid: z.literal('timemap'),
      mementos: z.array(memento).min(1),
      version: revision,
      links,
    })
    .describe('When each version of a resource was, the oldest first.');
}

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
