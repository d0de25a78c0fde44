/** Compresses texts in memory with zlib. `packing.browser.ts` replaces this module in browsers. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A compressed text with one character for each byte. A buffer needs several hundred bytes more. */
export interface PackedText {
  readonly bytes: string;
}

export interface Packing {
  readonly pack: (text: string) => PackedText;
  readonly unpack: (packed: PackedText) => string;
}

/** Initializing a small window (2^13 bytes) takes a third of the time of the default. */
const WINDOW = { windowBits: 13, memLevel: 6 };
/** A size in bytes. With this window, zlib uses at most so much of a dictionary. */
const LONGEST_DICTIONARY = (1 << 13) - 262;

/** Returns a packing for texts similar to a sample; undefined if there is no zlib. */
export function newPacking(sample: string): Packing | undefined {
  const dictionary = Buffer.from(sample).subarray(-LONGEST_DICTIONARY);
  return {
    pack: (text) => ({ bytes: deflateRawSync(text, { ...WINDOW, level: 1, dictionary }).toString('latin1') }),
    unpack: ({ bytes }) => inflateRawSync(Buffer.from(bytes, 'latin1'), { ...WINDOW, dictionary }).toString(),
  };
}
