/** The part of a configuration that says what helps to find nodes among all sites. */
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { FIELD_NAME } from '../fields/field-name.ts';

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
