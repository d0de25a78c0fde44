import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storedBodies, valueBodies } from '../../../../../src/core/history/bodies.ts';
import { memoryStore } from '../../../../../src/core/model/body-store.ts';
import { difference } from '../../../../../src/core/model/differences/difference.ts';
import { patch } from '../../../../../src/core/model/differences/patch.ts';
import { bodyDigest } from '../../../../../src/core/model/digest.ts';
import { fieldRules } from '../../../../../src/core/model/field-classes.ts';
import { NODE } from '../../../../../src/core/model/kinds.ts';
import { jsonObject, partsObject, smallObject } from '../../../../support/values/arbitraries.ts';

const stores = [storedBodies, valueBodies];

test.each([
  ['similar bodies', smallObject],
  ['any bodies', jsonObject],
  ['nodes with added, removed and reordered parts', partsObject],
])('bodies have the same stored text and digest as when stored alone: %s', (_, bodies) => {
  fc.assert(
    fc.property(fc.array(bodies, { minLength: 2, maxLength: 8 }), fc.constantFrom(...stores), (versions, bodiesIn) => {
      const store = memoryStore();
      const kept = bodiesIn(store);
      let stored = kept.put(versions[0] ?? {});
      for (const version of versions.slice(1)) {
        const before = kept.of(stored);
        const patched = patch(before, difference(before, version, fieldRules(NODE)));
        if (patched.conflict) throw new Error('a difference fits the body that it was taken of');
        const { body } = patched;
        stored = kept.put(body);
        expect(store.get(stored.handle)).toBe(JSON.stringify(body));
        expect(stored.digest).toBe(bodyDigest(body));
        expect(stored.digest).toBe(bodyDigest(version));
      }
    }),
    { numRuns: 200 },
  );
});

test('bodies are read from the store after they left the cache', () => {
  const store = memoryStore();
  const kept = storedBodies(store);
  const body = kept.put({ n: 1 });
  expect([kept.of(body), kept.of(body)]).toEqual([{ n: 1 }, { n: 1 }]);
});
