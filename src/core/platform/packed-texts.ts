/**
 * Texts as bytes, each once, outside of the heap: a garbage collector that looks after a few large buffers does not wait
 * until half of as much again is garbage.
 */
import { itemAt } from './certain.ts';
import { numberColumn } from './packed-columns.ts';

export interface PackedTexts {
  readonly count: () => number;
  /** The number of a text without lone surrogates, as JSON texts are; equal ones have the same. */
  readonly add: (text: string) => number;
  /** The number of a text; undefined where it was never added. */
  readonly find: (text: string) => number | undefined;
  /** The text with a number below the count. */
  readonly at: (number: number) => string;
}

const FIRST_SLAB = 1 << 12;
const LARGEST_SLAB = 1 << 20;
const FIRST_PLACES = 1 << 8;
/** UTF-8 needs no more bytes for a code unit. */
const MOST_BYTES = 3;
/** Texts begin at whole words, which are zero behind their ends. */
const WORD = Uint32Array.BYTES_PER_ELEMENT;

export function packedTexts(): PackedTexts {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let bytes = new Uint8Array(FIRST_SLAB);
  const slabs = [bytes];
  /** Where the next text begins. */
  let end = 0;
  const slabOf = numberColumn(Uint32Array);
  const starts = numberColumn(Uint32Array);
  const lengths = numberColumn(Uint32Array);
  const hashes = numberColumn(Uint32Array);
  let count = 0;
  /** The number of a text, counted from 1; 0 is an empty place. */
  let places = new Uint32Array(FIRST_PLACES);

  const at = (number: number): string => {
    const start = starts.at(number);
    return decoder.decode(itemAt(slabs, slabOf.at(number)).subarray(start, start + lengths.at(number)));
  };
  /** Puts a text behind the others, where the next one will stand too unless it counts; returns its length there. */
  const write = (text: string): number => {
    const most = wholeWords(text.length * MOST_BYTES);
    if (end + most > bytes.length) {
      bytes = new Uint8Array(Math.max(most, Math.min(bytes.length * 2, LARGEST_SLAB)));
      slabs.push(bytes);
      end = 0;
    }
    const { written } = encoder.encodeInto(text, bytes.subarray(end));
    bytes.fill(0, end + written, end + wholeWords(written));
    return written;
  };
  /** The place of a text, or the empty one that it is to have. */
  const placeOf = (text: string, length: number, hash: number): number => {
    let place = hash & (places.length - 1);
    for (let known = itemAt(places, place); known > 0; known = itemAt(places, place)) {
      const number = known - 1;
      if (hashes.at(number) === hash && lengths.at(number) === length && at(number) === text) break;
      place = (place + 1) & (places.length - 1);
    }
    return place;
  };
  const grow = () => {
    places = new Uint32Array(places.length * 2);
    for (let number = 0; number < count; number++) {
      let place = hashes.at(number) & (places.length - 1);
      while (itemAt(places, place) > 0) place = (place + 1) & (places.length - 1);
      places[place] = number + 1;
    }
  };
  const look = (text: string) => {
    const length = write(text);
    const hash = hashOf(bytes, end, wholeWords(length));
    const place = placeOf(text, length, hash);
    return { length, hash, place, known: itemAt(places, place) };
  };
  return {
    count: () => count,
    at,
    find: (text) => {
      const { known } = look(text);
      return known > 0 ? known - 1 : undefined;
    },
    add: (text) => {
      const { length, hash, place, known } = look(text);
      if (known > 0) return known - 1;
      slabOf.add(slabs.length - 1);
      starts.add(end);
      lengths.add(length);
      hashes.add(hash);
      end += wholeWords(length);
      places[place] = ++count;
      if (count * 2 > places.length) grow();
      return count - 1;
    },
  };
}

function wholeWords(bytes: number): number {
  return Math.ceil(bytes / WORD) * WORD;
}

/** 32 bits, of whole words. */
function hashOf(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0x811c9dc5;
  for (const word of new Uint32Array(bytes.buffer, start, length / WORD)) {
    hash = Math.imul(hash ^ word, 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
