/** The paths that a probe looks at: some of each class, found by following links from the root. */

import { LINKS_PATH } from '../../api/description/description-paths.ts';
import { vendorIn } from '../../api/dialect.ts';
import { basePathBefore, type Endpoint, endpointOf, type Form } from '../../api/endpoints.ts';
import { jsonOf, type ProbeResponse, type SendRequest } from '../../api/http-exchange.ts';
import { isRaw, type RawForm } from '../../api/raw-forms.ts';
import { changesUrl, latestVersionUrl } from '../../api/urls.ts';
import { isJsonObject } from '../../model/json.ts';

interface Sampled<F extends Form | RawForm = Form> {
  readonly url: string;
  readonly endpoint: Endpoint & { readonly form: F };
}

export interface Sample {
  readonly dialect: 'current' | 'legacy';
  /** The vendor in the media types of legacy links. */
  readonly vendor: string | undefined;
  readonly paths: readonly Sampled[];
  /** Raw documents, which have one path each. */
  readonly raw: readonly Sampled<RawForm>[];
  /** Paths that redirect where the host can, one of each template. */
  readonly latest: readonly string[];
  /** What stands before every path on the host, as the link to the changes says; often empty. */
  readonly basePath: string;
  /** The path of a snapshot, where there is one. */
  readonly snapshot: string | undefined;
  /** Paths of removed items, one of each template. */
  readonly gone: readonly string[];
}

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type: string | undefined;
}

/** How many documents are asked for to find them. */
const MOST_ASKED = 200;
/** How many items of a collection are looked at for links: only some sites have flavors. */
const MOST_ITEMS = 1000;

/** Follows links breadth first; undefined when the root is no root of this API. */
export async function sampleTree(ask: SendRequest): Promise<Sample | undefined> {
  const answer = await ask({ path: '/' });
  const root = documentIn(answer);
  if (!root || !Array.isArray(root['links'])) return undefined;
  const basePath = basePathIn(answer);
  const type = linksIn(root).find((link) => link.type !== undefined)?.type;
  const paths = new Map<string, Sampled>();
  const raw: Sampled<RawForm>[] = [];
  const settled = new Set<string>();
  const latest: string[] = ['', 'sites'].map(latestVersionUrl);
  const waiting = ['/', '/snapshots', '/sites/versions', '/changes', LINKS_PATH];
  const known = new Set(waiting);
  let asked = 0;
  for (let url = waiting.shift(); url !== undefined && asked < MOST_ASKED; url = waiting.shift()) {
    const endpoint = endpointOf(url);
    const key = endpoint && sampledAs(endpoint);
    if (!endpoint || key === undefined || settled.has(key)) continue;
    if (endpoint.content === 'latest-version') {
      settled.add(key);
      if (!latest.includes(url)) latest.push(url);
      continue;
    }
    const { form } = endpoint;
    if (isRaw(form)) {
      settled.add(key);
      raw.push({ url, endpoint: { ...endpoint, form } });
      continue;
    }
    const document = url === '/' ? root : await documentAt(ask, url);
    asked++;
    // A collection without items leads nowhere: another of its template may have some.
    if (!isEmpty(document) || !endpoint.content.startsWith('resource')) settled.add(key);
    if (settled.has(key) || !paths.has(key)) paths.set(key, { url, endpoint: { ...endpoint, form } });
    const hrefs = document ? linksIn(document).map(({ href }) => below(href, basePath)) : [];
    waiting.push(...hrefs.filter((href) => !known.has(href)));
    for (const href of hrefs) known.add(href);
  }
  return {
    dialect: type === undefined ? 'current' : 'legacy',
    vendor: type === undefined ? undefined : vendorIn(type),
    paths: [...paths.values()],
    raw,
    latest,
    basePath,
    snapshot: [...paths.values()]
      .find(({ endpoint }) => endpoint.inSnapshot)
      ?.url.split('/', 3)
      .join('/'),
    gone: await removedPaths(ask),
  };
}

function isEmpty(document: Readonly<Record<string, unknown>> | undefined): boolean {
  return Array.isArray(document?.['items']) && document['items'].length === 0;
}

/** What one path is enough of: a template, or the legacy children of a kind, which are all alike. */
function sampledAs({ template, content, kind, inSnapshot }: Endpoint): string {
  return content.startsWith('legacy-') ? `${content} ${kind.name} ${inSnapshot}` : template;
}

async function documentAt(ask: SendRequest, url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  return documentIn(await ask({ path: url }));
}

function documentIn(response: ProbeResponse): Readonly<Record<string, unknown>> | undefined {
  const json = response.status === 200 ? jsonOf(response) : undefined;
  return isJsonObject(json) ? json : undefined;
}

/** The link to the changes resolves as a reference. */
function basePathIn({ headers }: ProbeResponse): string {
  return /<(\/[^>]*)\/changes>/.exec(headers['link'] ?? '')?.[1] ?? '';
}

/** The path below the base, where a link says the base path too. */
function below(href: string, basePath: string): string {
  if (basePath === '' || !`${href}/`.startsWith(`${basePath}/`)) return href;
  return href.slice(basePath.length) || '/';
}

/** The links of a document and of its items. */
function linksIn(document: Readonly<Record<string, unknown>>): Link[] {
  const own = Array.isArray(document['links']) ? document['links'] : [];
  const items: unknown[] = Array.isArray(document['items']) ? document['items'].slice(0, MOST_ITEMS) : [];
  const links = own.flatMap((link: unknown): Link[] => {
    if (!isJsonObject(link)) return [];
    const { rel, href, type } = link;
    if (typeof rel !== 'string' || typeof href !== 'string') return [];
    return [{ rel, href, type: typeof type === 'string' ? type : undefined }];
  });
  return [...links, ...items.flatMap((item) => (isJsonObject(item) ? linksIn(item) : []))];
}

/** How many pages of changes are read, from the newest on. */
const MOST_PAGES = 20;

/**
 * Paths of removed items, the newest of each template; none where nothing was removed, or no changes are published. A
 * removal without a version, by a merge of what the merged side never had, leaves no tombstone.
 */
async function removedPaths(ask: SendRequest): Promise<readonly string[]> {
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
