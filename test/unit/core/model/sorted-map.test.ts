import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byCodeUnit } from '../../../../src/core/model/json.ts';
import { SortedMap } from '../../../../src/core/model/sorted-map.ts';

/** Two hundred keys, enough to split and empty chunks. */
const key = fc.nat({ max: 199 }).map((n) => `k${n}`);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('with' as const), key, value: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('without' as const), key, value: fc.constant(0) }) },
);

function sorted(model: ReadonlyMap<string, number>): [string, number][] {
  return [...model].sort((a, b) => byCodeUnit(a[0], b[0]));
}

test('SortedMap behaves like a Map in key order, and does not modify older versions', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(key, fc.nat()), { maxLength: 150 }),
      fc.array(step, { minLength: 1, maxLength: 400 }),
      (start, steps) => {
        let model = new Map(start);
        let map = SortedMap.from(model);
        const versions = [{ map, model }];
        for (const { kind, key: name, value } of steps) {
          model = new Map(model);
          if (kind === 'with') model.set(name, value);
          else model.delete(name);
          map = kind === 'with' ? map.with(name, value) : map.without(name);
          versions.push({ map, model });
        }
        for (const version of versions.filter((_, i) => i % 50 === 0 || i === versions.length - 1)) {
          expect([...version.map.entries()]).toEqual(sorted(version.model));
          expect(version.map.size).toBe(version.model.size);
        }
        for (let i = 0; i < 200; i++) expect(map.get(`k${i}`)).toBe(model.get(`k${i}`));
      },
    ),
    { numRuns: 60 },
  );
});

test('SortedMap lists keys and values in code-unit order', () => {
  const map = SortedMap.from([
    ['b', 1],
    ['B', 2],
    ['a-', 3],
    ['a', 4],
  ]);
  expect([...map.keys()]).toEqual(['B', 'a', 'a-', 'b']);
  expect([...map.values()]).toEqual([2, 4, 3, 1]);
});

test('SortedMap returns itself if a removed key was missing', () => {
  const map = SortedMap.from([['a', 1]]);
  expect(map.without('b')).toBe(map);
  expect(SortedMap.empty<number>().without('b').size).toBe(0);
});

test('SortedMap accepts undefined as a value', () => {
  const map = SortedMap.empty<undefined>().with('a', undefined);
  expect([map.size, [...map.keys()]]).toEqual([1, ['a']]);
  expect(map.without('a').size).toBe(0);
});

test('SortedMap treats "__proto__" as an ordinary key', () => {
  const map = SortedMap.from([['__proto__', 1]]).with('constructor', 2);
  expect([map.get('__proto__'), map.get('constructor'), map.get('toString')]).toEqual([1, 2, undefined]);
});
