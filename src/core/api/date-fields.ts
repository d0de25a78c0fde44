/** When a revision was made, in the forms in which documents say it. */
import { epochSeconds, httpDate, isoTimestamp } from '../model/revision.ts';

export interface ToldDate {
  /** Since the epoch. */
  readonly seconds: number;
  /** As HTTP writes dates. */
  readonly http: string;
  /** The JSON text of the fields `date`, the same, and `timestamp`, ISO 8601 in UTC. */
  readonly fields: string;
}

/** By the date of a revision, of which each of its versions tells. */
const known = new Map<string, ToldDate>();

export function toldDate(date: string): ToldDate {
  const told = known.get(date) ?? newDate(epochSeconds(date));
  known.set(date, told);
  return told;
}

export function dateFields(date: string): string {
  return toldDate(date).fields;
}

function newDate(seconds: number): ToldDate {
  const http = httpDate(seconds);
  return { seconds, http, fields: `"date":"${http}","timestamp":"${isoTimestamp(seconds)}"` };
}
