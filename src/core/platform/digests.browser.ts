/** In a browser: the digests of `digests.ts`, without waiting, which the browser's own ones cannot. */
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

export function sha256Digits(content: string | Uint8Array): string {
  return bytesToHex(sha256(bytesOf(content)));
}

export function sha1Digits(content: string | Uint8Array): string {
  return bytesToHex(sha1(bytesOf(content)));
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? utf8ToBytes(content) : content;
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
