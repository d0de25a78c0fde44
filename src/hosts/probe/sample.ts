/** The paths that a probe looks at: some of each class, found by following links from the root. */
import { type Endpoint, endpointOf, latestVersionUrl } from '../../api/endpoints.ts';
import { isJsonObject } from '../../model/json.ts';
import { type Ask, jsonOf } from './exchange.ts';

export interface Sampled {
  readonly url: string;
  readonly endpoint: Endpoint;
}

export interface Sample {
  readonly dialect: 'current' | 'legacy';
  /** The vendor in the media types of legacy links. */
  readonly vendor: string | undefined;
  readonly paths: readonly Sampled[];
  /** Paths that redirect where the host can. */
  readonly latest: readonly string[];
}

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type: string | undefined;
}

/** How many paths of one template are looked at. */
const MOST_ALIKE = 2;
const MOST_PATHS = 40;

/** Follows links breadth first; undefined when the root is no root of this API. */
export async function sampleTree(ask: Ask): Promise<Sample | undefined> {
  const root = await documentAt(ask, '/');
  if (!root || !Array.isArray(root['links'])) return undefined;
  const type = linksIn(root).find((link) => link.type !== undefined)?.type;
  const seen = new Map<string, number>();
  const paths: Sampled[] = [];
  const waiting = ['/'];
  const known = new Set(waiting);
  for (let url = waiting.shift(); url !== undefined && paths.length < MOST_PATHS; url = waiting.shift()) {
    const endpoint = endpointOf(url);
    if (!endpoint || endpoint.content === 'latest-version') continue;
    const alike = seen.get(endpoint.template) ?? 0;
    if (alike === MOST_ALIKE) continue;
    seen.set(endpoint.template, alike + 1);
    paths.push({ url, endpoint });
    const document = url === '/' ? root : await documentAt(ask, url);
    for (const { href } of document ? linksIn(document) : []) {
      if (!known.has(href)) waiting.push(href);
      known.add(href);
    }
    if (url === '/' && !known.has('/snapshots')) waiting.push('/snapshots');
  }
  return {
    dialect: type === undefined ? 'current' : 'legacy',
    vendor:
      type === undefined ? undefined : /^application\/vnd\.(.+)\.(?:item|collection)\+json$/.exec(type)?.[1],
    paths,
    latest: ['', 'sites'].map(latestVersionUrl),
  };
}

async function documentAt(ask: Ask, url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await ask({ path: url });
  const json = response.status === 200 ? jsonOf(response) : undefined;
  return isJsonObject(json) ? json : undefined;
}

/** The links of a document and of its items. */
function linksIn(document: Readonly<Record<string, unknown>>): Link[] {
  const own = Array.isArray(document['links']) ? document['links'] : [];
  const items: unknown[] = Array.isArray(document['items']) ? document['items'].slice(0, MOST_ALIKE) : [];
  const links = own.flatMap((link: unknown): Link[] => {
    if (!isJsonObject(link)) return [];
    const { rel, href, type } = link;
    if (typeof rel !== 'string' || typeof href !== 'string') return [];
    return [{ rel, href, type: typeof type === 'string' ? type : undefined }];
  });
  return [...links, ...items.flatMap((item) => (isJsonObject(item) ? linksIn(item) : []))];
}
