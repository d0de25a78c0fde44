/** The content codings that our compressed files have. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Undoes a content coding; undefined when the bytes are not of it. */
export function decodeContent(coding: string, bytes: Uint8Array): Uint8Array | undefined {
  try {
    if (coding === 'gzip') return gunzipSync(bytes);
    if (coding === 'br') return brotliDecompressSync(bytes);
    return undefined;
  } catch {
    return undefined;
  }
}
