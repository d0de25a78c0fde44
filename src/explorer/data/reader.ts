/**
 * Reading documents of the tree in which the page lies. Over HTTP each is asked for by the name that answers on every
 * host, with `.json`; from a folder, the twins of documents are read.
 */
import { resourceUrl } from '../../core/api/urls.ts';
import { type JsonObject, parsedObject } from '../../core/model/json.ts';
import { linkPrefix } from './links.ts';
import { type PastDocuments, twinReader } from './twin-reader.ts';

export interface DocumentReader {
  /** Whether the page was opened from a folder, so that only its twins can be read. */
  readonly isLocal: boolean;
  /** Where a document is to be had as JSON, for links. */
  readonly urlOf: (path: string) => string;
  /** A document by its path in the API; undefined where there is none. `isAnew` passes over what caches hold. */
  readonly read: (path: string, isAnew?: boolean) => Promise<JsonObject | undefined>;
  /** The path in the API that a link names, known once the root was read. */
  readonly pathOf: (href: string) => string;
  /** Whether nodes, their versions and the changes can be read: not from a folder where these would be too long. */
  readonly hasPast: () => Promise<boolean>;
}

/** Cannot be read: the network, or a host that answers something else. */
export class ReadError extends Error {}

/** What is read now is of another revision than the table: only loading the page anew shows one. */
export class MovedError extends ReadError {}

/** The tree above the folder of the page's script, wherever that is. `isAnew` passes over what caches hold, for all documents. */
export function documentReader(
  script: string,
  isAnew: boolean,
  pastDocuments: () => Promise<PastDocuments | undefined>,
): DocumentReader {
  const base = new URL('..', script);
  const isLocal = base.protocol === 'file:';
  const urlOf = (path: string) => new URL(path === '/' ? 'index.json' : `${path.slice(1)}.json`, base).href;
  const twins = isLocal ? twinReader(pastDocuments) : undefined;
  let prefix = '';
  return {
    isLocal,
    urlOf,
    pathOf: (href) => (href.startsWith(prefix) ? href.slice(prefix.length) : href),
    read: async (path, once) => {
      const body = await (twins ? twins.read(path) : fetched(urlOf(path), isAnew || once === true));
      if (body && path === resourceUrl('')) prefix = linkPrefix(body);
      return body;
    },
    hasPast: async () => twins === undefined || twins.hasPast(),
  };
}

async function fetched(url: string, isAnew: boolean): Promise<JsonObject | undefined> {
  let response: Response;
  try {
    response = await fetch(url, isAnew ? { cache: 'no-cache' } : {});
  } catch {
    throw new ReadError(`${url} could not be read: there is no connection to the host.`);
  }
  if (response.status === 404 || response.status === 410) return undefined;
  if (!response.ok) throw new ReadError(`${url} answers ${response.status}.`);
  const body = parsedObject(await response.text());
  if (!body) throw new ReadError(`${url} is no JSON object.`);
  return body;
}
