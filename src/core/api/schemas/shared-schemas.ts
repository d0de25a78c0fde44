/** The schemas of what documents of all kinds have: revisions, times, the envelope of collections. */

import type { z } from 'zod';
import type { Configuration } from '../../model/configuration.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { COLLECTION_NAME } from '../collection-names.ts';
import { vendorMediaType } from '../dialect.ts';
import type { Form } from '../endpoints.ts';
import { isRaw, RAW_FORMS, type RawForm } from '../raw-forms.ts';
import { isCounted } from './body-rules.ts';

const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** What is made of zod, when it is first asked for. */
export const envelopeSchemas = lazily(() => {
  const z = zod();
  /** 40 hexadecimal digits. */
  const revision = z
    .string()
    .regex(/^[0-9a-f]{40}$/, 'expected 40 hexadecimal digits')
    .describe('A revision of the registry.');
  /** The two forms of a revision's time. */
  const when = z.string().regex(HTTP_DATE, 'expected an HTTP date').describe('When, as HTTP writes dates.');
  const timestamp = z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'expected ISO 8601 in UTC')
    .describe('When, as ISO 8601 in UTC.');
  /** Whole seconds, as the root has them. */
  const epoch = z
    .string()
    .regex(/^[0-9]+$/, 'expected seconds since 1970')
    .describe('Seconds since 1970.');
  const count = z.int().nonnegative();
  /** What every resource has, whatever its kind and the rules of its time. */
  const identity = z.looseObject({ type: z.string(), uid: z.string() });
  return { revision, when, timestamp, epoch, count, identity };
});

/** All members are in one response. */
export function collectionSchema<T extends z.ZodType>(item: T, links: z.ZodType) {
  const { revision, count } = envelopeSchemas();
  return zod()
    .strictObject({ total: count, offset: zod().literal(0), items: zod().array(item), version: revision, links })
    .refine(isCounted, 'total is not the number of items');
}

/** The schemas of `links`: which relations, in which order, and what a link looks like in each dialect. */
export type DialectName = Configuration['dialect'];

/** A relation and what its target is. */
export interface LinkRow {
  readonly rel: string;
  readonly target: Form | RawForm | 'any';
  readonly isOptional?: boolean;
}

export type LinkRows = readonly [LinkRow, ...LinkRow[]];

/** Segments of unreserved characters (RFC 3986), since no uid needs escaping. */
export const hrefSchema = lazily(() =>
  zod()
    .string()
    .regex(/^\/(?:[A-Za-z0-9_.~-]+(?:\/[A-Za-z0-9_.~-]+)*)?$/, 'expected a path of the API')
    .describe('A path of the API.'),
);
const VENDOR = '[a-z0-9][a-z0-9.-]*';

/** Exactly these links, in this order; behind them any number of `others`, where there can be some. */
export function linksSchema(dialect: DialectName, [first, ...rest]: LinkRows, others?: z.ZodType): z.ZodType {
  const z = zod();
  let choices: LinkRow[][] = [[]];
  for (const row of rest) {
    const taken = choices.map((rows) => [...rows, row]);
    choices = row.isOptional === true ? [...choices, ...taken] : taken;
  }
  const tuples = choices.map((rows) => {
    const links = z.tuple([linkSchema(dialect, first), ...rows.map((row) => linkSchema(dialect, row))]);
    return others ? links.rest(others) : links;
  });
  const [only] = tuples;
  return only && tuples.length === 1 ? only : z.union(tuples);
}

/** A link to a collection of one of some names, or of a kind that only the registry knows. */
export function collectionLinkSchema(dialect: DialectName, names: readonly string[]): z.ZodType {
  const pattern = new RegExp([...names.map((name) => `^${name}$`), COLLECTION_NAME.source].join('|'));
  const rel = zod().string().regex(pattern, 'expected the name of a collection');
  return linkOf(dialect, rel, 'collection');
}

function linkSchema(dialect: DialectName, { rel, target }: LinkRow): z.ZodType {
  return linkOf(dialect, zod().literal(rel), target);
}

/** A link to a target of some form, whose relation a schema says. */
export function linkOf(dialect: DialectName, rel: z.ZodType, target: LinkRow['target']): z.ZodType {
  const z = zod();
  const link = z.strictObject({ rel, href: hrefSchema() });
  if (dialect === 'current') return link;
  if (target !== 'any' && isRaw(target)) return link.extend({ type: z.literal(RAW_FORMS[target].mediaType) });
  const message = `expected the media type of ${TARGETS[target]}`;
  return link.extend({ type: z.string().regex(mediaTypes(target), message) });
}

const TARGETS: Readonly<Record<Form | 'any', string>> = {
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
