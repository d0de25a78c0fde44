/** Compares fields with `DATE('2026-03-01')`, a day in UTC, or `TIMESTAMP('2026-03-01T12:00:00Z')`, an instant. */

import type { Json } from '../model/json.ts';
import { DAY_SECONDS } from '../model/revision.ts';

export type Temporal = 'date' | 'timestamp';

/** Matches dates, and timestamps with an offset (RFC 3339). A timestamp without an offset has no definite instant. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:[Tt](?!24)\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;
const DAY_LENGTH = 10;
const LEAP_SECOND = /^(.{16}):60/;

/** Returns a day in epoch days, or an instant in epoch milliseconds. Returns null for a value that is neither. */
export function temporalValue(value: Json, as: Temporal): number | null {
  if (typeof value !== 'string' || !RFC_3339.test(value)) return null;
  const isLeap = LEAP_SECOND.test(value);
  // `Date.parse` rejects leap seconds.
  const instant = Date.parse(value.replace(LEAP_SECOND, '$1:59'));
  // `Date.parse` accepts 2026-02-30 as a day in March.
  const day = value.slice(0, DAY_LENGTH);
  if (Number.isNaN(instant) || new Date(day).toISOString().slice(0, DAY_LENGTH) !== day) return null;
  if (isLeap && !isLastSecondOfMonth(instant)) return null;
  if (as === 'date') return Math.floor(instant / SECOND / DAY_SECONDS);
  return isLeap ? instant + SECOND : instant;
}

const SECOND = 1000;

/** A leap second follows the last second of a month in UTC. */
function isLastSecondOfMonth(instant: number): boolean {
  const next = new Date(instant + SECOND);
  return next.getUTCDate() === 1 && next.getUTCHours() + next.getUTCMinutes() + next.getUTCSeconds() === 0;
}

/** Whether a text can be the argument of DATE or TIMESTAMP. */
export function isTemporal(text: string, as: Temporal): boolean {
  return temporalValue(text, as) !== null && (text.length === DAY_LENGTH) === (as === 'date');
}
