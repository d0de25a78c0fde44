/**
 * Reading documents of the tree in which the page lies. Over HTTP each is asked for by the name that answers on every
 * host, with `.json`. From a folder browsers read nothing but scripts: there the documents that the page cannot be without
 * lie beside it as scripts, which say what they hold.
 */
import { isJsonObject, type JsonObject, parsedObject } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';

export interface DocumentReader {
  /** Whether the page was opened from a folder, so that only its twins can be read. */
  readonly isLocal: boolean;
  /** Where a document is to be had as JSON, for links. */
  readonly urlOf: (path: string) => string;
  /** A document by its path in the API; undefined where there is none. `isAnew` passes over what caches hold. */
  readonly read: (path: string, isAnew?: boolean) => Promise<JsonObject | undefined>;
}

/** Cannot be read: the network, or a host that answers something else. */
export class ReadError extends Error {}

/** What is read now is of another revision than the table: only loading the page anew shows one. */
export class MovedError extends ReadError {}

/** The tree above the folder of the page's script, wherever that is. `isAnew` passes over what caches hold, for all documents. */
export function documentReader(script: string, isAnew: boolean): DocumentReader {
  const base = new URL('..', script);
  const isLocal = base.protocol === 'file:';
  const urlOf = (path: string) => new URL(path === '/' ? 'index.json' : `${path.slice(1)}.json`, base).href;
  const twins = isLocal ? twinReader() : undefined;
  return { isLocal, urlOf, read: twins ?? ((path, once) => fetched(urlOf(path), isAnew || once === true)) };
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

/** Loads the twins, all of one revision, when the first of them is asked for. */
function twinReader(): DocumentReader['read'] {
  const twins = lazily(() => window.gridpress.load('data').catch(() => undefined));
  return async (path) => {
    const documents = await twins();
    const twin = isJsonObject(documents) ? documents[path] : undefined;
    return isJsonObject(twin) ? twin : undefined;
  };
}
