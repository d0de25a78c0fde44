/** Getting the documents of one revision: the first that reflects another ends the reading, since it would mix two. */
import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import { asText, isJsonObject, type JsonObject } from '../model/json.ts';

export interface FetchedDocument {
  readonly url: string;
  /** The path at which it answered in the end. */
  readonly path: string;
  readonly body: JsonObject;
}

/** How documents are reached: the part that knows servers or files. */
export interface ApiReader {
  /** Gets a path of the server, or a URL; undefined where nothing is. Ends the reading when it cannot. */
  readonly get: (target: string) => Promise<FetchedDocument | undefined>;
  /** A target as messages show it. */
  readonly shown: (target: string) => string;
}

export interface PinnedReader extends ApiReader {
  /** The revision of which all that can change must be. */
  readonly revision: string;
  /** Gets a document of the pinned revision, if it is there. What can be linked to is asked for once. */
  readonly found: (target: string) => Promise<FetchedDocument | undefined>;
  /** Gets what a link leads to, of the pinned revision. */
  readonly linked: (target: string) => Promise<FetchedDocument>;
  /** Gets what never changes and therefore reflects a revision of its own. */
  readonly lasting: (target: string) => Promise<FetchedDocument>;
  /** Gets documents that go on after the pinned revision, if they are there: all of one later revision. */
  readonly together: (target: string) => Promise<FetchedDocument | undefined>;
  /** Asks the root again where some answer did not say which revision it reflects. */
  readonly settle: () => Promise<void>;
}

export function pinnedReader(reach: ApiReader, revision: string, rootPath: string): PinnedReader {
  const known = new Map<string, Promise<FetchedDocument | undefined>>();
  let later: string | undefined;
  let isSure = true;
  const check = ({ url, body: { version } }: FetchedDocument, expected: string) => {
    if (version === undefined) isSure = false;
    else if (version !== expected) fail(finding('site-moved', { url, from: expected, to: asText(version) }));
  };
  const once = (target: string) => {
    const asked = known.get(target) ?? reach.get(target);
    known.set(target, asked);
    return asked;
  };
  const found = async (target: string) => {
    const fetched = await once(target);
    if (fetched) check(fetched, revision);
    return fetched;
  };
  const there = async (target: string, asked: Promise<FetchedDocument | undefined>) =>
    (await asked) ?? fail(finding('site-dead-link', { url: reach.shown(target) }));
  return {
    ...reach,
    revision,
    found,
    linked: (target) => there(target, found(target)),
    lasting: (target) => there(target, once(target)),
    together: async (target) => {
      const fetched = await once(target);
      later ??= typeof fetched?.body['version'] === 'string' ? fetched.body['version'] : undefined;
      if (fetched && later !== undefined) check(fetched, later);
      return fetched;
    },
    settle: async () => {
      const root = isSure ? undefined : await reach.get(rootPath);
      if (root) check(root, revision);
    },
  };
}

/** The target of the first link with a relation; undefined where there is none. */
export function linkOf({ links }: JsonObject, rel: string): string | undefined {
  if (!Array.isArray(links)) return undefined;
  for (const link of links) {
    if (isJsonObject(link) && link['rel'] === rel && typeof link['href'] === 'string') return link['href'];
  }
  return undefined;
}
