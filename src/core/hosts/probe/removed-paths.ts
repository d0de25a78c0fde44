/** Which paths removed items had, as the changes that a deployment publishes tell. */

import { endpointOf } from '../../api/endpoints.ts';
import { jsonOf, type SendRequest } from '../../api/http-exchange.ts';
import { basePathBefore } from '../../api/prefixed-links.ts';
import { changesUrl } from '../../api/urls.ts';
import { isJsonObject } from '../../model/json.ts';

/** How many pages of changes are read, from the newest on. */
const MOST_PAGES = 20;

/**
 * Paths of removed items, the newest of each template; none where nothing was removed, or no changes are published. A
 * removal without a version, by a merge of what the merged side never had, leaves no tombstone.
 */
export async function removedPaths(ask: SendRequest): Promise<readonly string[]> {
  const known = new Set<string>();
  const gone = new Map<string, string>();
  let page: string | undefined = changesUrl('');
  for (let pages = 0; page !== undefined && pages < MOST_PAGES; pages++) {
    const response = await ask({ path: page });
    const document = response.status === 200 ? jsonOf(response) : undefined;
    if (!isJsonObject(document)) break;
    for (const entry of listOf(document['items'])) {
      const { resource, action } = entry;
      if (typeof resource !== 'string' || known.has(resource)) continue;
      known.add(resource);
      const template = endpointOf(resource)?.template;
      if (action !== 'removed' || template === undefined || hrefOf(entry, 'version') === undefined) continue;
      if (!gone.has(template)) gone.set(template, resource);
    }
    page = hrefOf(document, 'next');
  }
  return [...gone.values()];
}

type Fields = Readonly<Record<string, unknown>>;

/** Where a document leads with a link relation, below the base: links may begin with what stands before every path. */
export function hrefOf({ links }: Fields, rel: string): string | undefined {
  const href = listOf(links).find((link) => link['rel'] === rel)?.['href'];
  return typeof href === 'string' ? href.slice(basePathBefore(href).length) : undefined;
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
