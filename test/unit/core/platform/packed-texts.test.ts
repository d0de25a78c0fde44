import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packedTexts } from '../../../../src/core/platform/packed-texts.ts';

test('gives back each text by its number, and equal ones have the same', () => {
  const texts = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[ab]{0,3}$/),
      fc.constantFrom('', '\0', '\0\0', '\ufeffx'),
    ),
    { maxLength: 400 },
  );
  fc.assert(
    fc.property(texts, (all) => {
      const packed = packedTexts();
      const numbers = all.map((text) => {
        const before = packed.find(text);
        const number = packed.add(text);
        expect(before ?? packed.count() - 1).toBe(number);
        return number;
      });
      const distinct = [...new Set(all)];
      expect(packed.count()).toBe(distinct.length);
      expect(numbers).toEqual(all.map((text) => distinct.indexOf(text)));
      expect(numbers.map(packed.at)).toEqual(all);
      expect(distinct.map(packed.find)).toEqual([...distinct.keys()]);
    }),
  );
});

test('holds texts of any length beside each other, and so many that what they have in common is kept once', () => {
  const packed = packedTexts();
  const long = Array.from({ length: 20 }, (_, i) => `${i}é`.repeat(1 << (i + 1)));
  const short = Array.from({ length: 20_000 }, (_, i) => `{"uid":"node-${i}"}`);
  for (const [i, text] of [...long, ...short, ...long].entries())
    expect(packed.add(text)).toBe(i < 20_020 ? i : i - 20_020);
  expect([...long, ...short].findIndex((text, i) => packed.at(i) !== text)).toBe(-1);
  expect(packed.find('{"uid":"node-20000"}')).toBe(undefined);
});
