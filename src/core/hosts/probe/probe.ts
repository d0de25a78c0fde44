/** Probing a deployment: every check, and what its outcome means for the host that it runs on. */

import type { SendRequest } from '../../api/http-exchange.ts';
import { CAPABILITY_NAMES, type Capability, type Host, type Shortcoming } from '../host.ts';
import { adviceOn } from './advice.ts';
import { askOnce } from './ask-once.ts';
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
