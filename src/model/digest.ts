/** Digests: SHA-256 for contents, SHA-1 only for revision identifiers, which must be 40 hexadecimal digits. */
import { createHash, hash } from 'node:crypto';
import { canonicalJson, type Json } from './json.ts';

/** 64 lowercase hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** The digest of pieces, one after the other. */
export function sha256Of(...pieces: readonly Uint8Array[]): string {
  const whole = createHash('sha256');
  for (const piece of pieces) whole.update(piece);
  return whole.digest('hex');
}

/** 40 lowercase hexadecimal digits. */
export function sha1(content: string | Uint8Array): string {
  return hash('sha1', content, 'hex');
}

/** The digest of a body: SHA-256 over its canonical JSON, so that key order does not count. */
export function bodyDigest(body: Json): string {
  return sha256(canonicalJson(body));
}
