/** The part of a configuration that says what is shown with all that is below it. */
import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';

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
