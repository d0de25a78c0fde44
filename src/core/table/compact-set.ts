/**
 * A set of very many short texts, in little memory: their bytes stand one after the other, and a hash table says where.
 * A set of the language itself needs three times as much.
 */

export interface CompactSet {
  readonly size: number;
  /** Adds a text without lone surrogates, as JSON texts are. */
  readonly add: (text: string) => void;
}

const FIRST_BYTES = 1 << 12;
const FIRST_PLACES = 1 << 8;
/** Stands after each text; no text of JSON has it in it. */
const END = 0;
const LAST_ASCII = 127;
/** UTF-8 needs no more bytes for a code unit. */
const MOST_BYTES = 3;

export function newCompactSet(): CompactSet {
  let bytes = new Uint8Array(FIRST_BYTES);
  let end = 0;
  /** Where each text begins, counted from 1; 0 is an empty place. */
  let places = new Uint32Array(FIRST_PLACES);
  let size = 0;

  /** Puts a text after the others, with its end. */
  const write = (text: string): void => {
    const most = end + text.length * MOST_BYTES + 1;
    if (most > bytes.length) {
      const larger = new Uint8Array(Math.max(bytes.length * 2, most));
      larger.set(bytes);
      bytes = larger;
    }
    let at = end;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > LAST_ASCII) {
        at = end + new TextEncoder().encodeInto(text, bytes.subarray(end)).written;
        break;
      }
      bytes[at++] = code;
    }
    bytes[at] = END;
  };
  const isSameAt = (start: number): boolean => {
    for (let i = 0; bytes[start + i] === bytes[end + i]; i++) if (bytes[start + i] === END) return true;
    return false;
  };
  const emptyPlace = (start: number): number => {
    let place = hashAt(bytes, start) & (places.length - 1);
    while (places[place]) place = (place + 1) & (places.length - 1);
    return place;
  };
  const grow = () => {
    const old = places;
    places = new Uint32Array(old.length * 2);
    for (const begin of old) if (begin) places[emptyPlace(begin - 1)] = begin;
  };
  return {
    get size() {
      return size;
    },
    add: (text) => {
      write(text);
      let place = hashAt(bytes, end) & (places.length - 1);
      for (let begin = places[place]; begin; begin = places[place]) {
        if (isSameAt(begin - 1)) return;
        place = (place + 1) & (places.length - 1);
      }
      places[place] = end + 1;
      end = bytes.indexOf(END, end) + 1;
      if (++size * 2 > places.length) grow();
    },
  };
}

/** FNV-1a, of 32 bits, of the bytes up to the end. */
function hashAt(bytes: Uint8Array, start: number): number {
  let value = 0x811c9dc5;
  for (let i = start; bytes[i] !== END; i++) value = Math.imul(value ^ (bytes[i] ?? END), 0x01000193);
  return value >>> 0;
}
