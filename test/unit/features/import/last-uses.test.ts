import { expect, test } from 'vitest';
import { forgetfulStore } from '../../../../src/features/import/last-uses.ts';

test('a store that forgets keeps the bodies that are asked for, by their handles', () => {
  const store = forgetfulStore();
  const handles = Array.from({ length: 10_000 }, (_, i) => store.put(`{"n":${i}}`));
  const kept = handles.filter((handle) => handle % 1_000 === 7).map((handle) => ({ handle, digest: '' }));
  store.keepOnly(() => kept);
  expect(kept.map(({ handle }) => store.get(handle))).toEqual(kept.map(({ handle }) => `{"n":${handle}}`));
  expect(() => store.get(8)).toThrow('a value is missing that should be there');
  expect(store.put('{}')).toBe(10_000);
});

test('a store with few bodies looks for none', () => {
  const store = forgetfulStore();
  const handle = store.put('{}');
  store.keepOnly(() => []);
  expect(store.get(handle)).toBe('{}');
});
