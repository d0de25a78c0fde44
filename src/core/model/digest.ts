/** Digests are SHA-256. Only revision identifiers are SHA-1, because they must have 40 hexadecimal digits. */
import { sha256 } from '../platform/digests.ts';
import { canonicalJson, type Json } from './json.ts';

export { sha1, sha256 } from '../platform/digests.ts';

/** Returns the SHA-256 digest of the body's canonical JSON. The order of keys does not matter. */
export function bodyDigest(body: Json): string {
  return sha256(canonicalJson(body));
}
