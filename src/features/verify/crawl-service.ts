import { dialectOf, vendorIn } from '../../core/api/dialect.ts';
import { endpointOf } from '../../core/api/endpoints.ts';
import type { FieldChecks } from '../../core/api/schemas/document-schemas.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { headWatch } from '../../core/client/head-watch.ts';
import { Failure, type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { byCodeUnit, isJsonObject, itemsIn, type JsonObject } from '../../core/model/json.ts';
import { type ApiOverHttp, apiOverHttp, withinLimit } from '../../system/client/api-over-http.ts';
import { rereadOnce } from '../../system/client/retry.ts';
import { whileShown } from '../../system/terminal/progress.ts';
import { decodedText } from '../../system/trees/content-coding.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import type { CheckedResponse, FailedRequest } from './check-response.ts';
import { type CrawlReport, crawl } from './crawl.ts';
import { basesIn, FIRST_FEED } from './verify-content.ts';

export interface CrawlCommandOptions {
  readonly url: string;
  /** The maximum time for a request, in seconds. */
  readonly timeout: number;
  readonly maxRequests: number;
  /** Whether to accept trees of old revisions (`build --at`), which can violate the current schema rules. */
  readonly older: boolean;
  readonly thorough: boolean;
  /** Limits the crawl to this path and the paths below it. */
  readonly under?: string | undefined;
  /** The maximum number of requested documents per endpoint. */
  readonly sample?: number | undefined;
  readonly showsProgress: boolean;
  readonly pauseMs?: number;
}

export interface CrawlResult {
  readonly url: string;
  readonly revision: string | undefined;
  readonly documents: number;
  readonly links: number;
  readonly endpoints: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

/** The crawl's Accept header does not prefer JSON, because the crawl checks legacy media types. */
const ACCEPT = '*/*';

/** Fails if there is no API, or if the API was replaced twice during the crawl. */
export async function crawlService(options: CrawlCommandOptions): Promise<CrawlResult> {
  const { url, timeout, older, thorough, under, sample, showsProgress, ...bounds } = options;
  const site = apiOverHttp({ ...bounds, base: url, timeoutMs: timeout * 1000, accept: ACCEPT });
  const once = () =>
    whileShown('Crawling', showsProgress, (onProgress) =>
      crawlUrl(site, { fields: older ? 'any' : 'typed', includesUnlinked: thorough, under, sample, onProgress }),
    );
  try {
    const crawled = await rereadOnce(
      async () => (await withinLimit(once)) ?? fail(finding('place-moved', { place: url })),
      site.refresh,
    );
    const { revision, asked, links, endpoints, findings } = crawled;
    const rows = [...endpoints].sort(([a], [b]) => byCodeUnit(a, b));
    return { url, revision, documents: asked, links, endpoints: Object.fromEntries(rows), findings };
  } finally {
    site.close();
  }
}

export function describeCrawled({ url, revision, documents, links, findings }: CrawlResult): string {
  const result = findings.length === 0 ? 'no findings' : plural(findings.length, 'finding');
  return `${url} at revision ${revision}: ${plural(documents, 'document')}, ${formatCount(links)} links, ${result}.\n`;
}

const ROOT = resourceUrl('');

export interface CrawlUrlOptions {
  readonly fields: FieldChecks;
  readonly includesUnlinked: boolean;
  readonly under?: string | undefined;
  readonly sample?: number | undefined;
  readonly onProgress?: (done: number, known: number) => void;
}

export interface Crawled extends CrawlReport {
  readonly revision: string | undefined;
}

/** Returns undefined if the published revision changes during the crawl. Fails if the URL is not an API's root. */
export async function crawlUrl(site: ApiOverHttp, options: CrawlUrlOptions): Promise<Crawled | undefined> {
  const base = site.rootPath.replace(/\/$/, '');
  const { under, ...rest } = options;
  const top = under === undefined ? undefined : `/${under.replace(/^\/+|\/+$/g, '')}`;
  if (top !== undefined && !endpointOf(top)) return fail(finding('crawl-under', { path: top }));
  const watch = headWatch();
  const root = (await site.get(site.rootPath))?.body;
  if (!Array.isArray(root?.['links'])) return fail(finding('no-api', { url: site.format(site.rootPath) }));
  watch.observe(ROOT, root);
  const feed = await site.fetch(base + FIRST_FEED);
  const answers = requestsTo(site, base);
  const report = await crawl({
    fetch: answers.fetch,
    dialect: dialectOf(dialectIn(root)),
    bases: basesIn(feed.status === 200 ? decodedText(feed.body) : undefined),
    checks: packagedChecks,
    ...rest,
    ...(top === undefined
      ? {}
      : { starts: [top], follows: (path) => `${path}/`.startsWith(top === '/' ? top : `${top}/`) }),
    onBody: watch.observe,
    isStopped: () => watch.hasMoved() || answers.ended() !== undefined,
  });
  const ended = answers.ended();
  const [reason] = ended?.findings ?? [];
  if (watch.hasMoved()) return undefined;
  // A crawl that reaches the maximum number of requests still reports the responses so far.
  if (reason?.code === 'site-requests')
    return { ...report, revision: watch.head(), findings: [...report.findings, finding('crawl-limit', reason.args)] };
  if (ended) throw ended;
  // Detects a publication that happened during the last requests.
  watch.observe(ROOT, (await site.get(site.rootPath))?.body);
  return watch.hasMoved() ? undefined : { ...report, revision: watch.head() };
}

function dialectIn(root: JsonObject) {
  const types = itemsIn(root['links']).flatMap((link) =>
    isJsonObject(link) && typeof link['type'] === 'string' ? [link['type']] : [],
  );
  const [type] = types;
  return {
    dialect: type === undefined ? 'current' : 'legacy',
    vendor: vendorIn(type ?? '') ?? '',
    release: '',
  } as const;
}

function requestsTo(site: ApiOverHttp, base: string) {
  let ended: Failure | undefined;
  const fetch = async (url: string): Promise<CheckedResponse | FailedRequest | undefined> => {
    try {
      const { status, headers, body } = await site.answer(base + url);
      const location = headers['location'];
      const target = location === undefined ? {} : { location: targetOf(location, site.format(base + url), base) };
      return { status, headers: { ...headers, ...target }, body: decodedText(body) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const [first] = error.findings;
      if (first?.code === 'no-answer' || first?.code === 'too-large') return { unreachable: first.args.reason };
      ended ??= error;
      return undefined;
    }
  };
  /** `ended` returns the failure that ended the crawl, such as too many requests. */
  return { fetch, ended: () => ended };
}

/** Returns a redirect's target below the base as a path, and any other target as text. */
function targetOf(location: string, from: string, base: string): string {
  const url = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (url?.origin !== new URL(from).origin || !url.pathname.startsWith(`${base}/`)) return `to ${location}`;
  return url.pathname.slice(base.length);
}
