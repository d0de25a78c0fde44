/**
 * Reading documents of the tree in which the page lies. Over HTTP each is asked for by the name that answers on every
 * host, with `.json`. From a folder browsers load scripts alone, so copies of documents are read from scripts.
 */

import { NODE_HISTORY_PATH } from '../../core/api/nodes/node-paths.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { isJsonObject, itemsIn, type Json, type JsonObject, parsedObject } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';

export interface DocumentReader {
  /** Whether the page was opened from a folder, so that only copies of some documents can be read. */
  readonly isLocal: boolean;
  readonly urlOf: (path: string) => string;
  /** A document by its path in the API; undefined where there is none. `isAnew` passes over what caches hold. */
  readonly read: (path: string, isAnew?: boolean) => Promise<JsonObject | undefined>;
  /** The path in the API that a link names, known once the root was read. */
  readonly pathOf: (href: string) => string;
  /** Whether whole nodes, revisions and changes can be read: false in a folder where the copies would be too long. */
  readonly hasPast: () => Promise<boolean>;
}

/** A document cannot be read: the network failed, or the host answers something else. */
export class ReadError extends Error {}

/** A document is of another revision than the table. Only loading the page anew shows one revision. */
export class MovedError extends ReadError {}

/** The tree above the folder of the page's script. `isAnew` passes over what caches hold, for all documents. */
export function documentReader(script: string, isAnew: boolean): DocumentReader {
  const base = new URL('..', script);
  const isLocal = base.protocol === 'file:';
  const urlOf = (path: string) => new URL(path === '/' ? 'index.json' : `${path.slice(1)}.json`, base).href;
  const copies = copiesOf();
  let prefix = '';
  return {
    isLocal,
    urlOf,
    pathOf: (href) => (href.startsWith(prefix) ? href.slice(prefix.length) : href),
    read: async (path, once) => {
      const body = await (isLocal ? copies.read(path) : fetched(urlOf(path), isAnew || once === true));
      if (body && path === resourceUrl('')) prefix = linkPrefix(body);
      return body;
    },
    hasPast: async () => !isLocal || copies.hasPast(),
  };
}

/** The base path of links, from the grid's link to itself. */
function linkPrefix(grid: JsonObject): string {
  const self = (linkTo(grid, 'self') ?? '').replace(/\/+$/, '');
  return URL.canParse(self) ? new URL(self).pathname.replace(/\/+$/, '') : self;
}

/** Documents by their paths. Each script is loaded when it is first asked for. */
function copiesOf() {
  const part = (name: string) =>
    lazily(async (): Promise<JsonObject> => {
      const found = await window.gridpress.load(name).catch(() => undefined);
      return isJsonObject(found) ? found : {};
    });
  const [data, history, past] = [part('data'), part('history'), part('past')];
  return {
    read: async (path: string) => {
      if (path === NODE_HISTORY_PATH) return objectIn(await history(), path);
      return objectIn(await data(), path) ?? objectIn(await past(), path) ?? nodeIn(await past(), path);
    },
    hasPast: async () => Object.keys(await past()).length > 0,
  };
}

function objectIn(copies: JsonObject, path: string): JsonObject | undefined {
  const copy = copies[path];
  return isJsonObject(copy) ? copy : undefined;
}

/** A node, from the collection of its cluster. */
function nodeIn(copies: JsonObject, path: string): JsonObject | undefined {
  const end = path.lastIndexOf('/');
  const items = itemsIn(objectIn(copies, path.slice(0, end))?.['items']);
  return items.filter(isJsonObject).find(({ uid }) => uid === path.slice(end + 1));
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

/** Values of documents as texts and numbers, which are empty for a value of another type; and their links. */
export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/** The target of the first link with a relation; undefined where there is none. */
export function linkTo({ links }: JsonObject, rel: string): string | undefined {
  return (
    text(
      itemsIn(links)
        .filter(isJsonObject)
        .find((link) => link['rel'] === rel)?.['href'],
    ) || undefined
  );
}

/** Loading the page anew, once, when what it reads is of another revision than what it has read. */

const MARK = 'gridpress-read-anew';

/** Whether the page was loaded anew for that: then what caches hold may be of the former revision. */
export function wasReadAnew(): boolean {
  return Number(history.state?.[MARK] ?? 0) > 0;
}

/** Once: a tree whose parts never agree must not be loaded for ever. */
export function readAnew(): void {
  if (wasReadAnew()) return;
  history.replaceState({ [MARK]: 1 }, '');
  location.reload();
}
