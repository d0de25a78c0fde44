/** Compresses texts in memory with zlib. `packing.browser.ts` replaces this module in browsers. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * A compressed text as a string that stores one byte in each character. A buffer would need several hundred additional
 * bytes of memory.
 */
export interface PackedText {
  readonly bytes: string;
}

export interface Packing {
  readonly pack: (text: string) => PackedText;
  readonly unpack: (packed: PackedText) => string;
}

/** A window of 2^13 bytes. It is initialized in a third of the time of the default window. */
const WINDOW = { windowBits: 13, memLevel: 6 };
/** The maximum number of dictionary bytes that zlib can refer to with a window of this size. */
const LONGEST_DICTIONARY = (1 << 13) - 262;

/**
 * Returns a compressor for texts that are similar to `sample`. Returns undefined in a browser, which has no synchronous
 * zlib.
 */
export function newPacking(sample: string): Packing | undefined {
  const dictionary = Buffer.from(sample).subarray(-LONGEST_DICTIONARY);
  return {
    pack: (text) => ({ bytes: deflateRawSync(text, { ...WINDOW, level: 1, dictionary }).toString('latin1') }),
    unpack: ({ bytes }) => inflateRawSync(Buffer.from(bytes, 'latin1'), { ...WINDOW, dictionary }).toString(),
  };
}
