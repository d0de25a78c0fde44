/** The versions that a history lists, whole: a long one has pages, of which each leads to the next older one. */
import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import type { Base } from './base-url.ts';
import { type FetchedDocument, linkOf } from './pinned-reader.ts';

type Get = (target: string) => Promise<FetchedDocument | undefined>;

/**
 * Newest first; undefined where there is no history, or one without a list. Its older pages reflect revisions of their
 * own, and are got by `getOlder`.
 */
export async function listedVersions(
  base: Pick<Base, 'resolve'>,
  target: string,
  get: Get,
  getOlder: Get,
): Promise<JsonObject[] | undefined> {
  const versions: JsonObject[] = [];
  const seen = new Set<string>();
  for (let at: string | undefined = target; at !== undefined; ) {
    seen.add(at);
    const page: FetchedDocument | undefined = await (at === target ? get(at) : getOlder(at));
    const items = page?.body['items'];
    if (!page || !Array.isArray(items)) return at === target ? undefined : fail(finding('site-dead-link', { url: at }));
    versions.push(...items.filter(isJsonObject));
    const next = linkOf(page.body, 'next');
    at = next === undefined ? undefined : base.resolve(next);
    // A service that leads in a circle has told all that it has.
    if (at !== undefined && seen.has(at)) break;
  }
  return versions;
}
