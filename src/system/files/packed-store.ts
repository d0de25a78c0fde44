/** The body store of commands that load whole histories: where there is much, bodies are compressed by zlib. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type MemoryStore, memoryStore, type Packing } from '../../core/model/body-store.ts';

/** A small window (2^13 bytes) is set up in a third of the time that the default takes. */
const WINDOW = { windowBits: 13, memLevel: 6 };
/** Bytes of the dictionary: a longer one does not fit into the window. */
const LONGEST_DICTIONARY = (1 << 13) - 262;

export function packedStore(below?: MemoryStore): MemoryStore {
  return memoryStore(below ? { below, packing } : { packing });
}

function packing(sample: string): Packing {
  const dictionary = Buffer.from(sample).subarray(-LONGEST_DICTIONARY);
  return {
    pack: (text) => ({ bytes: deflateRawSync(text, { ...WINDOW, level: 1, dictionary }).toString('latin1') }),
    unpack: ({ bytes }) => inflateRawSync(Buffer.from(bytes, 'latin1'), { ...WINDOW, dictionary }).toString(),
  };
}
