/** When a revision was made, in the two forms in which documents say it. */
import { epochSeconds, httpDate, isoTimestamp } from '../model/revision.ts';

/** The JSON text of the fields `date`, as HTTP writes dates, and `timestamp`, ISO 8601 in UTC. */
export function dateFields(date: string): string {
  const seconds = epochSeconds(date);
  return `"date":"${httpDate(seconds)}","timestamp":"${isoTimestamp(seconds)}"`;
}
