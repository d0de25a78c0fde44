/** Runs all checks on a deployment, and compares the failures with the shortcomings of the host. */

import type { ProbeResponse, SendRequest } from '../../api/http-exchange.ts';
import { isMissingResponse } from '../../diagnostics/finding.ts';
import { CAPABILITY_NAMES, type Capability, type Host, type Shortcoming } from '../host.ts';
import { CHECKS } from './checks.ts';
import { type Check, type Decode, type Failing, NOT_ANSWERED, type Probing } from './probing.ts';
import { type Sample, sampleTree } from './sample.ts';

/** A failure has the outcome `by-nature` if a shortcoming of the host explains the failure. */
type Outcome = 'holds' | 'by-nature' | 'wrong' | 'not-applicable';

export interface Probed {
  readonly capability: Capability;
  readonly outcome: Outcome;
  /** The failures. If the outcome is `wrong`, omits the failures that a shortcoming of the host explains. */
  readonly failing: readonly Failing[];
  readonly advice: string | undefined;
}

/** Runs all checks sequentially. Yields undefined if there is no gridpress API at the base URL. */
export async function* probe(
  send: SendRequest,
  decode: Decode,
  host: Host | undefined,
): AsyncGenerator<Probed | undefined> {
  const ask = askOnce(send);
  const sample = await sampleTree(ask);
  if (!sample) {
    yield undefined;
    return;
  }
  for (const capability of CAPABILITY_NAMES) {
    const failing = await failuresOf(CHECKS[capability], { ask, decode, sample }, send);
    yield judge(capability, failing, sample, host);
  }
}

/**
 * A request without a response ends the check. A firewall can close the connection, for example after a POST. Fails if
 * the root has no response either, because then the server does not run.
 */
async function failuresOf(
  check: Check,
  { ask, ...probing }: Omit<Probing, 'report'>,
  send: SendRequest,
): Promise<Failing[]> {
  const failing: Failing[] = [];
  let last = '';
  const named: SendRequest = (request) => {
    const { method, path } = request;
    last = method === undefined ? path : `${method} ${path}`;
    return ask(request);
  };
  try {
    await check({ ...probing, ask: named, report: (request, message) => failing.push({ request, message }) });
  } catch (error) {
    if (!isMissingResponse(error)) throw error;
    await send({ path: '/' });
    failing.push({ request: last, message: NOT_ANSWERED });
  }
  return failing;
}

function judge(capability: Capability, failing: readonly Failing[], sample: Sample, host: Host | undefined): Probed {
  if (!applies(capability, sample)) return { capability, outcome: 'not-applicable', failing, advice: undefined };
  if (failing.length === 0) return { capability, outcome: 'holds', failing, advice: undefined };
  const known = (host?.shortcomings ?? []).filter((shortcoming) => shortcoming.capability === capability);
  const wrong = failing.filter((each) => !known.some((shortcoming) => explains(shortcoming, each)));
  if (wrong.length > 0) return { capability, outcome: 'wrong', failing: wrong, advice: adviceOn(capability, wrong) };
  const reasons = known.filter((shortcoming) => failing.some((each) => explains(shortcoming, each)));
  return { capability, outcome: 'by-nature', failing, advice: reasons.map(({ why }) => why).join(' ') };
}

function applies(capability: Capability, { dialect, gone, basePath, snapshot }: Sample): boolean {
  if (capability === 'accept') return dialect === 'legacy';
  if (capability === 'gone') return gone.length > 0;
  return capability !== 'prefixes' || basePath !== '' || snapshot !== undefined;
}

export function explains({ covers }: Shortcoming, { request, message }: Failing): boolean {
  return covers.test(`${request} ${message}`);
}

/** The maximum size of a cached body in bytes. The limit saves memory. */
const LARGEST_CACHED = 1 << 20;

export function askOnce(ask: SendRequest): SendRequest {
  const answers = new Map<string, ProbeResponse>();
  return async (request) => {
    const { path, method = 'GET', headers } = request;
    if (method !== 'GET' || headers !== undefined) return await ask(request);
    const known = answers.get(path);
    if (known) return known;
    const answer = await ask(request);
    if (answer.body.length <= LARGEST_CACHED) answers.set(path, answer);
    return answer;
  };
}

const REBUILD = 'List the host under hosts in gridpress.yaml, build, deploy, and reload the server.';
const OLD_RULES = `The server has no rules for it, or rules of an older gridpress. ${REBUILD}`;

/**
 * For each capability, the probe prints the advice of the first row whose pattern matches all failures of this
 * capability.
 */
const CAUSES: readonly (readonly [Capability, shows: RegExp, advice: string])[] = [
  [
    'precompressed',
    / of the vendor's type .* comes as /,
    'A module or a proxy compresses vendor media types, which legacy clients cannot decode. Exclude application/vnd.* from compression (nginx: gzip_types; Apache: AddOutputFilterByType; a CDN: its compression rule). If nothing else compresses, the rules belong to an older gridpress: list the host under hosts in gridpress.yaml, build and deploy again.',
  ],
  [
    'precompressed',
    / comes as (?:gzip|identity), not br$/,
    'Only brotli is missing: the .br files were not copied, or the rules belong to an older gridpress, which required a module of nginx. List the host under hosts in gridpress.yaml, build, copy all files of the tree, and reload the server.',
  ],
  [
    'precompressed',
    / comes as identity, not /,
    'Nothing is compressed: the .gz and .br files are missing (was the tree built with --no-precompressed?), or a proxy removes Accept-Encoding.',
  ],
  [
    'precompressed',
    / with Accept-Encoding: br;q=.* comes as /,
    'A module of the server or a proxy selects the coding without regard to q-values. Let the generated rules of the host select it.',
  ],
  [
    'cache-classes',
    / with Range: .* has Cache-Control: none$/,
    `Responses to range requests have no Cache-Control. ${OLD_RULES}`,
  ],
  ['headers', / has Access-Control-Expose-Headers: /, `Pages of other origins cannot read ETag and Link. ${OLD_RULES}`],
  [
    'refusals',
    / has access-control-allow-origin: /,
    'Access-Control-Allow-Origin is sent twice, which browsers reject: the rules add it, and so does a proxy or a module. Remove one.',
  ],
  [
    'refusals',
    /^TRACE /,
    'The server itself responds to TRACE. Disable it (Apache: TraceEnable off, for the whole server).',
  ],
  [
    'refusals',
    / is 4\d\d as text\//,
    'The server rejects these requests before it applies the rules, with its own error pages. Error pages are set for the whole server; below a base path, the rules do not change them.',
  ],
  [
    'preflight',
    / answers (?:401|403|405|501), not 204$/,
    `OPTIONS does not reach the rules, or the rules belong to an older gridpress. A proxy may only allow GET. ${REBUILD}`,
  ],
  [
    'last-modified',
    / has no Last-Modified$/,
    'The server sends no Last-Modified: a proxy or a hosting service may remove it.',
  ],
];

const ADVICE: Readonly<Record<Capability, string>> = {
  'url-forms': `Paths without an ending, or with a trailing slash, do not lead to their files. ${OLD_RULES}`,
  'media-types': `The server derives media types from file names. ${OLD_RULES}`,
  accept: `Accept has no effect. ${OLD_RULES} A cache must respect Vary: Accept.`,
  'cache-classes': `${OLD_RULES} A proxy may set Cache-Control itself.`,
  headers: `${OLD_RULES} A proxy may remove headers.`,
  etag: `ETags are missing or not recognized: a proxy that compresses removes them or makes them weak, and some default configurations disable them. ${REBUILD}`,
  'last-modified':
    'The file times are not the times of the revisions. Copy the tree with its file times (rsync -t, cp -p, tar).',
  head: `Another rule or a proxy handles HEAD. ${REBUILD}`,
  'not-found': `Missing paths get the server's own error pages. ${OLD_RULES}`,
  'method-not-allowed': `Other methods are not rejected, or not by the rules. ${OLD_RULES}`,
  preflight: OLD_RULES,
  refusals: `Requests that the server rejects itself get its own error pages. ${OLD_RULES}`,
  'pretty-query': `${OLD_RULES} A cache must include the query in its key.`,
  'pretty-header': `${OLD_RULES} A cache must respect Vary.`,
  'version-query': `Requests for another revision get the head. ${OLD_RULES} A cache must include the query in its key.`,
  precompressed: `${REBUILD} Deploy the .gz and .br files, too.`,
  gone: `The server does not look for tombstones below _gone/, or they were not deployed. ${REBUILD}`,
  latest: `The redirects are missing or belong to another tree. The server reads them when it reloads. ${REBUILD}`,
  prefixes: `Repeated prefixes are not ignored. ${OLD_RULES}`,
  queries: `A query changes the response: a proxy may treat it as part of the path. ${REBUILD}`,
};

function adviceOn(capability: Capability, wrong: readonly Failing[]): string {
  const cause = CAUSES.find(
    ([of, shows]) => of === capability && wrong.every(({ request, message }) => shows.test(`${request} ${message}`)),
  );
  return cause?.[2] ?? ADVICE[capability];
}
