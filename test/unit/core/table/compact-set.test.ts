import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newCompactSet } from '../../../../src/core/table/compact-set.ts';
import { text } from '../../../support/values/arbitraries.ts';

test('has the size of a set of the same texts', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
      const set = newCompactSet();
      const plain = new Set<string>();
      for (const each of texts) {
        set.add(JSON.stringify(each));
        plain.add(each);
        expect(set.size).toBe(plain.size);
      }
    }),
  );
});

test('grows with texts of every length, and knows each of them again', () => {
  const texts = Array.from({ length: 5000 }, (_, i) => `"${i.toString(36)}${'ü'.repeat(i % 7)}"`);
  const set = newCompactSet();
  for (const each of [...texts, ...texts, 'x'.repeat(1 << 20), 'x'.repeat(1 << 20)]) set.add(each);
  expect(set.size).toBe(5001);
});
