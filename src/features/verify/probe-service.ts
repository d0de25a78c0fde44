import { jsonOf, type SendRequest } from '../../core/api/http-exchange.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { headWatch } from '../../core/client/head-watch.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { type Probed, probe } from '../../core/hosts/probe/probe.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { MISSING_STATUSES } from '../../system/client/api-over-http.ts';
import { httpClient } from '../../system/client/http-client.ts';
import { rereadOnce } from '../../system/client/retry.ts';
import { decodeContent } from '../../system/trees/content-coding.ts';
import { getHostOrThrow } from '../build/chosen-host.ts';
import { selfOf } from './check-response.ts';

export interface ProbeOptions {
  readonly url: string;
  readonly host?: string | undefined;
  readonly rate: number;
  /** The maximum time for a request, in seconds. */
  readonly timeout: number;
  readonly maxRequests: number;
}

export interface ProbeResult {
  readonly url: string;
  readonly requests: number;
  readonly ok: boolean;
  readonly results: readonly Probed[];
}

/** If the published revision changes during the checks, calls `onAgain`, discards all results and starts again. */
export async function probeUrl(
  options: ProbeOptions,
  onResult: (probed: Probed) => void,
  onAgain: () => void = () => {},
): Promise<ProbeResult> {
  const { url, rate, timeout, maxRequests } = options;
  const host = options.host === undefined ? undefined : getHostOrThrow(options.host);
  const asking = httpClient({ base: url, rate, timeoutMs: timeout * 1000 });
  let requests = 0;
  const results: Probed[] = [];
  try {
    const counted: SendRequest = (request) => {
      requests++;
      if (requests > maxRequests) fail(finding('too-many-requests', { limit: maxRequests }));
      return asking.send(request);
    };
    const once = async () => {
      const ask = steadyAsk(counted, () => fail(finding('place-moved', { place: url })));
      await requireRoot(ask, url);
      for await (const probed of probe(ask, decodeContent, host)) {
        if (!probed) return fail(finding('no-api', { url }));
        results.push(probed);
        onResult(probed);
      }
      // Detects a publication that happened during the last requests.
      await ask({ path: ROOT });
    };
    await rereadOnce(once, () => {
      results.length = 0;
      onAgain();
    });
  } finally {
    asking.close();
  }
  return { url, requests, ok: results.every(({ outcome }) => outcome !== 'wrong'), results };
}

const ROOT = resourceUrl('');

/** Fails for an error of the server, and for a URL below the root of an API, because all checks would fail. */
async function requireRoot(ask: SendRequest, url: string): Promise<void> {
  const answer = await ask({ path: ROOT });
  const { status } = answer;
  if (status !== 200 && !MISSING_STATUSES.includes(status)) return fail(finding('site-status', { url, status }));
  const document = jsonOf(answer, FILE_BYTES);
  const href = isJsonObject(document) && document['type'] !== 'grid' ? selfOf(document) : undefined;
  if (href === undefined || href === '/') return;
  const here = url.replace(/\/+$/, '');
  const root = here.endsWith(href)
    ? `${here.slice(0, -href.length)}/`
    : 'the URL whose document has "/" as its "self" link';
  fail(finding('not-the-root', { url, self: href, root }));
}

function steadyAsk(ask: SendRequest, moved: () => never): SendRequest {
  const watch = headWatch();
  return async (request) => {
    const answer = await ask(request);
    if (answer.status === 200 && answer.headers['content-encoding'] === undefined)
      watch.observe(request.path, jsonOf(answer, request.path === ROOT ? FILE_BYTES : undefined));
    return watch.hasMoved() ? moved() : answer;
  };
}

const MOST_FAILING = 5;
const WORDS = {
  holds: 'holds',
  'by-nature': 'the host cannot',
  wrong: 'WRONG',
  'not-applicable': 'does not apply',
} as const;

export function describeProbed({ capability, outcome, failing, advice }: Probed, palette: Palette): string {
  const paint = outcome === 'wrong' ? palette.error : outcome === 'by-nature' ? palette.warning : palette.quiet;
  const head = `${capability.padEnd(18)} ${paint(WORDS[outcome])}\n`;
  if (outcome === 'holds' || outcome === 'not-applicable') return head;
  const shown = outcome === 'wrong' ? failing.slice(0, MOST_FAILING) : [];
  const rest = failing.length - shown.length;
  const more = outcome === 'wrong' && rest > 0 ? `    and ${rest} more\n` : '';
  return `${head}${shown.map(({ request, message }) => `    ${request} ${message}\n`).join('')}${more}${advice === undefined ? '' : `  ${advice}\n`}`;
}
