import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueBodies } from '../../../../src/core/history/bodies.ts';
import { memoryStore } from '../../../../src/core/model/body-store.ts';
import { bodyDigest } from '../../../../src/core/model/digest.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { withFieldsOf } from '../../../../src/features/import/git-import.ts';

/** Few keys and values, so that many fields are equal or differ only in key order. */
const FIELD = fc.oneof(
  fc.constantFrom(0, -0, 1, '1', null, true, 'é'),
  fc.array(fc.constantFrom(0, 1, 'a'), { maxLength: 2 }),
  fc
    .constantFrom('{"a":1,"b":[2]}', '{"b":[2],"a":1}', '{"a":1}', '{"a":{"c":1,"b":2}}', '{"a":{"b":2,"c":1}}')
    .map((text): unknown => JSON.parse(text)),
);
const BODIES = fc.array(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__', '1'), FIELD), { maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
});

test('bodies that share values have the same texts and digests as when they are stored alone', () => {
  fc.assert(
    fc.property(BODIES, (bodies) => {
      const store = memoryStore();
      const imported = valueBodies(store);
      let before: JsonObject | undefined;
      for (const fields of bodies) {
        const text = JSON.stringify({ type: 'site', uid: 'x', ...Object.fromEntries(fields) });
        const value = JSON.parse(text);
        const body = imported.put(before ? withFieldsOf(before, value) : value);
        expect(store.get(body.handle)).toBe(text);
        expect(body.digest).toBe(bodyDigest(JSON.parse(text)));
        before = imported.of(body);
      }
    }),
  );
});

test('values with equal text are shared', () => {
  const before = { a: [1, { b: 2 }], c: { d: 1, e: 2 } };
  const after = withFieldsOf(before, { a: [1, { b: 2 }], c: { e: 2, d: 1 } });
  expect(after['a']).toBe(before.a);
  expect(JSON.stringify(after['c'])).toBe('{"e":2,"d":1}');
});
