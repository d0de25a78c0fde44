import { expect, test } from 'vitest';
import { memoryStore } from '../../../../src/core/model/body-store.ts';

test('gives back what was put, by its handle', () => {
  const store = memoryStore();
  const [one, two] = [store.put('{"a":1}'), store.put('{}')];
  expect([store.get(one), store.get(two)]).toEqual(['{"a":1}', '{}']);
  expect(() => store.get(2)).toThrow('no body has the handle 2');
});

test('keeps equal texts once', () => {
  const store = memoryStore();
  const [one, other, again] = ['{"a":1}', '{"a":2}', '{"a":1}'].map((json) => store.put(json));
  expect([again, other === one]).toEqual([one, false]);
});

test('adds to a store below, and lets that one be', () => {
  const below = memoryStore();
  const one = below.put('{"a":1}');
  const [above, beside] = [memoryStore({ below }), memoryStore({ below })];
  const [same, two, three] = [above.put('{"a":1}'), above.put('{"a":2}'), beside.put('{"a":3}')];
  expect([same, above.get(one), above.get(two), beside.get(three)]).toEqual([
    ...[one, '{"a":1}'],
    ...['{"a":2}', '{"a":3}'],
  ]);
  expect([above.size(), above.find('{"a":3}'), beside.find('{"a":1}')]).toEqual([2, undefined, one]);
  expect([below.size(), below.find('{"a":2}')]).toEqual([1, undefined]);
  expect(() => above.get(2)).toThrow('no body has the handle 2');
});
