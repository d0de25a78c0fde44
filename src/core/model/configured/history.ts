/** The part of a configuration that says how much of the history a tree tells. */
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';

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
