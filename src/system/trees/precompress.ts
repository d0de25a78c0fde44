/** Precompressed variants. Synchronous: the thread pool costs five times as much for many small texts. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { CODINGS } from '../../core/tree/layout.ts';

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;

/** The ending of a file's name, and what is in it. */
type Compressed = readonly [ending: string, bytes: Uint8Array];

/**
 * What is made of each text of one document. No two have the same size: they share a time, and servers make ETags of time
 * and size. So a comment, which says nothing, makes some longer.
 */
export function compressAll(texts: readonly string[]): readonly (readonly Compressed[])[] {
  const sizes = new Set(texts.map((text) => Buffer.byteLength(text)));
  const brotlis = texts.map(brotli);
  for (const { length } of brotlis) sizes.add(length);
  return texts.map((text, i) => {
    const plain = gzipSync(text, { level: 9 });
    let bytes: Uint8Array = plain;
    for (let length = 1; sizes.has(bytes.length); length++) bytes = withComment(plain, length);
    sizes.add(bytes.length);
    const other = brotlis[i];
    return [[CODINGS.gzip, bytes], ...(other ? [[CODINGS.br, other] as const] : [])];
  });
}

/** A window of 64 KiB: a larger one costs many times as much for texts of some kilobytes. */
function brotli(text: string): Uint8Array {
  const params = {
    [BROTLI_PARAM_QUALITY]: 9,
    [BROTLI_PARAM_LGWIN]: 16,
    [BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return brotliCompressSync(text, { params });
}

const FLAGS_AT = 3;
const HEADER_BYTES = 10;
const HAS_COMMENT = 0x10;

/** A gzip file with a comment that takes so many bytes (RFC 1952, section 2.3). */
function withComment(file: Buffer, length: number): Buffer {
  const header = Buffer.from(file.subarray(0, HEADER_BYTES));
  header[FLAGS_AT] = HAS_COMMENT;
  return Buffer.concat([header, Buffer.alloc(length - 1, ' '), Buffer.alloc(1), file.subarray(HEADER_BYTES)]);
}
