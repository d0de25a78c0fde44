/** Digests: SHA-256 for contents, SHA-1 only for revision identifiers, which must be 40 hexadecimal digits. */
import { sha256 } from '../platform/digests.ts';
import { canonicalJson, type Json } from './json.ts';

export { sha1, sha256 } from '../platform/digests.ts';

/** The digest of a body: SHA-256 over its canonical JSON, so that key order does not count. */
export function bodyDigest(body: Json): string {
  return sha256(canonicalJson(body));
}
