/** Reads documents over HTTP, or from scripts in a folder, because browsers cannot fetch JSON files from a folder. */

import { NODE_HISTORY_PATH } from '../../core/api/nodes/node-paths.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { isJsonObject, type Json, type JsonObject, objectsIn, parsedObject, textOf } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';

export interface DocumentReader {
  /** True if the user opened the page from a folder. The folder contains offline copies of only some documents. */
  readonly isLocal: boolean;
  readonly urlOf: (path: string) => string;
  /** Reads a document by its path in the API. Returns undefined if the document does not exist. */
  readonly read: (path: string, skipCache?: boolean) => Promise<JsonObject | undefined>;
  /** Converts a link to a path in the API. Callers must read the grid first, because it contains the base path. */
  readonly pathOf: (href: string) => string;
  /** False if the page is an offline copy that omits items, revisions and changes, to save space. */
  readonly hasPast: () => Promise<boolean>;
}

/** The network failed, or the host returned an unexpected response. */
export class ReadError extends Error {}

/** Two documents belong to different revisions. The page must reload to show a single revision. */
export class RevisionChangedError extends ReadError {}

export function documentReader(script: string, alwaysSkipCache: boolean): DocumentReader {
  const base = new URL('..', script);
  const isLocal = base.protocol === 'file:';
  const urlOf = (path: string) => new URL(path === '/' ? 'index.json' : `${path.slice(1)}.json`, base).href;
  const copies = offlineCopies();
  let prefix = '';
  return {
    isLocal,
    urlOf,
    pathOf: (href) => (href.startsWith(prefix) ? href.slice(prefix.length) : href),
    read: async (path, skipCache) => {
      const body = await (isLocal ? copies.read(path) : fetched(urlOf(path), alwaysSkipCache || skipCache === true));
      if (body && path === resourceUrl('')) prefix = basePathIn(body);
      return body;
    },
    hasPast: async () => !isLocal || copies.hasPast(),
  };
}

function basePathIn(grid: JsonObject): string {
  const self = (linkTo(grid, 'self') ?? '').replace(/\/+$/, '');
  return URL.canParse(self) ? new URL(self).pathname.replace(/\/+$/, '') : self;
}

function offlineCopies() {
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

/** Finds a node in the offline copy of its cluster's collection. */
function nodeIn(copies: JsonObject, path: string): JsonObject | undefined {
  const end = path.lastIndexOf('/');
  return objectsIn(objectIn(copies, path.slice(0, end))?.['items']).find(({ uid }) => uid === path.slice(end + 1));
}

async function fetched(url: string, skipCache: boolean): Promise<JsonObject | undefined> {
  let response: Response;
  try {
    response = await fetch(url, skipCache ? { cache: 'no-cache' } : {});
  } catch {
    throw new ReadError(`There is no connection to the host, so ${url} cannot be read.`);
  }
  if (response.status === 404 || response.status === 410) return undefined;
  if (!response.ok) throw new ReadError(`${url} returns status ${response.status}.`);
  const body = parsedObject(await response.text());
  if (!body) throw new ReadError(`${url} is not a JSON object.`);
  return body;
}

export function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

export function linkTo({ links }: JsonObject, rel: string): string | undefined {
  return textOf(objectsIn(links).find((link) => link['rel'] === rel)?.['href']) || undefined;
}

/** Reads the schema.org description of the dataset, which the build writes into the page. */
export function writtenDataset(): JsonObject | undefined {
  return parsedObject(document.querySelector('script[type="application/ld+json"]')?.textContent ?? '');
}

const MARK = 'gridpress-reloaded';

/** True after `reloadOnce` has reloaded the page. The page then skips caches, because they can be outdated. */
export function wasReloaded(): boolean {
  return Number(history.state?.[MARK] ?? 0) > 0;
}

/** Reloads the page at most once. Documents of different revisions could otherwise cause endless reloads. */
export function reloadOnce(): void {
  if (wasReloaded()) return;
  history.replaceState({ [MARK]: 1 }, '');
  location.reload();
}
