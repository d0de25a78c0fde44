/**
 * Texts said with the words of others (LZ77 with a preset dictionary), each to be read by itself. A buffer begins with the
 * dictionary, which is some of the texts as they are, and ends with room to put one together again. Each text between them
 * is a list of runs: some bytes of its own, then bytes of the dictionary. Before these bytes stand how many they are, where
 * in the dictionary it goes on, and for how many bytes.
 */
import { itemAt } from './certain.ts';

/** Bytes; two of them name a place in it. */
export const DICTIONARY_SIZE = 1 << 14;
/** Bytes of the longest text that is said in runs; longer ones are as they are. */
export const LONGEST_TEXT = 1 << 14;

/** Bytes before those of a run. */
const HEAD = 5;
const MOST_OWN = 0xff;
/** Bytes: to read a shorter one takes more time than it saves room. */
const SHORTEST_MATCH = 16;
const HASHED = 8;
const HASH_BITS = 14;
const WORD = 4;

/** Bytes that a text may take where the dictionary has nothing of it. */
export function mostWritten(length: number): number {
  return length + HEAD * (Math.floor(length / MOST_OWN) + 1);
}

export interface PresetDictionary {
  /** Adds a text, if there is room for it. */
  readonly learn: (text: Uint8Array) => boolean;
  /** Writes a text into the buffer, and returns where it ends there. */
  readonly write: (text: Uint8Array, start: number) => number;
}

/** An empty one, in a buffer. */
export function presetDictionary(buffer: Uint8Array): PresetDictionary {
  const words = wordsOf(buffer);
  let size = 0;
  /** By what stands there, the last place of it in the dictionary, counted from 1. */
  const places = new Uint16Array(1 << HASH_BITS);
  /** For how many bytes the dictionary has from a place on what a text has. */
  const matchedAt = (place: number, text: DataView, at: number): number => {
    const most = Math.min(text.byteLength - at, size - place);
    let length = 0;
    while (length + WORD <= most && wordAt(words, place + length) === wordAt(text, at + length)) length += WORD;
    while (length < most && words.getUint8(place + length) === text.getUint8(at + length)) length++;
    return length;
  };
  return {
    learn: (text) => {
      if (size + text.length > DICTIONARY_SIZE) return false;
      buffer.set(text, size);
      const from = size;
      size += text.length;
      for (let at = from; at + HASHED <= size; at++) places[hashAt(words, at)] = at + 1;
      return true;
    },
    write: (text, start) => {
      if (text.length > LONGEST_TEXT) {
        buffer.set(text, start);
        return start + text.length;
      }
      const ofText = wordsOf(text);
      let end = start;
      /** How much of the text is written. */
      let told = 0;
      const writeRun = (own: number, place: number, matched: number) => {
        buffer[end] = own;
        words.setUint16(end + 1, place, true);
        words.setUint16(end + 3, matched, true);
        end += HEAD;
        for (const stop = told + own; told < stop; told++) buffer[end++] = itemAt(text, told);
        told += matched;
      };
      const tell = (to: number, place: number, matched: number) => {
        while (to - told > MOST_OWN) writeRun(MOST_OWN, 0, 0);
        writeRun(to - told, place, matched);
      };
      for (let at = 0; at + SHORTEST_MATCH <= text.length; ) {
        const place = itemAt(places, hashAt(ofText, at)) - 1;
        const matched = place < 0 ? 0 : matchedAt(place, ofText, at);
        if (matched < SHORTEST_MATCH) {
          at++;
          continue;
        }
        tell(at, place, matched);
        at += matched;
      }
      if (told < text.length) tell(text.length, 0, 0);
      return end;
    },
  };
}

/** Reads the text that starts at a place in a buffer, and is so many bytes long. They stand there until the next one is read. */
export function readText(buffer: Uint8Array, start: number, length: number): Uint8Array {
  if (length > LONGEST_TEXT) return buffer.subarray(start, start + length);
  const room = buffer.length - LONGEST_TEXT;
  let at = start;
  let end = room;
  while (end < room + length) {
    const own = itemAt(buffer, at);
    const place = shortAt(buffer, at + 1);
    const matched = shortAt(buffer, at + 3);
    at += HEAD;
    copy(buffer, at, own, end);
    at += own;
    end += own;
    copy(buffer, place, matched, end);
    end += matched;
  }
  return buffer.subarray(room, end);
}

/** Bytes: fewer are copied one by one in less time. */
const FEW = 12;

function copy(buffer: Uint8Array, from: number, length: number, to: number): void {
  if (length >= FEW) buffer.copyWithin(to, from, from + length);
  else for (let i = 0; i < length; i++) buffer[to + i] = itemAt(buffer, from + i);
}

function shortAt(bytes: Uint8Array, at: number): number {
  return itemAt(bytes, at) | (itemAt(bytes, at + 1) << 8);
}

function hashAt(words: DataView, at: number): number {
  const both = Math.imul(wordAt(words, at), 0x9e3779b1) ^ wordAt(words, at + WORD);
  return Math.imul(both, 0x85ebca6b) >>> (32 - HASH_BITS);
}

function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Whole words at any place. */
function wordAt(words: DataView, at: number): number {
  return words.getInt32(at, true);
}
