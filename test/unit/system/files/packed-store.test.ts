import { expect, test } from 'vitest';
import { packedStore } from '../../../../src/system/files/packed-store.ts';

/** Characters of long texts that are stored as they are. */
const MOST_PLAIN = 1 << 26;

test('gives back texts that are packed, each once', () => {
  const store = packedStore();
  const texts = [1, 2, 3].map((n) =>
    JSON.stringify({ serial: n, model: 'é'.repeat(600), ports: '0123456789'.repeat(n * 100) }),
  );
  const [plain = '', packed = ''] = texts;
  const first = store.put(plain);
  const filling = `"${'x'.repeat(MOST_PLAIN)}"`;
  store.put(filling);
  const handles = [packed, '{"short":1}', plain, packed, '{"short":1}'].map((text) => store.put(text));
  expect(handles).toEqual([2, 3, first, 2, 3]);
  expect(handles.map(store.get)).toEqual([packed, '{"short":1}', plain, packed, '{"short":1}']);
  expect([store.size(), store.find(packed), store.find(texts[2] ?? '')]).toEqual([4, 2, undefined]);
  expect(store.get(1) === filling).toBe(true);
});

test('adds packed texts to a store below', () => {
  const below = packedStore();
  const text = JSON.stringify({ text: '0123456789'.repeat(100) });
  const handle = below.put(text);
  const above = packedStore(below);
  expect([above.put(text), above.get(above.put(`[${text}]`))]).toEqual([handle, `[${text}]`]);
});
