import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { CODINGS } from '../../core/tree/layout.ts';

const BOUND = { maxOutputLength: DOCUMENT_BYTES };

/** Returns undefined for unknown codings, for invalid bytes, and for results above the maximum size of documents. */
export function decodeContent(coding: string, bytes: Uint8Array): Uint8Array | undefined {
  try {
    if (coding === 'gzip') return gunzipSync(bytes, BOUND);
    if (coding === 'br') return brotliDecompressSync(bytes, BOUND);
    return undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a byte order mark in the text, so that checks can reject it. */
export function decodedText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;

type Compressed = readonly [ending: string, bytes: Uint8Array];

/**
 * Compresses texts. No two results have the same size, because servers derive ETags from times and sizes. Works
 * synchronously, because the thread pool takes five times as long for many small texts.
 */
export function compressAll(texts: readonly string[]): readonly (readonly Compressed[])[] {
  const sizes = new Set(texts.map((text) => Buffer.byteLength(text)));
  const reserve = (bytes: Uint8Array) => {
    sizes.add(bytes.length);
    return bytes;
  };
  const brotlis = texts.map((text) => reserve(brotliExcept(sizes, text)));
  return texts.map((text, i) => {
    const plain = gzipSync(text, { level: 9 });
    let bytes: Uint8Array = plain;
    for (let length = 1; sizes.has(bytes.length); length++) bytes = withComment(plain, length);
    return [
      [CODINGS.gzip, reserve(bytes)],
      [CODINGS.br, itemAt(brotlis, i)],
    ];
  });
}

const QUALITIES = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] as const;

function brotliExcept(sizes: ReadonlySet<number>, text: string): Uint8Array {
  for (const quality of QUALITIES) {
    const bytes = brotli(text, quality);
    if (!sizes.has(bytes.length)) return bytes;
  }
  let stored = storedBrotli(text, 0);
  for (let blocks = 1; sizes.has(stored.length); blocks++) stored = storedBrotli(text, blocks);
  return stored;
}

/** The window is only 64 KiB, because a larger window makes the compression of small texts many times slower. */
function brotli(text: string, quality: number): Uint8Array {
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: 16, [BROTLI_PARAM_SIZE_HINT]: text.length };
  return brotliCompressSync(text, { params });
}

const BLOCK_BYTES = 1 << 16;
/** Headers of brotli meta-blocks (RFC 7932, section 9.2): uncompressed, empty with metadata, and last. */
const UNCOMPRESSED = 1 << 19;
const SKIPPED = 0x06;
const LAST = 0x03;

/** Encodes a text as brotli without compression. Appends empty blocks to change the size (RFC 7932, section 9). */
function storedBrotli(text: string, emptyBlocks: number): Uint8Array {
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    const block = bytes.subarray(from, from + BLOCK_BYTES);
    const header = UNCOMPRESSED | ((block.length - 1) << 3);
    // One bit before the first header selects the window of 64 KiB.
    const bits = from === 0 ? header * 2 : header;
    parts.push(Uint8Array.of(bits & 0xff, (bits >> 8) & 0xff, bits >> 16), block);
  }
  return Buffer.concat([...parts, new Uint8Array(emptyBlocks).fill(SKIPPED), Uint8Array.of(LAST)]);
}

const FLAGS_AT = 3;
const HEADER_BYTES = 10;
const HAS_COMMENT = 0x10;

/** Adds a comment of `length` bytes to a gzip file (RFC 1952, section 2.3). */
function withComment(file: Buffer, length: number): Buffer {
  const header = Buffer.from(file.subarray(0, HEADER_BYTES));
  header[FLAGS_AT] = HAS_COMMENT;
  return Buffer.concat([header, Buffer.alloc(length - 1, ' '), Buffer.alloc(1), file.subarray(HEADER_BYTES)]);
}
