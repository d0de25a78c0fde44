import type { z } from 'zod';
import { FIELD_CLASSES } from '../../model/field-classes.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import type { SubjectForm } from '../endpoints.ts';
import { PAGE_SIZE, VERSION_PAGE_SIZE } from '../page-size.ts';
import { fitsChangesPage, fitsVersionPage } from './body-rules.ts';
import {
  collectionSchema,
  type DialectName,
  documentSchema,
  hrefSchema,
  linksSchema,
  sharedSchemas,
} from './shared-schemas.ts';

const fieldClass = lazily(() => zod().enum(FIELD_CLASSES));
const changedClasses = lazily(() => zod().array(fieldClass()).describe('The classes of the changed fields.'));
const successor = lazily(() => zod().string().optional().describe('The uid of the successor.'));

const changeSchema = lazily(() => {
  const { z, count } = sharedSchemas();
  const fieldChange = z.strictObject({
    at: z.string().describe('The field, as a JSON pointer.'),
    from: z.unknown().optional().describe('The old value; absent if the field is new.'),
    to: z.unknown().optional().describe('The new value; absent if the field was removed.'),
    order: z
      .array(count)
      .optional()
      .describe('For each remaining item of a list, in the new order: its old position among the remaining items.'),
  });
  const changed = { href: hrefSchema(), classes: changedClasses() };
  return z.discriminatedUnion('action', [
    z.strictObject({ ...changed, action: z.literal('added') }),
    z.strictObject({ ...changed, action: z.literal('removed'), successor: successor() }),
    z.strictObject({ ...changed, action: z.enum(['updated', 'replaced']), fields: z.array(fieldChange).min(1) }),
  ]);
});

const countsSchema = lazily(() => {
  const { z, count } = sharedSchemas();
  return z.strictObject({
    added: count,
    updated: count,
    removed: count,
    replaced: count,
    classes: z.partialRecord(fieldClass(), count).describe('The number of changes that affect each field class.'),
  });
});

/** The fields of all version items, in the order of the contract. */
function versionItem(subject: SubjectForm, dialect: DialectName) {
  const links = linksSchema(dialect, {
    self: 'item',
    parent: 'any',
    'version-history': 'collection',
    'latest-version': 'item',
    'predecessor-version?': 'item',
    'snapshot?': subject,
    // Both links are optional. Operators can disable TimeMaps, and a removed item has no current document.
    ...(subject === 'item' ? { 'timemap?': 'item', 'original?': 'item' } : {}),
  });
  const { z, revision, when, timestamp } = sharedSchemas();
  return z.strictObject({
    uid: revision,
    date: when,
    timestamp,
    message: z.string(),
    author: z.string(),
    type: z.literal('version'),
    older_left_out: z.literal(true).optional().describe('Present if older versions are not published.'),
    version: revision,
    links,
  });
}

export function versionSchema(subject: SubjectForm, dialect: DialectName): z.ZodType {
  const version = versionItem(subject, dialect).extend({ changes: zod().array(changeSchema()) });
  if (subject === 'collection') return version.describe('The changes of a revision to a collection.');
  return version
    .extend({ resource: sharedSchemas().identity.nullable() })
    .describe('The changes of a revision to a resource, and the resource after the revision.');
}

export function versionsSchema(subject: SubjectForm, dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, {
    self: 'collection',
    parent: 'any',
    'last?': 'collection',
    'next?': 'collection',
  });
  return summariesSchema(subject, dialect, links).describe(
    `A history, newest revision first. A history of ${2 * VERSION_PAGE_SIZE} or more versions has older pages: \`next\` links to the first of them.`,
  );
}

export function versionPageSchema(subject: SubjectForm, dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, {
    self: 'collection',
    parent: 'collection',
    first: 'collection',
    last: 'collection',
    prev: 'collection',
    'next?': 'collection',
  });
  return summariesSchema(subject, dialect, links).describe(
    'A page of a long history, newest revision first. `total` counts the versions up to the newest one on the page.',
  );
}

function summariesSchema(subject: SubjectForm, dialect: DialectName, links: z.ZodType) {
  const item = versionItem(subject, dialect).extend({ changes: countsSchema() });
  const { z, revision, count } = sharedSchemas();
  return z
    .strictObject({ total: count, offset: z.literal(0), items: z.array(item), version: revision, links })
    .refine(fitsVersionPage, 'expected all versions, or all except whole older pages');
}

/** A tombstone is a problem document (RFC 9457). */
export function tombstoneSchema(dialect: DialectName): z.ZodType {
  const { z, revision, when, timestamp } = sharedSchemas();
  const links = linksSchema(dialect, {
    'version-history': 'collection',
    'latest-version': 'item',
    'predecessor-version?': 'item',
    'successor?': 'item',
  });
  return z
    .strictObject({
      type: z.literal('about:blank'),
      title: z.literal('Gone'),
      status: z.literal(410),
      detail: z.string().describe('The same information as text.'),
      uid: z.string().describe('The uid of the removed item.'),
      removed: z.strictObject({ revision, date: when, timestamp }).describe('The revision that removed the item.'),
      successor: z.string().optional().describe('The uid of the successor of the removed item.'),
      links,
    })
    .describe('The answer for a removed item.');
}

export function timemapSchema(dialect: DialectName): z.ZodType {
  const { z, when, timestamp } = sharedSchemas();
  const links = linksSchema(dialect, {
    self: 'item',
    parent: 'collection',
    first: 'item',
    last: 'item',
    alternate: 'link-format',
    'original?': 'item',
  });
  const mementos = z.array(z.strictObject({ href: hrefSchema(), date: when, timestamp })).min(1);
  return documentSchema('timemap', { mementos }, links).describe(
    'The dates of all versions of a resource, oldest first.',
  );
}

export function changesSchema(dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, {
    self: 'collection',
    parent: 'any',
    first: 'collection',
    last: 'collection',
    alternate: ['feed', 'atom'],
    'prev?': 'collection',
    'next?': 'collection',
  });
  return collectionSchema(entrySchema(dialect), links)
    .refine(fitsChangesPage, `expected at most ${PAGE_SIZE} entries`)
    .describe(`A page of changes, newest first. A page with ${PAGE_SIZE} changes never changes again.`);
}

function entrySchema(dialect: DialectName) {
  const { z, revision, when, timestamp } = sharedSchemas();
  const versionLinks = linksSchema(dialect, { version: 'item', 'collection?': 'collection' });
  const historyLinks = linksSchema(dialect, { 'version-history': 'collection', 'collection?': 'collection' });
  const entry = {
    type: z.literal('change'),
    revision,
    date: when,
    timestamp,
    resource: hrefSchema().describe('The path of the resource. The resource may no longer exist.'),
  };
  const classes = changedClasses();
  return z.discriminatedUnion('action', [
    z.strictObject({ ...entry, action: z.enum(['added', 'updated', 'replaced']), classes, links: versionLinks }),
    z.strictObject({
      ...entry,
      action: z.literal('removed'),
      classes,
      successor: successor(),
      links: z
        .union([versionLinks, historyLinks])
        .describe(
          'The `version` link is absent if a merge removes a resource that has no version on the branch that the merge continues.',
        ),
    }),
  ]);
}

/** Source: https://jsonfeed.org, version 1.1 */
export function feedSchema(): z.ZodType {
  const { z, timestamp } = sharedSchemas();
  const reference = z
    .string()
    .regex(/^(?:https?:\/\/[^/]+)?\//, 'expected a path of the host, or an http or https URL');
  const item = z.strictObject({
    id: z.string().regex(/^urn:uuid:/),
    url: reference.describe("The version of the feed's resource."),
    title: z.string(),
    content_text: z.string(),
    date_published: timestamp,
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
    .describe('The newest changes as a JSON Feed, with one item per revision.');
}
