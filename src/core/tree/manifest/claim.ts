/**
 * The claim: what a publisher writes into the published manifest before it changes anything that can change, so that
 * others keep away. It is the manifest's last field, after all that is sealed and signed, and readers pass over it. It
 * stands in the body since stores make ETags of bodies alone: a claim in the metadata would leave the ETag as it was.
 */
import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';

export const claimSchema = lazily(() => {
  const z = zod();
  return z
    .strictObject({
      nonce: z.string().describe('Random, so that no two claims are the same bytes.'),
      purpose: z.enum(['publish', 'prune']),
      revision: z.string().exactOptional().describe('The head of what is being published.'),
      since: z.number().describe('Epoch seconds of the store.'),
      until: z.number().describe('Epoch seconds of the store; from then on, others may take it over.'),
      begun: z
        .array(z.string())
        .describe('The manifests of which some documents may stand there already, by their names in _manifests.'),
    })
    .describe('A publication is under way: not part of what is sealed, and gone when it is complete.');
});

export type Claim = z.output<ReturnType<typeof claimSchema>>;

/** The longest that a claim may still have to go, in seconds: publishers ask for minutes, and renew them. */
const LONGEST_LEASE = 3600;

/** Whether a claim holds at a moment, in epoch seconds. One that would hold for days was made by no publisher. */
export function isLeaseValid({ until }: Pick<Claim, 'until'>, now: number): boolean {
  return until > now && until <= now + LONGEST_LEASE;
}

export const CLAIM_FIELD = ',"claim":';
