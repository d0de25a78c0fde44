/**
 * The claim: what a publisher writes into the published manifest before it changes anything that can change, so that
 * others keep away. It is the manifest's last field, after all that is sealed and signed, and readers pass over it. It
 * stands in the body since stores make ETags of bodies alone: a claim in the metadata would leave the ETag as it was.
 */
import type { z } from 'zod';
import { lazily } from '../model/on-demand.ts';
import { zod } from '../platform/modules.ts';

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
        .describe(
          'The manifests of which some documents may stand there already, by their names in _manifests.',
        ),
    })
    .describe('A publication is under way: not part of what is sealed, and gone when it is complete.');
});

export type Claim = z.output<ReturnType<typeof claimSchema>>;

const FIELD = ',"claim":';
const ALONE = '{"claim":';
const END = '}\n';

/** What a store has as its manifest: the manifest, a claim, or both. */
export interface Published {
  /** As its publisher wrote it, without the claim. */
  readonly manifest: Buffer | undefined;
  readonly claim: Claim | undefined;
}

/** Before the first publication there is a claim and no manifest. */
export function withClaim(manifest: Buffer | undefined, claim: Claim): Buffer {
  const text = JSON.stringify(claim);
  if (!manifest) return Buffer.from(`${ALONE}${text}${END}`);
  return Buffer.concat([
    manifest.subarray(0, manifest.length - END.length),
    Buffer.from(`${FIELD}${text}${END}`),
  ]);
}

export function splitClaim(bytes: Buffer): Published {
  const at = bytes.lastIndexOf(FIELD);
  if (at >= 0) {
    const claim = claimIn(bytes, at + FIELD.length);
    const manifest = () => Buffer.concat([bytes.subarray(0, at), Buffer.from(END)]);
    return claim ? { manifest: manifest(), claim } : { manifest: bytes, claim: undefined };
  }
  const isAlone = bytes.toString('utf8', 0, ALONE.length) === ALONE;
  const claim = isAlone ? claimIn(bytes, ALONE.length) : undefined;
  return claim ? { manifest: undefined, claim } : { manifest: bytes, claim: undefined };
}

function claimIn(bytes: Buffer, from: number): Claim | undefined {
  const to = bytes.length - END.length;
  if (bytes.toString('utf8', to) !== END) return undefined;
  try {
    return claimSchema().safeParse(JSON.parse(bytes.toString('utf8', from, to))).data;
  } catch {
    return undefined;
  }
}
