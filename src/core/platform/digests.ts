/** Digests with node:crypto. `digests.browser.ts` replaces this module in browsers. */
import { createHash, hash } from 'node:crypto';

export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

export function sha1(content: string | Uint8Array): string {
  return hash('sha1', content, 'hex');
}

export interface RunningDigest {
  readonly update: (chunk: Uint8Array) => void;
  readonly copy: () => RunningDigest;
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
