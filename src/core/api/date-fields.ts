import { epochSeconds, httpDate, isoTimestamp } from '../model/revision.ts';
import { getOrCreate } from '../platform/lookups.ts';

export interface RevisionDate {
  /** The time in epoch seconds. */
  readonly seconds: number;
  readonly http: string;
  /** The JSON text of the fields `date` (HTTP format) and `timestamp` (ISO 8601 in UTC). */
  readonly fields: string;
}

/** Caches dates, because all versions of a revision have the same date. */
const cache = new Map<string, RevisionDate>();

export function revisionDate(date: string): RevisionDate {
  return getOrCreate(cache, date, () => {
    const seconds = epochSeconds(date);
    const http = httpDate(seconds);
    return { seconds, http, fields: `"date":"${http}","timestamp":"${isoTimestamp(seconds)}"` };
  });
}

export function dateFields(date: string): string {
  return revisionDate(date).fields;
}
