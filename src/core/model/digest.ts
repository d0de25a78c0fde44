/** Digests are SHA-256. Revision identifiers are SHA-1, because they must have 40 hexadecimal digits. */
import { sha256 } from '../platform/digests.ts';
import { canonicalJson, type Json } from './json.ts';

export { sha1, sha256 } from '../platform/digests.ts';

/** The order of keys does not affect the digest. */
export function bodyDigest(body: Json): string {
  return sha256(canonicalJson(body));
}
