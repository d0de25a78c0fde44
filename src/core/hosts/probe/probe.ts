/** Probing a deployment: every check, and what its outcome means for the host that it runs on. */

import type { SendRequest } from '../../api/http-exchange.ts';
import { CAPABILITIES, type Capability, type Host, type Shortcoming } from '../host.ts';
import { CHECKS } from './checks.ts';
import { checkEncodings, type Decode } from './encodings.ts';
import type { Failing, Probing } from './probing.ts';
import { type Sample, sampleTree } from './sample.ts';

/** `by-nature`: it does not hold, as the host's own statement of limits says. */
export type Outcome = 'holds' | 'by-nature' | 'wrong' | 'not-applicable';

export interface Probed {
  readonly capability: Capability;
  readonly outcome: Outcome;
  /** What does not hold; where something is wrong, only that. */
  readonly failing: readonly Failing[];
  /** What to do about it, or why the host cannot. */
  readonly advice: string | undefined;
}

const CAPABILITY_NAMES = Object.keys(CAPABILITIES).filter((name): name is Capability =>
  Object.hasOwn(CAPABILITIES, name),
);

/** Runs all checks one after the other; undefined when there is no such API. `host` knows what it cannot do. */
export async function* probe(
  ask: SendRequest,
  decode: Decode,
  host: Host | undefined,
): AsyncGenerator<Probed | undefined> {
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

function judged(
  capability: Capability,
  failing: readonly Failing[],
  { dialect, gone }: Sample,
  host: Host | undefined,
): Probed {
  if ((capability === 'accept' && dialect === 'current') || (capability === 'gone' && gone.length === 0))
    return { capability, outcome: 'not-applicable', failing, advice: undefined };
  if (failing.length === 0) return { capability, outcome: 'holds', failing, advice: undefined };
  const known = (host?.shortcomings ?? []).filter((shortcoming) => shortcoming.capability === capability);
  const wrong = failing.filter((each) => !known.some((shortcoming) => explains(shortcoming, each)));
  if (wrong.length > 0)
    return { capability, outcome: 'wrong', failing: wrong, advice: adviceOn(capability, wrong) };
  const reasons = known.filter((shortcoming) => failing.some((each) => explains(shortcoming, each)));
  return { capability, outcome: 'by-nature', failing, advice: reasons.map(({ why }) => why).join(' ') };
}

/** Whether it is for a host's shortcoming that something does not hold. */
export function explains(shortcoming: Shortcoming, { request, says }: Failing): boolean {
  return shortcoming.extent === 'none' || shortcoming.covers.test(`${request} ${says}`);
}

/** What to do about what is wrong: of its cause, where what fails tells it. */
function adviceOn(capability: Capability, wrong: readonly Failing[]): string {
  const lacksBrotli = wrong.every(({ says }) => /^comes as (gzip|identity), not br$/.test(says));
  return capability === 'precompressed' && lacksBrotli ? NO_BROTLI : ADVICE[capability];
}

const NO_BROTLI =
  'Only brotli is missing: the server has no module for it, or is not told to use it. For nginx, load ngx_http_brotli_static_module (Debian: libnginx-mod-http-brotli-static) and include _hosts/nginx/brotli.conf.';
const REBUILD = 'Build with --host NAME, deploy its files, and reload the server.';
const KEEP_TIMES = 'Copy the tree with its file times (rsync -t, cp -p, tar).';

const ADVICE: Readonly<Record<Capability, string>> = {
  'url-forms': REBUILD,
  'media-types': REBUILD,
  accept: `${REBUILD} A cache in between must honour Vary: Accept.`,
  'cache-classes': `${REBUILD} A proxy in between may set Cache-Control itself.`,
  headers: `${REBUILD} A proxy in between may strip headers.`,
  etag: `${REBUILD} A proxy that compresses may drop ETags.`,
  'last-modified': KEEP_TIMES,
  head: REBUILD,
  'not-found': REBUILD,
  'method-not-allowed': REBUILD,
  'pretty-query': `${REBUILD} A cache in between must keep the query in its key.`,
  'pretty-header': `${REBUILD} A cache in between must honour Vary.`,
  precompressed: `${REBUILD} The .gz and .br files must be deployed too.`,
  gone: REBUILD,
  latest: REBUILD,
  queries: REBUILD,
};
