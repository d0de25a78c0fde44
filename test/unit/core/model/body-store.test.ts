import { expect, test } from 'vitest';
import { memoryStore } from '../../../../src/core/model/body-store.ts';

test('gives back what was put, by its handle', () => {
  const store = memoryStore();
  const [one, two] = [store.put('{"a":1}'), store.put('{}')];
  expect([store.get(one), store.get(two)]).toEqual(['{"a":1}', '{}']);
  expect(() => store.get(2)).toThrow('no body has the handle 2');
});
