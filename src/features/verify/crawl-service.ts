import { fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { grouped, plural } from '../../core/diagnostics/words.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { apiOverHttp, withinLimit } from '../../system/client/api-over-http.ts';
import { rereadOnce } from '../../system/client/reread-once.ts';
import { whileShown } from '../../system/terminal/progress.ts';
import { crawlUrl } from './crawl-url.ts';

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
