/** Digests: SHA-256 for contents, SHA-1 only for revision identifiers, which must be 40 hexadecimal digits. */
import { sha1Digits, sha256Digits } from '../platform/digests.ts';
import { canonicalJson, type Json } from './json.ts';

/** 64 lowercase hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return sha256Digits(content);
}

/** 40 lowercase hexadecimal digits. */
export function sha1(content: string | Uint8Array): string {
  return sha1Digits(content);
}

/** The digest of a body: SHA-256 over its canonical JSON, so that key order does not count. */
export function bodyDigest(body: Json): string {
  return sha256(canonicalJson(body));
}
