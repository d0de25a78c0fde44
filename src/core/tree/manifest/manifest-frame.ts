/**
 * Reads the manifest fields before and after the list of documents. The reading time does not depend on the number of
 * documents.
 */

import { CACHE_CONTROL, type CacheControl } from '../../api/endpoints.ts';
import { isJsonObject, parsedJson } from '../../model/json.ts';
import { runningDigest } from '../../platform/digests.ts';
import type { QuickChecks } from '../../registry/quick-check.ts';
import {
  CLAIM_FIELD,
  cacheControlSchema,
  MANIFEST_SCHEMA,
  type ManifestJson,
  type ManifestSummary,
  manifestSchema,
  manifestSignature,
  SECTION,
} from './manifest.ts';

export interface ManifestFrame {
  readonly summary: ManifestSummary;
  /** The byte offsets at which the document lines begin and end. */
  readonly start: number;
  readonly end: number;
  readonly tail: Uint8Array;
}

const HEAD_BYTES = 1 << 16;
/** The number of bytes of the tail in the first read. If the tail is longer, each later read gets more bytes. */
const TAIL_BYTES = 1 << 16;
const MAX_TAIL_BYTES = 1 << 26;

/** Returns undefined if the source is not a manifest of this format. The optional `checks` speed up reading. */
export function readFrame(source: ManifestSource, checks?: QuickChecks): ManifestFrame | undefined {
  const head = new Uint8Array(source.read(0, HEAD_BYTES));
  const headEnd = indexOfText(head, SECTION.documents);
  if (headEnd < 0) return undefined;
  const fields = textOf(head.subarray(0, headEnd));
  const start = headEnd + SECTION.documents.length;
  for (let length = TAIL_BYTES; ; length *= 8) {
    const from = Math.max(0, source.size - length);
    const bytes = new Uint8Array(source.read(from, source.size - from));
    const at = lastIndexOfText(bytes, SECTION.files);
    const tail = bytes.subarray(Math.max(0, at));
    const summary = at < 0 ? undefined : summaryIn(`${fields},"documents":[${textOf(tail)}`, checks);
    const end = from + at;
    if (summary) return end < start - 1 ? undefined : { summary, start, end, tail };
    if (from === 0 || length >= MAX_TAIL_BYTES) return undefined;
  }
}

/** Reads the `Cache-Control` values at the start of a manifest. Returns default values if the manifest has none. */
export function cacheControlIn(manifest: Uint8Array): CacheControl {
  const head = manifest.subarray(0, HEAD_BYTES);
  const fields = parsedJson(`${textOf(head.subarray(0, Math.max(0, indexOfText(head, SECTION.documents))))}}`);
  const stated = isJsonObject(fields) ? cacheControlSchema().safeParse(fields['cache_control']) : undefined;
  return stated?.data ?? CACHE_CONTROL;
}

interface ManifestEnd {
  readonly files: Uint8Array;
  readonly sealed: Uint8Array;
  readonly signed: Uint8Array;
  /** Whether the tail ends with the digest and the seal, in this order. A signature can follow the seal. */
  readonly isRegular: boolean;
}

export function manifestEndOf({ summary, tail }: ManifestFrame): ManifestEnd {
  const { digest, seal = '', signature, claim } = summary;
  const [digestAt, sealAt] = [lastIndexOfText(tail, SECTION.digest), lastIndexOfText(tail, SECTION.seal)];
  const sealText = `${SECTION.seal}${seal}"`;
  const claimAt = claim ? lastIndexOfText(tail, CLAIM_FIELD) : -1;
  const ending = textOf(tail.subarray(Math.max(0, digestAt), claimAt < 0 ? tail.length : claimAt));
  return {
    files: tail.subarray(SECTION.files.length, Math.max(SECTION.files.length, digestAt)),
    sealed: tail.subarray(0, Math.max(0, sealAt)),
    signed: tail.subarray(0, Math.max(0, sealAt + sealText.length)),
    isRegular:
      (claimAt < 0 ? ending : ending + SECTION.end) ===
      `${SECTION.digest}${digest}"${sealText}${manifestSignature(signature)}`,
  };
}

function summaryIn(text: string, checks: QuickChecks | undefined): ManifestSummary | undefined {
  const value = parsedJson(text);
  const manifest = isManifest(value, checks) ? value : manifestSchema().safeParse(value).data;
  if (!manifest) return undefined;
  const { documents: _, gridpress: __, not_found: ___, cache_control = CACHE_CONTROL, ...summary } = manifest;
  return { ...summary, cache_control };
}

/** Returns false if the package has no quick check for manifests. */
function isManifest(value: unknown, checks: QuickChecks | undefined): value is ManifestJson {
  return isJsonObject(value) && checks?.(MANIFEST_SCHEMA)?.(value) === true;
}

export interface ManifestSource {
  /** The size in bytes. */
  readonly size: number;
  /** Returns `length` bytes, or the rest of a shorter source. The result is valid until the next call. */
  readonly read: (from: number, length: number) => Uint8Array;
}

export function bytesSource(bytes: Uint8Array): ManifestSource {
  return { size: bytes.length, read: (from, length) => bytes.subarray(from, from + length) };
}

export const MANIFEST_CHUNK_BYTES = 1 << 20;

/** Each chunk is valid until the next chunk is read. */
export function* chunksUpTo({ read }: ManifestSource, end: number): Generator<Uint8Array> {
  for (let from = 0; from < end; ) {
    const chunk = read(from, Math.min(MANIFEST_CHUNK_BYTES, end - from));
    if (chunk.length === 0) return;
    yield chunk;
    from += chunk.length;
  }
}

export function digestOfSource(source: ManifestSource): string {
  const whole = runningDigest();
  for (const chunk of chunksUpTo(source, source.size)) whole.update(chunk);
  return whole.end();
}

/** Returns the byte offset of the first occurrence of an ASCII text, or -1. */
function indexOfText(bytes: Uint8Array, text: string): number {
  for (let at = 0; at <= bytes.length - text.length; at++) if (matchesAt(bytes, at, text)) return at;
  return -1;
}

export function lastIndexOfText(bytes: Uint8Array, text: string): number {
  const first = text.charCodeAt(0);
  let at = bytes.length - text.length;
  while (at >= 0) {
    at = bytes.lastIndexOf(first, at);
    if (at < 0 || matchesAt(bytes, at, text)) return at;
    at--;
  }
  return -1;
}

function matchesAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function textOf(bytes: Uint8Array): string {
  return UTF_8.decode(bytes);
}
