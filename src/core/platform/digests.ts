/** Digests as Node.js makes them. In a browser `digests.browser.ts` stands in for this module. */
import { createHash, hash } from 'node:crypto';

/** Lowercase hexadecimal digits: 64 of SHA-256, 40 of SHA-1. */
export function hexDigest(algorithm: 'sha256' | 'sha1', content: string | Uint8Array): string {
  return hash(algorithm, content, 'hex');
}

/** The SHA-256 of chunks, one after the other. */
export function sha256OfChunks(chunks: readonly Uint8Array[]): string {
  const whole = createHash('sha256');
  for (const chunk of chunks) whole.update(chunk);
  return whole.digest('hex');
}
