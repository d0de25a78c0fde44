import { dialectOf, vendorIn } from '../../core/api/dialect.ts';
import type { Fields } from '../../core/api/schemas/document-schemas.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { headWatch } from '../../core/client/head-watch.ts';
import { Failure, fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { grouped, plural } from '../../core/diagnostics/words.ts';
import { byCodeUnit, isJsonObject, itemsIn, type JsonObject } from '../../core/model/json.ts';
import { type ApiOverHttp, apiOverHttp, withinLimit } from '../../system/client/api-over-http.ts';
import { rereadOnce } from '../../system/client/retry.ts';
import { whileShown } from '../../system/terminal/progress.ts';
import { decodedText } from '../../system/trees/content-coding.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import type { CheckedResponse, Unanswered } from './check-answer.ts';
import { type CrawlReport, crawl } from './crawl.ts';
import { basesIn, FIRST_FEED } from './verify-content.ts';

export interface CrawlCommandOptions {
  readonly url: string;
  /** Seconds that an answer may take. */
  readonly timeout: number;
  readonly limit: number;
  /** Whether it is an older head (`build --at`), whose resources may break today's rules. */
  readonly older: boolean;
  /** Whether that which no link leads to is asked for too. */
  readonly thorough: boolean;
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

/** Links are followed for what they are: JSON is not preferred, since legacy media types are looked at. */
const ACCEPT = '*/*';

/** Fails when there is no such API, or when it was replaced twice while it was read. */
export async function crawlService(options: CrawlCommandOptions): Promise<CrawlResult> {
  const { url, timeout, older, thorough, showsProgress, ...bounds } = options;
  const site = apiOverHttp({ ...bounds, base: url, timeoutMs: timeout * 1000, accept: ACCEPT });
  const once = () =>
    whileShown('Crawling', showsProgress, (onProgress) =>
      crawlUrl(site, { fields: older ? 'any' : 'typed', isThorough: thorough, onProgress }),
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
  const wrong = findings.length === 0 ? 'nothing is wrong' : plural(findings.length, 'finding');
  return `${url} at revision ${revision}: ${plural(documents, 'document')}, ${grouped(links)} links, ${wrong}.\n`;
}

/**
 * Crawling a service over HTTP, as one that knows nothing but its base URL: dialect and vendor are taken from the root. It
 * ends early when another revision shows up, or when the service can be asked no more.
 */
const ROOT = resourceUrl('');

export interface CrawlUrlOptions {
  readonly fields: Fields;
  readonly isThorough: boolean;
  readonly onProgress?: (done: number, known: number) => void;
}

export interface Crawled extends CrawlReport {
  readonly revision: string | undefined;
}

/** Undefined when another revision was published meanwhile. Fails when there is no root of this API. */
export async function crawlUrl(site: ApiOverHttp, options: CrawlUrlOptions): Promise<Crawled | undefined> {
  const base = site.rootPath.replace(/\/$/, '');
  const watch = headWatch();
  const root = (await site.get(site.rootPath))?.body;
  if (!Array.isArray(root?.['links'])) return fail(finding('no-api', { url: site.shown(site.rootPath) }));
  watch.see(ROOT, root);
  const feed = await site.fetch(base + FIRST_FEED);
  const answers = answersOf(site, base);
  const report = await crawl({
    fetch: answers.fetch,
    dialect: dialectOf(dialectIn(root)),
    bases: basesIn(feed.status === 200 ? decodedText(feed.body) : undefined),
    checks: packagedChecks(),
    ...options,
    onBody: watch.see,
    isOver: () => watch.hasMoved() || answers.ended() !== undefined,
  });
  const ended = answers.ended();
  if (ended && !watch.hasMoved()) throw ended;
  // What came last may have been of the old tree still.
  if (!watch.hasMoved()) watch.see(ROOT, (await site.get(site.rootPath))?.body);
  return watch.hasMoved() ? undefined : { ...report, revision: watch.head() };
}

/** What links say of their targets, only legacy links say. */
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

interface Answers {
  readonly fetch: (url: string) => Promise<CheckedResponse | Unanswered>;
  /** What ends everything, such as too many requests. */
  readonly ended: () => Failure | undefined;
}

function answersOf(site: ApiOverHttp, base: string): Answers {
  let ended: Failure | undefined;
  const fetch = async (url: string): Promise<CheckedResponse | Unanswered> => {
    try {
      const { status, headers, body } = await site.answer(base + url);
      const location = headers['location'];
      const target = location === undefined ? {} : { location: targetOf(location, site.shown(base + url), base) };
      return { status, headers: { ...headers, ...target }, body: decodedText(body) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const [first] = error.findings;
      if (first?.code === 'no-answer' || first?.code === 'too-large') return { unreachable: first.args.reason };
      // The report is for nothing then.
      ended ??= error;
      return { unreachable: error.message };
    }
  };
  return { fetch, ended: () => ended };
}

/** The path below the base that a redirect leads to; where it leads elsewhere, what is no path of the API. */
function targetOf(location: string, from: string, base: string): string {
  const url = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (url?.origin !== new URL(from).origin || !url.pathname.startsWith(`${base}/`)) return `to ${location}`;
  return url.pathname.slice(base.length);
}
