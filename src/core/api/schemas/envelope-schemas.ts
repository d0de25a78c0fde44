/** The schemas of what documents of all kinds have: revisions, times, the envelope of collections. */
import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
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
