/** The part of a configuration that says what is shown with all that is below it. */

import type { z } from 'zod';
import { HIGHEST_SOURCE_LIMITS, SOURCE_LIMITS, type SourceLimits } from '../platform/limits.ts';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import { FIELD_NAME } from './fields/field-name.ts';
import { LONGEST_QUANTITY } from './units.ts';

/** Some ten megabytes, as nodes are described. */
const MOST_DEEP_ITEMS = 5000;

export const deepSchema = lazily(() => {
  const z = zod();
  const limits = z.strictObject({
    max_items: z
      .int()
      .positive('expected a whole number from 1 on')
      .optional()
      .describe(
        `How many items there may be below one that is shown so, by default ${MOST_DEEP_ITEMS}; where there are more, the document says so, and leads to those of its parts.`,
      ),
    snapshots: z
      .boolean()
      .optional()
      .describe('Whether snapshots have them too, by default not: bodies are in each three times more then.'),
  });
  return z.union([z.boolean(), limits]);
});

export function deepLimits({ deep = true }: { readonly deep?: z.output<ReturnType<typeof deepSchema>> | undefined }) {
  const limits = typeof deep === 'object' ? deep : {};
  return {
    maxItems: deep === false ? 0 : (limits.max_items ?? MOST_DEEP_ITEMS),
    inSnapshots: limits.snapshots ?? false,
  };
}

/** Days that there are: zod's own check is not in JSON Schemas. */
const LEAP_DAY = /(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29/;
const OTHER_DAY =
  /\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))/;
const TIME = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)/;
const MOMENT = new RegExp(`^(?:${LEAP_DAY.source}|${OTHER_DAY.source})(?:${TIME.source})?$`);

export const historySchema = lazily(() => {
  const z = zod();
  return z.strictObject({
    since: z
      .string()
      .regex(MOMENT, 'expected a date such as 2021-01-01, or one with its time and offset')
      .optional()
      .describe(
        'From when on the history is in the tree, such as 2021-01-01, which begins in UTC: older revisions are left out, but for the versions that were in force then.',
      ),
  });
});

/** The part of a configuration that says what hardware is called in labels. */
export const labelsSchema = lazily(() => {
  const z = zod();
  const texts = z.array(
    z.strictObject({
      label: z.string().regex(/\S/, 'expected a name').describe('What it is called, such as A100.'),
      match: z
        .array(z.string().regex(/\S/, 'expected a text'))
        .min(1, 'expected at least one')
        .describe('How registries spell it, in upper or lower case; * is any text.'),
    }),
  );
  const sizes = (unit: RegExp, expected: string) =>
    z.array(
      z.strictObject({
        label: z
          .string()
          .regex(unit, `expected a number with a unit, such as ${expected}`)
          .max(LONGEST_QUANTITY, `expected at most ${LONGEST_QUANTITY} characters`),
        match: z.array(z.number()).min(1, 'expected at least one').describe('The numbers that registries have for it.'),
      }),
    );
  const bytes = /^\d+(\.\d+)? ?([kMGTP]|[KMGTP]i)?B$/;
  return z.strictObject({
    gpu: texts.optional().describe('Models of GPUs.'),
    cpu: texts.optional().describe('Models of processors.'),
    ram: sizes(bytes, '192GiB').optional().describe('Sizes of main_memory.ram_size, in bytes.'),
    disk: sizes(bytes, '480GB').optional().describe('Sizes of storage_devices.size, in bytes.'),
    network: sizes(/^\d+(\.\d+)? ?[kMGT]?bps$/, '25Gbps')
      .optional()
      .describe('Rates of network_adapters.rate, in bits per second.'),
  });
});

/** Where a configuration says nothing. */
export const MOST_FOUND_NODES = 20_000;
export const MOST_HISTORY = 16 * 1024 * 1024;
export const GROUPED_BY: readonly string[] = ['node_type', 'label.gpu'];

export const searchSchema = lazily(() => {
  const z = zod();
  return z.strictObject({
    max_nodes: z
      .int()
      .positive('expected a whole number from 1 on')
      .optional()
      .describe(
        `Up to how many nodes /nodes/search has all, by default ${MOST_FOUND_NODES}; above, it has the first 500 and says how many there are, the table has its uids and names in pages, and there are no groups.`,
      ),
    max_history: z
      .int()
      .positive('expected a number of characters from 1 on')
      .optional()
      .describe(
        `How many characters /nodes/history may have, by default ${MOST_HISTORY}; above, it says that it would be too long.`,
      ),
    collections: z
      .array(z.string().regex(FIELD_NAME, 'expected the name of a field'))
      .optional()
      .describe(
        `The fields by whose values /nodes/by has collections of nodes, by default ${GROUPED_BY.join(' and ')}.`,
      ),
    names: z
      .boolean()
      .optional()
      .describe('Whether nodes answer at /nodes/by-name, too, which is a file for each; by default they do.'),
    left_out: z
      .array(z.string().regex(FIELD_NAME, 'expected the name of a field'))
      .optional()
      .describe(
        'The fields that /nodes/table leaves out besides serials, addresses and the like. By default, those of which hardly two nodes have the same, but for what labels are made of.',
      ),
  });
});

/** The part of a configuration that says how much is read of what others made. */
export const limitsSchema = lazily(() => {
  const z = zod();
  const bytes = (limit: keyof SourceLimits, of: string) => {
    const [most, highest] = [SOURCE_LIMITS[limit], HIGHEST_SOURCE_LIMITS[limit]];
    return z
      .int()
      .positive('expected a number of bytes from 1 on')
      .max(highest, `expected at most ${highest} bytes`)
      .optional()
      .describe(`How many bytes ${of} may have, by default ${most}, at most ${highest}.`);
  };
  return z.strictObject({
    source_bytes: bytes('source_bytes', 'a source, or a file that is imported,'),
    revision_bytes: bytes('revision_bytes', 'the file of a revision'),
  });
});

export function sourceLimits({
  limits,
}: {
  readonly limits?: z.output<ReturnType<typeof limitsSchema>> | undefined;
}): SourceLimits {
  const { source_bytes, revision_bytes } = SOURCE_LIMITS;
  return {
    source_bytes: limits?.source_bytes ?? source_bytes,
    revision_bytes: limits?.revision_bytes ?? revision_bytes,
  };
}
