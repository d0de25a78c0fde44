/** Digests: SHA-256 for contents, SHA-1 only for revision identifiers, which must have 40 hexadecimal digits. */
import { sha256 } from '../platform/digests.ts';
import { canonicalJson, type Json } from './json.ts';

export { sha1, sha256 } from '../platform/digests.ts';

/** Returns the SHA-256 of the canonical JSON of a body, in which key order does not matter. */
export function bodyDigest(body: Json): string {
  return sha256(canonicalJson(body));
}
