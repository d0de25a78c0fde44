/** Probing a deployment: every check, and what its outcome means for the host that it runs on. */

import type { ProbeResponse, SendRequest } from '../../api/http-exchange.ts';
import { CAPABILITY_NAMES, type Capability, type Host, type Shortcoming } from '../host.ts';
import { CHECKS } from './checks.ts';
import { checkEncodings, type Decode } from './encodings.ts';
import type { Failing, Probing } from './probing.ts';
import { type Sample, sampleTree } from './sample.ts';

/** `by-nature`: it does not hold, as the host's own statement of limits says. */
type Outcome = 'holds' | 'by-nature' | 'wrong' | 'not-applicable';

export interface Probed {
  readonly capability: Capability;
  readonly outcome: Outcome;
  /** What does not hold; where something is wrong, only that. */
  readonly failing: readonly Failing[];
  /** What to do about it, or why the host cannot. */
  readonly advice: string | undefined;
}

/** Runs all checks one after the other; undefined when there is no such API. `host` knows what it cannot do. */
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
    const failing: Failing[] = [];
    const probing: Probing = { ask, sample, fails: (request, says) => failing.push({ request, says }) };
    if (capability === 'precompressed') await checkEncodings(probing, decode);
    else await CHECKS[capability]?.(probing);
    yield judged(capability, failing, sample, host);
  }
}

function judged(capability: Capability, failing: readonly Failing[], sample: Sample, host: Host | undefined): Probed {
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

/** Whether it is for a host's shortcoming that something does not hold. */
export function explains(shortcoming: Shortcoming, { request, says }: Failing): boolean {
  return shortcoming.extent === 'none' || shortcoming.covers.test(`${request} ${says}`);
}

/** In bytes. Larger bodies are asked for again, so that they need not all be held. */
const LARGEST_KEPT = 1 << 20;

export function askOnce(ask: SendRequest): SendRequest {
  const answers = new Map<string, ProbeResponse>();
  return async (request) => {
    const { path, method = 'GET', headers } = request;
    if (method !== 'GET' || headers !== undefined) return await ask(request);
    const known = answers.get(path);
    if (known) return known;
    const answer = await ask(request);
    if (answer.body.length <= LARGEST_KEPT) answers.set(path, answer);
    return answer;
  };
}

/** What to do about what a probe found wrong: the cause first, as far as what fails tells it, then the remedy. */
const REBUILD = 'Build with --host NAME, deploy its files, and reload the server.';
const OLD_RULES = `The server has no rules for it, or those of an older gridpress. ${REBUILD}`;

/** Causes that show in each of the requests that fail. */
const CAUSES: readonly (readonly [Capability, shows: RegExp, advice: string])[] = [
  [
    'precompressed',
    / of the vendor's type .* comes as /,
    'Something compresses answers of the vendor media types, which clients of that family do not decode: a module or a proxy that compresses by itself must leave out application/vnd.* (nginx: gzip_types; Apache: AddOutputFilterByType; a CDN: its rule for compression). Otherwise the rules are those of an older gridpress: build with --host NAME and deploy anew.',
  ],
  [
    'precompressed',
    / comes as (?:gzip|identity), not br$/,
    'Only brotli is missing: the .br files were left behind when the tree was copied, or the rules are those of an older gridpress, which left brotli to a module of nginx. Copy all files of the tree, build with --host NAME, and reload the server.',
  ],
  [
    'precompressed',
    / comes as identity, not /,
    'Nothing is compressed: the .gz and .br files are not there (was the tree built with --no-precompressed?), or a proxy in between takes Accept-Encoding away.',
  ],
  [
    'precompressed',
    / with Accept-Encoding: br;q=.* comes as /,
    'The q-values of Accept-Encoding are not compared: a module of the server chooses the coding, or a proxy in between does. Let the rules of --host NAME choose it.',
  ],
  [
    'cache-classes',
    / with Range: .* has Cache-Control: none$/,
    `Parts of documents are sent without Cache-Control. ${OLD_RULES}`,
  ],
  ['headers', / has Access-Control-Expose-Headers: /, `Pages of other origins cannot read ETag and Link. ${OLD_RULES}`],
  [
    'refusals',
    / has access-control-allow-origin: /,
    'Access-Control-Allow-Origin is sent twice, which browsers take for none: the rules and a proxy or a module each add it. Keep one.',
  ],
  [
    'refusals',
    /^TRACE /,
    'The server answers TRACE by itself: turn it off (Apache: TraceEnable off, for the whole server).',
  ],
  [
    'refusals',
    / is 4\d\d as text\//,
    'The server refuses these before it comes to the rules, with a page of its own: its error pages are set for the whole server (below a prefix the rules leave them alone).',
  ],
  [
    'preflight',
    / answers (?:401|403|405|501), not 204$/,
    `OPTIONS does not come to the rules, or these are of an older gridpress: a proxy in between may let only GET pass. ${REBUILD}`,
  ],
  [
    'last-modified',
    / has no Last-Modified$/,
    'The server sends no Last-Modified: a proxy in between, or a page builder that sends files itself, drops it.',
  ],
];

const ADVICE: Readonly<Record<Capability, string>> = {
  'url-forms': `Paths without an ending, or with a slash, do not lead to their files. ${OLD_RULES}`,
  'media-types': `The server guesses media types from endings of names. ${OLD_RULES}`,
  accept: `Accept is not looked at: ${OLD_RULES.charAt(0).toLowerCase()}${OLD_RULES.slice(1)} A cache in between must honour Vary: Accept.`,
  'cache-classes': `${OLD_RULES} A proxy in between may set Cache-Control itself.`,
  headers: `${OLD_RULES} A proxy in between may strip headers.`,
  etag: `ETags are missing or not understood: a proxy that compresses drops them or makes them weak, and some pages of servers switch them off. ${REBUILD}`,
  'last-modified':
    "File times are not the revisions': the tree was copied without them. Copy it with its file times (rsync -t, cp -p, tar).",
  head: `HEAD is answered by another rule, or by something in between. ${REBUILD}`,
  'not-found': `Misses are answered by the server's own pages. ${OLD_RULES}`,
  'method-not-allowed': `Other methods are not refused, or not by the rules. ${OLD_RULES}`,
  preflight: OLD_RULES,
  refusals: `What the server refuses by itself has pages of its own. ${OLD_RULES}`,
  'pretty-query': `${OLD_RULES} A cache in between must keep the query in its key.`,
  'pretty-header': `${OLD_RULES} A cache in between must honour Vary.`,
  'version-query': `The head is answered to who asks for another revision. ${OLD_RULES} A cache in between must keep the query in its key.`,
  precompressed: `${REBUILD} The .gz and .br files must be deployed too.`,
  gone: `The server does not look for tombstones below _gone/, or they were not deployed. ${REBUILD}`,
  latest: `The redirects are those of another tree, or none: they are read when the server is reloaded. ${REBUILD}`,
  prefixes: `Each prefix counts. ${OLD_RULES}`,
  queries: `A query changes what is answered: something in between takes it for a part of the path. ${REBUILD}`,
};

function adviceOn(capability: Capability, wrong: readonly Failing[]): string {
  const cause = CAUSES.find(
    ([of, shows]) => of === capability && wrong.every(({ request, says }) => shows.test(`${request} ${says}`)),
  );
  return cause?.[2] ?? ADVICE[capability];
}
