/** The schema of an item with all that is below it. */
import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { DEEP } from '../deep/deep-paths.ts';
import { envelopeSchemas } from './envelope-schemas.ts';
import { type DialectName, linkOf, linksSchema } from './link-schemas.ts';

export function deepSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { revision, count, identity } = envelopeSchemas();
  const parts = linkOf(dialect, z.literal(DEEP), 'item');
  const links = linksSchema(
    dialect,
    [
      { rel: 'self', target: 'item' },
      { rel: 'parent', target: 'item' },
    ],
    parts,
  );
  const end = { version: revision, links };
  const whole = z.strictObject({
    total: count.describe('How many fields `items` has.'),
    offset: z.literal(0),
    items: identity.describe(
      'The fields of the item, and its collections: those whose items hold others are maps by uid, the rest are lists.',
    ),
    ...end,
  });
  const tooLarge = z.strictObject({
    too_large: z.strictObject({
      most: count.describe('How many items one response may hold.'),
      found: count.describe('How many there are.'),
    }),
    ...end,
  });
  return z.union([whole, tooLarge]).describe('An item with all that is below it.');
}
