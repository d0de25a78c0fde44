import { sha1 } from './digest.ts';
import { canonicalJson, type JsonObject } from './json.ts';

export const ORIGINS = ['recorded', 'git', 'published'] as const;

export interface RevisionHeader {
  readonly id: string;
  /** The first revision has no parents, a merge has two. Changes are relative to the first parent. */
  readonly parents: readonly string[];
  /** ISO 8601 with an offset, as in the revision file. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  /**
   * `recorded` identifiers are computed from the contents. `git` identifiers come from the imported repository, and
   * `published` ones from a registry with private fields, which the published history does not contain.
   */
  readonly origin: (typeof ORIGINS)[number];
  /** The digest of the state after this revision. */
  readonly state: string;
  /** A random text in a registry with private fields. It prevents guessing private values from the identifier. */
  readonly salt?: string | undefined;
  /** The digest of the header and all earlier revisions (`contentsDigest`). Older revision files have none. */
  readonly contents?: string | undefined;
}

export type RevisionStatement = Omit<RevisionHeader, 'id' | 'origin' | 'contents'>;

export type Successors = Readonly<Record<string, string>>;

/**
 * Returns the SHA-1 digest of a revision's statement in canonical JSON. Any modification changes the digest. The state
 * determines the changes, but not the successors, so the statement also lists the successors if there are any.
 */
export function recordedId(header: RevisionStatement, successors: Successors = {}): string {
  return sha1(canonicalJson(statementOf(header, successors)));
}

export function statementOf(header: RevisionStatement, successors: Successors): JsonObject {
  const { parents, date, author, message, state, salt } = header;
  const salted = salt === undefined ? {} : { salt };
  const more = Object.keys(successors).length > 0 ? { successors } : {};
  return { parents, date, author, message, state, ...salted, ...more };
}

/** The identifier and the date of a revision in a report. Older services do not report the date. */
export interface RevisionName {
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly date?: string | undefined;
}

export const DAY_SECONDS = 86_400;

export function epochSeconds(date: string): number {
  return Math.floor(Date.parse(date) / 1000);
}

export function utcTimestamp(date: string): string {
  return isoTimestamp(epochSeconds(date));
}

/** Formats seconds since the epoch as ISO 8601 in UTC: `1994-11-15T12:45:26Z`. */
export function isoTimestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Formats seconds since the epoch as an HTTP date (RFC 9110, IMF-fixdate): `Tue, 15 Nov 1994 12:45:26 GMT`. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
