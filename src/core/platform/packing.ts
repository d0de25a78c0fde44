/** Compression of texts in memory, by zlib. In a browser `packing.browser.ts` stands in for this module. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A compressed text, one character for each byte: a buffer needs several hundred bytes besides. */
export interface PackedText {
  readonly bytes: string;
}

/** Compresses texts, each so that it can be read by itself. */
export interface Packing {
  readonly pack: (text: string) => PackedText;
  readonly unpack: (packed: PackedText) => string;
}

/** A small window (2^13 bytes) is set up in a third of the time that the default takes. */
const WINDOW = { windowBits: 13, memLevel: 6 };
/** Bytes: zlib uses no more of a dictionary in such a window. */
const LONGEST_DICTIONARY = (1 << 13) - 262;

/** A packing for texts that resemble a sample; undefined where there is no zlib. */
export function newPacking(sample: string): Packing | undefined {
  const dictionary = Buffer.from(sample).subarray(-LONGEST_DICTIONARY);
  return {
    pack: (text) => ({ bytes: deflateRawSync(text, { ...WINDOW, level: 1, dictionary }).toString('latin1') }),
    unpack: ({ bytes }) => inflateRawSync(Buffer.from(bytes, 'latin1'), { ...WINDOW, dictionary }).toString(),
  };
}
