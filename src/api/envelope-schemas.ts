/** The schemas of what documents of all kinds have: revisions, times, the envelope of collections. */
import { z } from 'zod';

const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** 40 hexadecimal digits. */
export const revision = z
  .string()
  .regex(/^[0-9a-f]{40}$/, 'expected 40 hexadecimal digits')
  .describe('A revision of the registry.');
/** The two forms of a revision's time. */
export const when = z
  .string()
  .regex(HTTP_DATE, 'expected an HTTP date')
  .describe('When, as HTTP writes dates.');
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'expected ISO 8601 in UTC')
  .describe('When, as ISO 8601 in UTC.');
/** Whole seconds, as the root has them. */
export const epoch = z
  .string()
  .regex(/^[0-9]+$/, 'expected seconds since 1970')
  .describe('Seconds since 1970.');
export const count = z.int().nonnegative();
/** What every resource has, whatever its kind and the rules of its time. */
export const identity = z.looseObject({ type: z.string(), uid: z.string() });

/** All members are in one response. */
export function collectionSchema<T extends z.ZodType>(item: T, links: z.ZodType) {
  return z
    .strictObject({ total: count, offset: z.literal(0), items: z.array(item), version: revision, links })
    .refine(({ total, items }) => total === items.length, 'total is not the number of items');
}
