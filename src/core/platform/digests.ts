/** Digests as Node.js makes them. In a browser `digests.browser.ts` stands in for this module. */
import { createHash, hash } from 'node:crypto';

/** 64 lowercase hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** 40 lowercase hexadecimal digits. */
export function sha1(content: string | Uint8Array): string {
  return hash('sha1', content, 'hex');
}

export interface RunningDigest {
  readonly update: (chunk: Uint8Array) => void;
  /** What has come so far, to go on with on its own. */
  readonly copy: () => RunningDigest;
  /** 64 lowercase hexadecimal digits; nothing can come after it. */
  readonly end: () => string;
}

export function runningDigest(hash = createHash('sha256')): RunningDigest {
  return {
    update: (chunk) => {
      hash.update(chunk);
    },
    copy: () => runningDigest(hash.copy()),
    end: () => hash.digest('hex'),
  };
}
