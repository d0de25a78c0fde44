/** What bytes of documents say: as text, and out of the content codings that our compressed files have. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';

const BOUND = { maxOutputLength: DOCUMENT_BYTES };

/** Undoes a content coding; undefined when the bytes are not of it, or expand beyond what a document may have. */
export function decodeContent(coding: string, bytes: Uint8Array): Uint8Array | undefined {
  try {
    if (coding === 'gzip') return gunzipSync(bytes, BOUND);
    if (coding === 'br') return brotliDecompressSync(bytes, BOUND);
    return undefined;
  } catch {
    return undefined;
  }
}

/** As it is: a byte order mark stays, since no document has one. */
export function decodedText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
