import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DICTIONARY_SIZE,
  LONGEST_TEXT,
  mostWritten,
  presetDictionary,
  readText,
} from '../../../../src/core/platform/preset-dictionary.ts';

const ROOM = 1 << 17;

function emptyDictionary() {
  const buffer = new Uint8Array(DICTIONARY_SIZE + ROOM + LONGEST_TEXT);
  return { buffer, ...presetDictionary(buffer) };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('gives back every text, whatever of it is in the dictionary, in no more room than was told', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 250, maxLength: 1_100 }),
    fc.constantFrom('"interface":"Ethernet",', '"rate":10000000000,"mounted":true', 'é'.repeat(40)).map(bytesOf),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => Uint8Array.from(pieces.flatMap((each) => [...each])));
  const texts = fc.array(fc.tuple(text, fc.boolean()), { maxLength: 12 });
  fc.assert(
    fc.property(texts, (all) => {
      const { buffer, learn, write } = emptyDictionary();
      let end = DICTIONARY_SIZE;
      const starts = all.map(([bytes, isLearnt]) => {
        if (isLearnt) learn(bytes);
        const start = end;
        end = write(bytes, start);
        expect(end - start).toBeLessThanOrEqual(mostWritten(bytes.length));
        return start;
      });
      for (const [i, [bytes]] of all.entries())
        expect([...readText(buffer, starts[i] ?? 0, bytes.length)]).toEqual([...bytes]);
    }),
  );
});

test('says what the dictionary has in a few bytes, and the rest as it is', () => {
  const { buffer, learn, write } = emptyDictionary();
  const body = (serial: string) =>
    bytesOf(`{"vendor":"Vendor Corporation","serial":"${serial}","interface":"Ethernet"}`);
  expect(learn(body('0010164689'))).toBe(true);
  expect(write(body('0010164689'), DICTIONARY_SIZE)).toBe(DICTIONARY_SIZE + 5);
  const other = body('66980671E0');
  const end = write(other, DICTIONARY_SIZE);
  expect(end).toBe(DICTIONARY_SIZE + 2 * 5 + '66980671E0'.length);
  expect(readText(buffer, DICTIONARY_SIZE, other.length)).toEqual(other);
});

test('learns no more than there is room for, and leaves long texts as they are', () => {
  const { buffer, learn, write } = emptyDictionary();
  expect(learn(new Uint8Array(DICTIONARY_SIZE + 1))).toBe(false);
  expect(learn(new Uint8Array(DICTIONARY_SIZE).fill(7))).toBe(true);
  expect(learn(new Uint8Array(1))).toBe(false);
  const longest = new Uint8Array(LONGEST_TEXT).fill(7);
  expect(write(longest, DICTIONARY_SIZE)).toBeLessThanOrEqual(DICTIONARY_SIZE + mostWritten(longest.length));
  expect(readText(buffer, DICTIONARY_SIZE, longest.length)).toEqual(longest);
  const longer = new Uint8Array(LONGEST_TEXT + 1).fill(7);
  expect(write(longer, DICTIONARY_SIZE)).toBe(DICTIONARY_SIZE + longer.length);
  expect(readText(buffer, DICTIONARY_SIZE, longer.length)).toEqual(longer);
});
