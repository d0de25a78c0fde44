/** In a browser: the digests of `digests.ts`, without waiting, which the browser's own ones cannot. */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const ALGORITHMS = { sha256, sha1 };

export function hexDigest(algorithm: 'sha256' | 'sha1', content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? utf8ToBytes(content) : content;
  return bytesToHex(ALGORITHMS[algorithm](bytes));
}

export function sha256OfChunks(chunks: readonly Uint8Array[]): string {
  const whole = sha256.create();
  for (const chunk of chunks) whole.update(chunk);
  return bytesToHex(whole.digest());
}
