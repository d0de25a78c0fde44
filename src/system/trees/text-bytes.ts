/** The bytes of texts in UTF-8, in memory that is used again and again: those of one text hold until the next one is encoded. */

/** Longer texts, in UTF-16 code units, are encoded in pieces of this length. */
export const PIECE = 1 << 20;

/** A UTF-16 code unit takes so many bytes at most. */
const MOST_BYTES = 3;

const FIRST_SLAB = 1 << 16;

export interface TextEncoding {
  /** All bytes of a text. */
  readonly whole: (text: string) => Uint8Array;
  /** Those of a long text, a piece at a time: all of them together would be as much memory again. */
  readonly pieces: (text: string) => Generator<Uint8Array>;
  /** Those of a text that comes in parts, many of them at a time. No part ends within a character. */
  readonly parts: (parts: Iterable<string>) => Generator<Uint8Array>;
}

export function textEncoding(): TextEncoding {
  let slab = Buffer.allocUnsafe(FIRST_SLAB);
  const makeRoom = (bytes: number) => {
    if (bytes > slab.length) slab = Buffer.allocUnsafe(bytes);
  };

  const whole = (text: string): Uint8Array => {
    makeRoom(text.length * MOST_BYTES);
    return slab.subarray(0, slab.write(text));
  };

  function* pieces(text: string): Generator<Uint8Array> {
    for (let at = 0; at < text.length; ) {
      // Both halves of a character go into one piece.
      const end = at + PIECE - (isFirstHalf(text.charCodeAt(at + PIECE - 1)) ? 1 : 0);
      yield whole(text.slice(at, end));
      at = end;
    }
  }

  function* parts(all: Iterable<string>): Generator<Uint8Array> {
    makeRoom(PIECE);
    let end = 0;
    for (const part of all) {
      const most = part.length * MOST_BYTES;
      if (most > slab.length - end && end > 0) {
        yield slab.subarray(0, end);
        end = 0;
      }
      if (most > slab.length) yield* pieces(part);
      else end += slab.write(part, end);
    }
    if (end > 0) yield slab.subarray(0, end);
  }

  return { whole, pieces, parts };
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
