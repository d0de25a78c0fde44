import { expect, test } from 'vitest';
import { memoryStore } from '../../../../src/core/model/body-store.ts';

test('returns a text by its handle', () => {
  const store = memoryStore();
  const [one, two] = [store.put('{"a":1}'), store.put('{}')];
  expect([store.get(one), store.get(two)]).toEqual(['{"a":1}', '{}']);
  expect(() => store.get(2)).toThrow('no body has the handle 2');
});

test('stores equal texts once', () => {
  const store = memoryStore();
  const [one, other, again] = ['{"a":1}', '{"a":2}', '{"a":1}'].map((json) => store.put(json));
  expect([again, other === one]).toEqual([one, false]);
});

test('adds to a store below without changing it', () => {
  const below = memoryStore();
  const one = below.put('{"a":1}');
  const [above, beside] = [memoryStore(below), memoryStore(below)];
  const [same, two, three] = [above.put('{"a":1}'), above.put('{"a":2}'), beside.put('{"a":3}')];
  expect([same, above.get(one), above.get(two), beside.get(three)]).toEqual([
    ...[one, '{"a":1}'],
    ...['{"a":2}', '{"a":3}'],
  ]);
  expect([above.size(), above.find('{"a":3}'), beside.find('{"a":1}')]).toEqual([2, undefined, one]);
  expect([below.size(), below.find('{"a":2}')]).toEqual([1, undefined]);
  expect(() => above.get(2)).toThrow('no body has the handle 2');
});

/** The limit of characters of long texts that are stored uncompressed. */
const MOST_PLAIN = 1 << 26;

test('returns compressed texts, each stored once', () => {
  const store = memoryStore();
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

test('adds compressed texts to a store below', () => {
  const below = memoryStore();
  const text = JSON.stringify({ text: '0123456789'.repeat(100) });
  const handle = below.put(text);
  const above = memoryStore(below);
  expect([above.put(text), above.get(above.put(`[${text}]`))]).toEqual([handle, `[${text}]`]);
});
