/** When a revision was made, in the two forms in which documents say it. */
import { epochSeconds, httpDate, isoTimestamp } from '../model/revision.ts';

/** By the date of a revision, of which each of its versions tells. */
const known = new Map<string, string>();

/** The JSON text of the fields `date`, as HTTP writes dates, and `timestamp`, ISO 8601 in UTC. */
export function dateFields(date: string): string {
  const fields = known.get(date) ?? newFields(epochSeconds(date));
  known.set(date, fields);
  return fields;
}

function newFields(seconds: number): string {
  return `"date":"${httpDate(seconds)}","timestamp":"${isoTimestamp(seconds)}"`;
}
