/**
 * The published bytes of `_manifest.json`, which may be more than a string can hold: the manifest's parts, its signature,
 * and the claim that a publisher may have appended.
 */

import { sha256Of } from '../../core/model/digest.ts';
import { parsedJson } from '../../core/model/json.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import { type Claim, claimSchema } from '../../core/tree/claim.ts';
import {
  LINE_SEPARATOR,
  type ManifestText,
  manifestSignature,
  readSummary,
  SECTION,
} from '../../core/tree/manifest.ts';

/** The parts of a manifest, which may be larger than a string can be; undefined when it is none of this format. */
export function manifestText(published: Buffer, checks?: QuickChecks): ManifestText | undefined {
  const { manifest: bytes, claim } = splitClaim(published);
  if (!bytes) return undefined;
  const start = bytes.indexOf(SECTION.documents) + SECTION.documents.length;
  const end = bytes.lastIndexOf(SECTION.files);
  const [before, after] = [bytes.toString('utf8', 0, start), bytes.toString('utf8', Math.max(0, end))];
  const summary = readSummary(before, after, checks);
  if (!summary || end < start - 1) return undefined;
  const [digestAt, sealAt] = [bytes.lastIndexOf(SECTION.digest), bytes.lastIndexOf(SECTION.seal)];
  const sealed = `${SECTION.seal}${summary.seal ?? ''}"`;
  const ending = `${SECTION.digest}${summary.digest}"${sealed}${manifestSignature(summary.signature)}`;
  const files = bytes.subarray(end + SECTION.files.length, Math.max(0, digestAt));
  return {
    summary: claim ? { ...summary, claim } : summary,
    computed: {
      digest: sha256Of(bytes.subarray(start, end), files),
      seal: sha256Of(bytes.subarray(0, Math.max(0, sealAt))),
    },
    isEnded: bytes.toString('utf8', Math.max(0, digestAt)) === ending,
    unsigned: () => Buffer.concat([bytes.subarray(0, sealAt + sealed.length), Buffer.from(SECTION.end)]),
    *lines() {
      for (let from = start; from < end; ) {
        const next = bytes.indexOf(LINE_SEPARATOR, from);
        const to = next < 0 || next > end ? end : next;
        yield bytes.toString('utf8', from, to);
        from = to + LINE_SEPARATOR.length;
      }
    },
  };
}

/** A manifest in chunks, with a signature in the place of the one that it has, if any. */
export function signedManifest(text: ManifestText, signature: string): Uint8Array[] {
  return [text.unsigned().subarray(0, -SECTION.end.length), Buffer.from(manifestSignature(signature))];
}

const FIELD = ',"claim":';
const ALONE = '{"claim":';
const END = '}\n';

/** What a store has as its manifest: the manifest, a claim, or both. */
export interface PublishedManifest {
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

export function splitClaim(bytes: Buffer): PublishedManifest {
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
  return claimSchema().safeParse(parsedJson(bytes.toString('utf8', from, to))).data;
}
