/** A revision: one step in the history of the registry. */
import { sha1 } from './digest.ts';
import { canonicalJson, type JsonObject } from './json.ts';

export interface RevisionHeader {
  readonly id: string;
  /** None for the first revision, two for a merge. The first is the one that the changes are against. */
  readonly parents: readonly string[];
  /** ISO 8601 with an offset, as recorded. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  /** Where the identifier comes from: computed from the contents, or given by the repository it was imported from. */
  readonly origin: 'recorded' | 'git';
  /** The digest of the whole registry after this revision: see state.ts. */
  readonly state: string;
  /** The digest of all that it says, and of its past (`contentsDigest`). Revisions of older versions have none. */
  readonly contents?: string | undefined;
}

export type RevisionStatement = Omit<RevisionHeader, 'id' | 'origin' | 'contents'>;

/** The uids of what took the place of removed resources, by the removed ones' paths. */
export type Successors = Readonly<Record<string, string>>;

/**
 * The identifier of a recorded revision: SHA-1 over the canonical JSON of what it says, so none can be changed unseen.
 * What changed follows from the states, but for the successors: they are said where there are any.
 */
export function recordedId(header: RevisionStatement, successors: Successors = {}): string {
  return sha1(canonicalJson(saidBy(header, successors)));
}

export function saidBy(header: RevisionStatement, successors: Successors): JsonObject {
  const { parents, date, author, message, state } = header;
  const more = Object.keys(successors).length > 0 ? { successors } : {};
  return { parents, date, author, message, state, ...more };
}

/** Seconds since the epoch. */
export function epochSeconds(date: string): number {
  return Math.floor(Date.parse(date) / 1000);
}

/** A date with any offset as ISO 8601 in UTC. */
export function utcTimestamp(date: string): string {
  return isoTimestamp(epochSeconds(date));
}

/** ISO 8601 in UTC, whole seconds: `1994-11-15T12:45:26Z`. */
export function isoTimestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The date as HTTP writes it (RFC 9110, IMF-fixdate): `Tue, 15 Nov 1994 12:45:26 GMT`. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
