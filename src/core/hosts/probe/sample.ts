/** Selects the paths to probe. The search follows links from the root until it knows some paths for each template. */

import { LINKS_PATH, LLMS_PATH } from '../../api/description/description-paths.ts';
import { vendorIn } from '../../api/dialect.ts';
import { basePathBefore, type Endpoint, endpointOf, type Form } from '../../api/endpoints.ts';
import { EXPLORER_PATHS } from '../../api/explorer/explorer-paths.ts';
import { bodyText, jsonOf, type ProbeResponse, type SendRequest } from '../../api/http-exchange.ts';
import { isRaw, RAW_FORMS, type RawForm } from '../../api/raw-forms.ts';
import { badgeUrl, changesUrl, latestVersionUrl } from '../../api/urls.ts';
import { isJsonObject, type JsonObject, objectsIn } from '../../model/json.ts';

interface Sampled<F extends Form | RawForm = Form> {
  readonly url: string;
  readonly endpoint: Endpoint & { readonly form: F };
}

export interface Sample {
  readonly dialect: 'current' | 'legacy';
  /** The vendor in the media types of legacy links. */
  readonly vendor: string | undefined;
  readonly paths: readonly Sampled[];
  readonly raw: readonly Sampled<RawForm>[];
  /** One `versions/latest` path for each path template. */
  readonly latest: readonly string[];
  /** The path before `/changes` in the link to the changes. Empty if the API has no base path. */
  readonly basePath: string;
  readonly snapshot: string | undefined;
  /** One path of a removed item for each path template. */
  readonly gone: readonly string[];
}

/** The maximum number of requests that search for documents. */
const MOST_REQUESTS = 200;
/**
 * The number of items per document whose links the probe follows. With a low number, the probe could miss flavors,
 * because some sites have none.
 */
const MOST_ITEMS = 1000;

/** Documents without incoming links in JSON documents. A tree can lack the explorer. */
const OPTIONAL_STARTS: readonly string[] = [EXPLORER_PATHS.page, LLMS_PATH];
/** No document links to the badge of a node, and a tree can lack badges. */
const isBadge = (endpoint: Endpoint | undefined) => endpoint?.content === 'badge';

/** Follows links breadth first. Returns undefined if the root document has no list of links. */
export async function sampleTree(ask: SendRequest): Promise<Sample | undefined> {
  const answer = await ask({ path: '/' });
  const root = documentIn(answer);
  if (!root || !Array.isArray(root['links'])) return undefined;
  // Reads the base path from the link to the changes. Clients resolve this link as a URL reference.
  const basePath = /<(\/[^>]*)\/changes>/.exec(answer.headers['link'] ?? '')?.[1] ?? '';
  const type = linksIn(root).find((link) => link.type !== undefined)?.type;
  const paths = new Map<string, Sampled>();
  const raw: Sampled<RawForm>[] = [];
  const settled = new Set<string>();
  const latest: string[] = ['', 'sites'].map(latestVersionUrl);
  // The loop also visits the URLs that it adds.
  const known = new Set(['/', '/snapshots', '/sites/versions', '/changes', LINKS_PATH, ...OPTIONAL_STARTS]);
  let asked = 0;
  for (const url of known) {
    if (asked === MOST_REQUESTS) break;
    const endpoint = endpointOf(url);
    const key = endpoint && sampleKey(endpoint);
    if (!endpoint || key === undefined || settled.has(key)) continue;
    const { form } = endpoint;
    if (endpoint.content === 'latest-version') {
      settled.add(key);
      if (!latest.includes(url)) latest.push(url);
      continue;
    }
    if (isRaw(form)) {
      settled.add(key);
      const response = await ask({ path: url });
      asked++;
      if (response.status !== 200 && (OPTIONAL_STARTS.includes(url) || isBadge(endpoint))) continue;
      raw.push({ url, endpoint: { ...endpoint, form } });
      for (const href of RAW_FORMS[form].referencesIn(bodyText(response))) known.add(below(href, basePath));
      continue;
    }
    const document = url === '/' ? root : documentIn(await ask({ path: url }));
    asked++;
    // An empty collection contains no links to items, so the probe needs another collection with the same template.
    if (!isEmpty(document) || !endpoint.content.startsWith('resource')) settled.add(key);
    if (settled.has(key) || !paths.has(key)) paths.set(key, { url, endpoint: { ...endpoint, form } });
    for (const { href } of document ? linksIn(document) : []) known.add(below(href, basePath));
    const badge = badgeUrl(url.slice(1));
    if (isBadge(endpointOf(badge))) known.add(badge);
  }
  const inSnapshot = [...paths.values()].find(({ endpoint }) => endpoint.inSnapshot);
  return {
    dialect: type === undefined ? 'current' : 'legacy',
    vendor: type === undefined ? undefined : vendorIn(type),
    paths: [...paths.values()],
    raw,
    latest,
    basePath,
    snapshot: inSnapshot?.url.split('/', 3).join('/'),
    gone: await removedPaths(ask),
  };
}

function isEmpty(document: JsonObject | undefined): boolean {
  return Array.isArray(document?.['items']) && document['items'].length === 0;
}

/** Similar endpoints share a key. One path for each key is enough. All legacy children of a kind share one key. */
function sampleKey({ template, content, kind, inSnapshot }: Endpoint): string {
  return content.startsWith('legacy-') ? `${content} ${kind.name} ${inSnapshot}` : template;
}

function documentIn(response: ProbeResponse): JsonObject | undefined {
  const json = response.status === 200 ? jsonOf(response) : undefined;
  return isJsonObject(json) ? json : undefined;
}

function below(href: string, basePath: string): string {
  if (basePath === '' || !`${href}/`.startsWith(`${basePath}/`)) return href;
  return href.slice(basePath.length) || '/';
}

interface Link {
  readonly href: string;
  readonly type: string | undefined;
}

function linksIn(document: JsonObject): Link[] {
  const links = objectsIn(document['links']).flatMap(({ href, type }): Link[] =>
    typeof href === 'string' ? [{ href, type: typeof type === 'string' ? type : undefined }] : [],
  );
  return [...links, ...objectsIn(document['items']).slice(0, MOST_ITEMS).flatMap(linksIn)];
}

const MOST_PAGES = 20;

/** Finds the paths of removed items. Resources that a merge dropped have no tombstone. */
async function removedPaths(ask: SendRequest): Promise<readonly string[]> {
  const known = new Set<string>();
  const gone = new Map<string, string>();
  let page: string | undefined = changesUrl('');
  for (let pages = 0; page !== undefined && pages < MOST_PAGES; pages++) {
    const document = documentIn(await ask({ path: page }));
    if (!document) break;
    for (const entry of objectsIn(document['items'])) {
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

export function hrefOf({ links }: JsonObject, rel: string): string | undefined {
  const href = objectsIn(links).find((link) => link['rel'] === rel)?.['href'];
  return typeof href === 'string' ? href.slice(basePathBefore(href).length) : undefined;
}
