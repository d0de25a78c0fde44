/** Compresses texts in memory with zlib. `packing.browser.ts` replaces this module in browsers. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A string that stores one byte in each character. A Buffer would need several hundred additional bytes of memory. */
export interface PackedText {
  readonly bytes: string;
}

export interface Packing {
  readonly pack: (text: string) => PackedText;
  readonly unpack: (packed: PackedText) => string;
}

/** A zlib window of 2^13 bytes is initialized three times as fast as the default window. */
const WINDOW = { windowBits: 13, memLevel: 6 };
/** The maximum number of dictionary bytes that zlib can use with a window of this size. */
const LONGEST_DICTIONARY = (1 << 13) - 262;

/** Returns a compressor for texts that are similar to `sample`. Returns undefined in browsers. */
export function newPacking(sample: string): Packing | undefined {
  const dictionary = Buffer.from(sample).subarray(-LONGEST_DICTIONARY);
  return {
    pack: (text) => ({ bytes: deflateRawSync(text, { ...WINDOW, level: 1, dictionary }).toString('latin1') }),
    unpack: ({ bytes }) => inflateRawSync(Buffer.from(bytes, 'latin1'), { ...WINDOW, dictionary }).toString(),
  };
}
