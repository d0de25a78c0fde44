import { sha1 } from './digest.ts';
import { canonicalJson, type JsonObject } from './json.ts';

export const ORIGINS = ['recorded', 'git', 'published'] as const;

export interface RevisionHeader {
  readonly id: string;
  /** The first revision has no parents, and a merge has two parents. Changes are relative to the first parent. */
  readonly parents: readonly string[];
  /** The date in ISO 8601 with an offset, as in the revision file. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  /**
   * The source of the identifier. A `recorded` identifier is computed from the contents. A `git` identifier is the hash
   * of an imported commit. A `published` identifier comes from a registry with private fields, which the published
   * history omits.
   */
  readonly origin: (typeof ORIGINS)[number];
  /** The digest of the state after this revision. */
  readonly state: string;
  /** Random text in the digest of the revision, so that nobody can guess private values from the digest. */
  readonly salt?: string | undefined;
  /** The SHA-256 digest of the header and all earlier revisions (`contentsDigest`). Missing in older revision files. */
  readonly contents?: string | undefined;
}

export type RevisionStatement = Omit<RevisionHeader, 'id' | 'origin' | 'contents'>;

export type Successors = Readonly<Record<string, string>>;

/** Returns the SHA-1 digest of the canonical JSON of the header and the successors, which `state` does not cover. */
export function recordedId(header: RevisionStatement, successors: Successors = {}): string {
  return sha1(canonicalJson(statementOf(header, successors)));
}

export function statementOf(header: RevisionStatement, successors: Successors): JsonObject {
  const { parents, date, author, message, state, salt } = header;
  const salted = salt === undefined ? {} : { salt };
  const more = Object.keys(successors).length > 0 ? { successors } : {};
  return { parents, date, author, message, state, ...salted, ...more };
}

export interface RevisionName {
  readonly id: string;
  /** The date in ISO 8601 and UTC. Older services do not report a date. */
  readonly date?: string | undefined;
}

export const DAY_SECONDS = 86_400;

export function epochSeconds(date: string): number {
  return Math.floor(Date.parse(date) / 1000);
}

export function utcTimestamp(date: string): string {
  return isoTimestamp(epochSeconds(date));
}

/** Formats seconds since the epoch in ISO 8601 and UTC: `1994-11-15T12:45:26Z`. */
export function isoTimestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Formats seconds since the epoch as an HTTP date (RFC 9110, IMF-fixdate): `Tue, 15 Nov 1994 12:45:26 GMT`. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
