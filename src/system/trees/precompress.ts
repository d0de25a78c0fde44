/** Precompressed variants. Synchronous: the thread pool costs five times as much for many small texts. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { itemAt } from '../../core/platform/certain.ts';
import { CODINGS } from '../../core/tree/layout.ts';

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;

type Compressed = readonly [ending: string, bytes: Uint8Array];

/**
 * What is made of each text of one document. No two have the same size, nor that of a text: they share a time, and servers
 * make ETags of time and size. So brotli tries less hard until another size comes out, and a comment, which says nothing,
 * makes some gzip files longer.
 */
export function compressAll(texts: readonly string[]): readonly (readonly Compressed[])[] {
  const sizes = new Set(texts.map((text) => Buffer.byteLength(text)));
  const taking = (bytes: Uint8Array) => {
    sizes.add(bytes.length);
    return bytes;
  };
  const brotlis = texts.map((text) => taking(brotliOfNoneOf(sizes, text)));
  return texts.map((text, i) => {
    const plain = gzipSync(text, { level: 9 });
    let bytes: Uint8Array = plain;
    for (let length = 1; sizes.has(bytes.length); length++) bytes = withComment(plain, length);
    return [
      [CODINGS.gzip, taking(bytes)],
      [CODINGS.br, itemAt(brotlis, i)],
    ];
  });
}

const QUALITIES = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] as const;

function brotliOfNoneOf(sizes: ReadonlySet<number>, text: string): Uint8Array {
  for (const quality of QUALITIES) {
    const bytes = brotli(text, quality);
    if (!sizes.has(bytes.length)) return bytes;
  }
  let stored = storedBrotli(text, 0);
  for (let blocks = 1; sizes.has(stored.length); blocks++) stored = storedBrotli(text, blocks);
  return stored;
}

/** A window of 64 KiB: a larger one costs many times as much for texts of some kilobytes. */
function brotli(text: string, quality: number): Uint8Array {
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: 16, [BROTLI_PARAM_SIZE_HINT]: text.length };
  return brotliCompressSync(text, { params });
}

const BLOCK_BYTES = 1 << 16;
/** Bits, from the lowest: uncompressed (bit 19 of a meta-block's header), one that is empty and skipped, and the last. */
const UNCOMPRESSED = 1 << 19;
const SKIPPED = 0x06;
const LAST = 0x03;

/** The text as it is in a file of brotli, and so many empty blocks, each of a byte (RFC 7932, section 9). */
function storedBrotli(text: string, emptyBlocks: number): Uint8Array {
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    const block = bytes.subarray(from, from + BLOCK_BYTES);
    const header = UNCOMPRESSED | ((block.length - 1) << 3);
    // Before the first stands one bit, for a window of 64 KiB.
    const bits = from === 0 ? header * 2 : header;
    parts.push(Uint8Array.of(bits & 0xff, (bits >> 8) & 0xff, bits >> 16), block);
  }
  return Buffer.concat([...parts, new Uint8Array(emptyBlocks).fill(SKIPPED), Uint8Array.of(LAST)]);
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
