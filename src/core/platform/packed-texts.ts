/**
 * Texts as bytes, each once, outside of the heap: a garbage collector that looks after a few large buffers does not wait
 * until half of as much again is garbage. Where there are many, what they have in common is there once for some thousands
 * of them.
 */
import { certain, itemAt } from './certain.ts';
import { numberColumn } from './packed-columns.ts';
import { DICTIONARY_SIZE, LONGEST_TEXT, mostWritten, presetDictionary, readText } from './preset-dictionary.ts';

export interface PackedTexts {
  readonly count: () => number;
  /** The number of a text without lone surrogates, as JSON texts are; equal ones have the same. */
  readonly add: (text: string) => number;
  /** The number of a text; undefined where it was never added. */
  readonly find: (text: string) => number | undefined;
  /** The text with a number below the count. */
  readonly at: (number: number) => string;
}

/** Reads the text of a slab that starts at a place and is so many bytes long. They stand there until the next one is read. */
type ReadText = (start: number, length: number) => Uint8Array;

/** A buffer of texts, one behind the other. */
interface Slab {
  readonly read: ReadText;
  /** Puts a text behind the others, and returns where it starts; undefined where there is no room for it. */
  readonly add: (text: Uint8Array) => number | undefined;
}

const FIRST_SLAB = 1 << 12;
const LARGEST_SLAB = 1 << 20;
/** Bytes that are kept as they are, before what texts have in common is looked for: few gain no room that is worth the time. */
const MOST_PLAIN = 1 << 22;
const FIRST_PLACES = 1 << 8;
const WORD = Uint32Array.BYTES_PER_ELEMENT;
/** UTF-8 needs no more bytes for a code unit. */
const MOST_BYTES = 3;
/** As a part of its length: a text that takes more is put into the dictionary. */
const MOST_TAKEN = 0.25;

export function packedTexts(): PackedTexts {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const scratch = new Uint8Array(LONGEST_TEXT * MOST_BYTES);
  const slabs: ReadText[] = [];
  let slabSize = FIRST_SLAB;
  let plainBytes = 0;
  /** Puts a text into the last slab. */
  let addToLast: Slab['add'] = () => undefined;
  const slabOf = numberColumn(Uint32Array);
  const starts = numberColumn(Uint32Array);
  const lengths = numberColumn(Uint32Array);
  const hashes = numberColumn(Uint32Array);
  let count = 0;
  /** The number of a text, counted from 1; 0 is an empty place. */
  let places = new Uint32Array(FIRST_PLACES);

  const at = (number: number): string =>
    decoder.decode(itemAt(slabs, slabOf.at(number))(starts.at(number), lengths.at(number)));
  const bytesOf = (text: string): Uint8Array => {
    if (text.length > LONGEST_TEXT) return encoder.encode(text);
    return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
  };
  /** Begins a slab with room for a text. */
  const beginSlab = (length: number) => {
    const isPlain = plainBytes < MOST_PLAIN;
    const size = Math.max(slabSize, mostWritten(length));
    const { read, add } = isPlain ? plainSlab(size) : runsSlab(size);
    if (isPlain) plainBytes += size;
    slabs.push(read);
    addToLast = add;
    slabSize = Math.min(slabSize * 2, LARGEST_SLAB);
  };
  /** Puts a text behind the others. */
  const write = (bytes: Uint8Array) => {
    let start = addToLast(bytes);
    if (start === undefined) {
      beginSlab(bytes.length);
      start = certain(addToLast(bytes));
    }
    slabOf.add(slabs.length - 1);
    starts.add(start);
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
    const bytes = bytesOf(text);
    const hash = hashOf(bytes);
    const place = placeOf(text, bytes.length, hash);
    return { bytes, hash, place, known: itemAt(places, place) };
  };
  return {
    count: () => count,
    at,
    find: (text) => {
      const { known } = look(text);
      return known > 0 ? known - 1 : undefined;
    },
    add: (text) => {
      const { bytes, hash, place, known } = look(text);
      if (known > 0) return known - 1;
      write(bytes);
      lengths.add(bytes.length);
      hashes.add(hash);
      places[place] = ++count;
      if (count * 2 > places.length) grow();
      return count - 1;
    },
  };
}

/** A slab of texts as they are. */
function plainSlab(size: number): Slab {
  const slab = new Uint8Array(size);
  let end = 0;
  return {
    read: (start, length) => slab.subarray(start, start + length),
    add: (text) => {
      if (end + text.length > slab.length) return undefined;
      slab.set(text, end);
      end += text.length;
      return end - text.length;
    },
  };
}

/** A slab of texts in runs, behind their dictionary. */
function runsSlab(size: number): Slab {
  const limit = DICTIONARY_SIZE + size;
  const slab = new Uint8Array(limit + LONGEST_TEXT);
  return { read: runsReader(slab), add: runsWriter(slab, limit) };
}

/** By itself, so that a slab that is full keeps nothing of what wrote it. */
function runsReader(slab: Uint8Array): ReadText {
  return (start, length) => readText(slab, start, length);
}

function runsWriter(slab: Uint8Array, limit: number): Slab['add'] {
  const { learn, write } = presetDictionary(slab);
  let end = DICTIONARY_SIZE;
  return (text) => {
    if (end + mostWritten(text.length) > limit) return undefined;
    const start = end;
    end = write(text, start);
    if (end - start > text.length * MOST_TAKEN && learn(text)) end = write(text, start);
    return start;
  };
}

/** 32 bits, of whole words in two lanes and of what is left behind them. */
function hashOf({ buffer, byteOffset, length }: Uint8Array): number {
  const words = new Uint32Array(buffer, byteOffset, Math.floor(length / WORD) & ~1);
  let one = 0x811c9dc5;
  let other = 0x9e3779b1;
  for (let i = 0; i < words.length; i += 2) {
    one = mixed(one, itemAt(words, i));
    other = mixed(other, itemAt(words, i + 1));
  }
  for (const byte of new Uint8Array(buffer, byteOffset + words.byteLength, length - words.byteLength))
    one = mixed(one, byte);
  return mixed(one, other) >>> 0;
}

function mixed(hash: number, part: number): number {
  const product = Math.imul(hash ^ part, 0x85ebca6b);
  return product ^ (product >>> 15);
}
