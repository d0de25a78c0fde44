import { parsedJson } from '../../core/model/json.ts';
import { CLAIM_FIELD, type Claim, claimSchema } from '../../core/tree/manifest/manifest.ts';

const ALONE = '{"claim":';
const END = '}\n';

/** Adds a claim to a manifest. Before the first publication, no manifest exists, and the result is only the claim. */
export function withClaim(manifest: Buffer | undefined, claim: Claim): Buffer {
  const text = JSON.stringify(claim);
  if (!manifest) return Buffer.from(`${ALONE}${text}${END}`);
  return Buffer.concat([
    manifest.subarray(0, manifest.length - END.length),
    Buffer.from(`${CLAIM_FIELD}${text}${END}`),
  ]);
}

export function splitClaim(bytes: Buffer): {
  readonly manifest: Buffer | undefined;
  readonly claim: Claim | undefined;
} {
  const at = bytes.lastIndexOf(CLAIM_FIELD);
  if (at >= 0) {
    const claim = claimIn(bytes, at + CLAIM_FIELD.length);
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
  return claimSchema().safeParse(parsedJson(bytes.toString('utf8', from, to))).data;
}
