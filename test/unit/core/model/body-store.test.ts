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
