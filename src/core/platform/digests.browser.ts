/** The browser version of `digests.ts`. Browsers have only asynchronous digest functions. */
import { sha1 as newSha1 } from '@noble/hashes/legacy.js';
import { sha256 as newSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export function sha256(content: string | Uint8Array): string {
  return bytesToHex(newSha256(bytesOf(content)));
}

export function sha1(content: string | Uint8Array): string {
  return bytesToHex(newSha1(bytesOf(content)));
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? utf8ToBytes(content) : content;
}

export interface RunningDigest {
  readonly update: (chunk: Uint8Array) => void;
  readonly copy: () => RunningDigest;
  readonly end: () => string;
}

export function runningDigest(hash = newSha256.create()): RunningDigest {
  return {
    update: (chunk) => {
      hash.update(chunk);
    },
    copy: () => runningDigest(hash.clone()),
    end: () => bytesToHex(hash.digest()),
  };
}
