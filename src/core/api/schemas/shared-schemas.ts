/** The schemas that all documents share: revisions, times, collections and links. */

import type { z } from 'zod';
import type { Configuration } from '../../model/configuration.ts';
import { assertDefined } from '../../platform/lookups.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { COLLECTION_NAME } from '../collection-names.ts';
import { vendorMediaType } from '../dialect.ts';
import type { Form } from '../endpoints.ts';
import { isRaw, RAW_FORMS, type RawForm } from '../raw-forms.ts';
import { hasMatchingTotal } from './body-rules.ts';

export type DialectName = Configuration['dialect'];

const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

export const sharedSchemas = lazily(() => {
  const z = zod();
  const revision = z
    .string()
    .regex(/^[0-9a-f]{40}$/, 'expected 40 hexadecimal digits')
    .describe('A revision of the registry.');
  const when = z.string().regex(HTTP_DATE, 'expected an HTTP date').describe('The date in HTTP format.');
  const timestamp = z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'expected ISO 8601 in UTC')
    .describe('The date in ISO 8601, in UTC.');
  const epoch = z
    .string()
    .regex(/^[0-9]+$/, 'expected seconds since 1970')
    .describe('Seconds since 1970.');
  const count = z.int().nonnegative();
  /** All resources of all revisions have these fields. */
  const identity = z.looseObject({ type: z.string(), uid: z.string() });
  return { z, revision, when, timestamp, epoch, count, identity };
});

export function documentSchema<Fields extends z.ZodRawShape>(type: string, fields: Fields, links: z.ZodType) {
  const { z, revision } = sharedSchemas();
  return z.strictObject({ type: z.literal(type), uid: z.literal(type), ...fields, version: revision, links });
}

export function collectionSchema<T extends z.ZodType>(item: T, links: z.ZodType) {
  const { z, revision, count } = sharedSchemas();
  return z
    .strictObject({ total: count, offset: z.literal(0), items: z.array(item), version: revision, links })
    .refine(hasMatchingTotal, 'total is not the number of items');
}

type Target = Form | RawForm | 'any';

/** Maps each link relation to the form of the link's target, in document order. A final `?` marks an optional link. */
export type LinkTargets = Readonly<Record<string, Target | readonly Target[]>>;

/** URL paths contain only unreserved characters (RFC 3986): uids need no escaping. */
export const hrefSchema = lazily(() =>
  zod()
    .string()
    .regex(/^\/(?:[A-Za-z0-9_.~-]+(?:\/[A-Za-z0-9_.~-]+)*)?$/, 'expected a path of the API')
    .describe('A path of the API.'),
);
const VENDOR = '[a-z0-9][a-z0-9.-]*';

/** Accepts exactly the links in `targets`, in this order, then any number of links that match `others`. */
export function linksSchema(dialect: DialectName, targets: LinkTargets, others?: z.ZodType): z.ZodType {
  const z = zod();
  let choices: z.ZodType[][] = [[]];
  for (const [key, forms] of Object.entries(targets)) {
    const rel = z.literal(key.replace(/\?$/, ''));
    for (const form of [forms].flat()) {
      const longer = choices.map((links) => [...links, linkSchema(dialect, rel, form)]);
      choices = key.endsWith('?') ? [...choices, ...longer] : longer;
    }
  }
  const tuples = choices.map(([first, ...rest]) => {
    const links = z.tuple([assertDefined(first), ...rest]);
    return others ? links.rest(others) : links;
  });
  const [only] = tuples;
  return only && tuples.length === 1 ? only : z.union(tuples);
}

/** Accepts a link to a named collection, or to a collection of a declared kind. */
export function collectionLinkSchema(dialect: DialectName, names: readonly string[]): z.ZodType {
  const pattern = new RegExp([...names.map((name) => `^${name}$`), COLLECTION_NAME.source].join('|'));
  const rel = zod().string().regex(pattern, 'expected the name of a collection');
  return linkSchema(dialect, rel, 'collection');
}

export function linkSchema(dialect: DialectName, rel: z.ZodType, target: Target): z.ZodType {
  const z = zod();
  const link = z.strictObject({ rel, href: hrefSchema() });
  if (dialect === 'current') return link;
  if (target !== 'any' && isRaw(target)) return link.extend({ type: z.literal(RAW_FORMS[target].mediaType) });
  const message = `expected the media type of ${TARGET_NAMES[target]}`;
  return link.extend({ type: z.string().regex(mediaTypes(target), message) });
}

const TARGET_NAMES: Readonly<Record<Form | 'any', string>> = {
  any: 'an item or a collection',
  item: 'an item',
  collection: 'a collection',
  feed: 'a feed',
};

function mediaTypes(target: Form | 'any'): RegExp {
  const forms = target === 'any' ? (['item', 'collection'] as const) : [target];
  const pattern = (form: Form) => vendorMediaType('VENDOR', form).replaceAll(/[.+]/g, '\\$&').replace('VENDOR', VENDOR);
  return new RegExp(`^(${forms.map(pattern).join('|')})$`);
}
