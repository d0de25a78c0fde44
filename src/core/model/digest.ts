/** Digests: SHA-256 for contents, SHA-1 only for revision identifiers, which must be 40 hexadecimal digits. */
import { hexDigest } from '../platform/digests.ts';
import { canonicalJson, type Json } from './json.ts';

/** 64 lowercase hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return hexDigest('sha256', content);
}

/** 40 lowercase hexadecimal digits. */
export function sha1(content: string | Uint8Array): string {
  return hexDigest('sha1', content);
}

/** The digest of a body: SHA-256 over its canonical JSON, so that key order does not count. */
export function bodyDigest(body: Json): string {
  return sha256(canonicalJson(body));
}
