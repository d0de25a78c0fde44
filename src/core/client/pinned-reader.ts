/** Gets documents of one revision. A document of another revision is an error, so results never mix revisions. */

import { fail, finding } from '../diagnostics/finding.ts';
import { tooLargeReason } from '../diagnostics/words.ts';
import { asText, isJsonObject, itemsIn, type JsonObject } from '../model/json.ts';
import { append } from '../platform/append.ts';
import { LISTING_BYTES } from '../platform/limits.ts';
import { getOrCreate } from '../platform/lookups.ts';
import type { Base } from './base-url.ts';

export interface FetchedDocument {
  readonly url: string;
  /** The path after redirects. */
  readonly path: string;
  readonly body: JsonObject;
  /** The length of the JSON text in bytes. 0 if the length is unknown. */
  readonly size: number;
}

export interface ApiReader {
  /** Requests a URL or a path on the server. Returns undefined for a missing resource. Fails on other errors. */
  readonly get: (target: string) => Promise<FetchedDocument | undefined>;
  readonly format: (target: string) => string;
}

export interface PinnedReader extends ApiReader {
  /** The pinned revision. All mutable documents must show this revision. */
  readonly revision: string;
  /** Gets a document of the pinned revision, if the document exists. Documents are cached. */
  readonly findPinned: (target: string) => Promise<FetchedDocument | undefined>;
  /** Gets the target of a link at the pinned revision. Fails if the target does not exist. */
  readonly getLinked: (target: string) => Promise<FetchedDocument>;
  /** Gets an immutable document of any revision. Fails if the document does not exist. */
  readonly getImmutable: (target: string) => Promise<FetchedDocument>;
  /** Gets a document outside the pinned snapshot. The shown revision must not change between calls. */
  readonly findContinuing: (target: string) => Promise<FetchedDocument | undefined>;
  /** Checks that all reads were from the pinned revision. Reads the root again if a document names no revision. */
  readonly verifyRevision: () => Promise<void>;
}

export function pinnedReader(reach: ApiReader, revision: string, rootPath: string): PinnedReader {
  const known = new Map<string, Promise<FetchedDocument | undefined>>();
  let later: string | undefined;
  let isSure = true;
  const check = ({ url, body: { version } }: FetchedDocument, expected: string) => {
    if (version === undefined) isSure = false;
    else if (version !== expected) fail(finding('site-moved', { url, from: expected, to: asText(version) }));
  };
  const once = (target: string) => getOrCreate(known, target, () => reach.get(target));
  const findPinned = async (target: string) => {
    const fetched = await once(target);
    if (fetched) check(fetched, revision);
    return fetched;
  };
  const required = async (target: string, asked: Promise<FetchedDocument | undefined>) =>
    (await asked) ?? fail(finding('site-dead-link', { url: reach.format(target) }));
  return {
    ...reach,
    revision,
    findPinned,
    getLinked: (target) => required(target, findPinned(target)),
    getImmutable: (target) => required(target, once(target)),
    findContinuing: async (target) => {
      const fetched = await once(target);
      later ??= typeof fetched?.body['version'] === 'string' ? fetched.body['version'] : undefined;
      if (fetched && later !== undefined) check(fetched, later);
      return fetched;
    },
    verifyRevision: async () => {
      const root = isSure ? undefined : await reach.get(rootPath);
      if (root) check(root, revision);
    },
  };
}

export function linkOf({ links }: JsonObject, rel: string): string | undefined {
  for (const link of itemsIn(links)) {
    if (isJsonObject(link) && link['rel'] === rel && typeof link['href'] === 'string') return link['href'];
  }
  return undefined;
}

type Get = (target: string) => Promise<FetchedDocument | undefined>;

/**
 * Lists all versions of an item, newest first. Older pages can show an older revision than the first page. Fails if all
 * pages together are larger than `LISTING_BYTES`, because a service can invent pages without end.
 */
export async function listVersions(
  base: Pick<Base, 'resolve'>,
  target: string,
  get: Get,
  getOlder: Get,
): Promise<JsonObject[] | undefined> {
  const versions: JsonObject[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (let at: string | undefined = target; at !== undefined; ) {
    seen.add(at);
    const page: FetchedDocument | undefined = await (at === target ? get(at) : getOlder(at));
    const items = page?.body['items'];
    if (!page || !Array.isArray(items)) return at === target ? undefined : fail(finding('site-dead-link', { url: at }));
    bytes += page.size;
    if (bytes > LISTING_BYTES) {
      const reason = `with the pages before it, ${tooLargeReason(bytes, LISTING_BYTES)}`;
      fail(finding('too-large', { file: page.url, reason, limit: undefined }));
    }
    append(versions, items.filter(isJsonObject));
    const next = linkOf(page.body, 'next');
    at = next === undefined ? undefined : base.resolve(next);
    if (at !== undefined && seen.has(at)) break;
  }
  return versions;
}
