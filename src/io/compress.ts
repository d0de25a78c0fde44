/** Precompressed variants. Synchronous: the thread pool costs five times as much for many small texts. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { CODINGS } from '../site/layout.ts';

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;

/** Level 9. For brotli with a window of 64 KiB: a larger one costs many times as much for texts of some kilobytes. */
export function compress(coding: keyof typeof CODINGS, text: string): Uint8Array {
  if (coding === 'gzip') return gzipSync(text, { level: 9 });
  const params = {
    [BROTLI_PARAM_QUALITY]: 9,
    [BROTLI_PARAM_LGWIN]: 16,
    [BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return brotliCompressSync(text, { params });
}
