/** A client of the change feed. It continues from its last known revision, and can rebuild the registry. */

import { isJsonObject, type JsonObject } from '../../../src/core/model/json.ts';
import { itemsOf } from '../../../src/features/verify/check-response.ts';

/** Returns the body at a path of the API; throws if it does not exist. */
export type Get = (url: string) => Promise<JsonObject>;

/** Returns the entries after a known revision (or all), oldest first. */
export async function catchUp(get: Get, start = '/changes', seen?: string): Promise<JsonObject[]> {
  const newer: JsonObject[] = [];
  for (let url: string | undefined = start; url !== undefined; ) {
    const page = await get(url);
    for (const entry of itemsOf(page)) {
      if (entry['revision'] === seen) return newer.reverse();
      newer.push(entry);
    }
    url = linkOf(page, 'next');
  }
  if (seen !== undefined) throw new Error(`the feed does not know ${seen}: begin from nothing`);
  return newer.reverse();
}

/** Applies the entries: deletes removed resources, and reads changed ones from their versions. */
export async function follow(get: Get, entries: readonly JsonObject[], resources: Map<string, unknown>): Promise<void> {
  for (const entry of entries) {
    const path = String(entry['resource']);
    if (entry['action'] === 'removed') resources.delete(path);
    else resources.set(path, (await get(linkOf(entry, 'version') ?? ''))['resource']);
  }
}

/** Returns the target of the first link with a relation. */
export function linkOf({ links }: JsonObject, rel: string): string | undefined {
  const link = Array.isArray(links) ? links.find((each) => isJsonObject(each) && each['rel'] === rel) : undefined;
  return isJsonObject(link) ? String(link['href']) : undefined;
}
