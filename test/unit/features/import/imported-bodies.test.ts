import { expect, test } from 'vitest';
import { memoryStore } from '../../../../src/core/model/body-store.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { subjectAt } from '../../../../src/core/model/resource-path.ts';
import { fileReader, type ReadBody } from '../../../../src/features/import/file-reader.ts';
import { importedBodies } from '../../../../src/features/import/imported-bodies.ts';

const SITE = subjectAt('sites/x', KINDS);

/** What the file of a site says, one name after the other. */
function namedAnew(...names: readonly string[]): ReadBody[] {
  const files = names.map((name) => ({
    path: 'data/g/sites/x/x.json',
    subject: SITE.path,
    blob: { bytes: Buffer.from(JSON.stringify({ type: 'site', uid: 'x', name })) },
  }));
  return fileReader(KINDS)(files).flatMap((said) => said.flatMap(({ read }) => read ?? []));
}

test('an update is from the body that is asked for, whichever was read before', () => {
  const bodies = importedBodies(memoryStore());
  const [a, b, c] = namedAnew('A', 'B', 'C').map((read) => bodies.put(SITE.path, read));
  if (!a || !b || !c) throw new Error('nothing was read');
  const renamed = (from: string, to: string) => ({ fields: [{ at: '/name', from, to }], isInPlace: true });
  expect(bodies.update(b, c, SITE)).toEqual(renamed('B', 'C'));
  expect(bodies.update(a, c, SITE)).toEqual(renamed('A', 'C'));
  expect(bodies.update(a, b, SITE)).toEqual(renamed('A', 'B'));
  bodies.endCommit();
  expect(bodies.update(b, c, SITE)).toEqual(renamed('B', 'C'));
});

test('a body that no file has is one of them, and the last that was read stays so', () => {
  const bodies = importedBodies(memoryStore());
  const [first, second] = namedAnew('A', 'B');
  if (!first || !second) throw new Error('nothing was read');
  bodies.put(SITE.path, first);
  const own = bodies.putOwn({ type: 'site', uid: 'x' });
  const last = bodies.put(SITE.path, second);
  expect(bodies.has(own)).toBe(true);
  expect(bodies.update(own, last, SITE).fields).toEqual([{ at: '/name', to: 'B' }]);
});
