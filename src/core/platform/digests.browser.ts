/** In a browser: the digests of `digests.ts`, without waiting, which the browser's own ones cannot. */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const ALGORITHMS = { sha256, sha1 };

export function hexDigest(algorithm: 'sha256' | 'sha1', content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? utf8ToBytes(content) : content;
  return bytesToHex(ALGORITHMS[algorithm](bytes));
}

export interface RunningDigest {
  readonly update: (chunk: Uint8Array) => void;
  readonly copy: () => RunningDigest;
  readonly end: () => string;
}

export function runningDigest(hash = sha256.create()): RunningDigest {
  return {
    update: (chunk) => {
      hash.update(chunk);
    },
    copy: () => runningDigest(hash.clone()),
    end: () => bytesToHex(hash.digest()),
  };
}

export interface HexBytes {
  readonly write: (at: number, digits: string) => void;
  readonly read: (at: number, length: number) => string;
}

export function hexBytes(length: number): HexBytes {
  const bytes = new Uint8Array(length);
  return {
    write: (at, digits) => bytes.set(hexToBytes(digits), at),
    read: (at, count) => bytesToHex(bytes.subarray(at, at + count)),
  };
}
