import { expect, test } from 'vitest';
import { namesOf } from '../../../../src/features/edit/node-names.ts';

test.each<[string, string[]]>([
  ['c-1', ['c-1']],
  ['c-{01..03}', ['c-01', 'c-02', 'c-03']],
  ['c-{8..11}', ['c-8', 'c-9', 'c-10', 'c-11']],
  ['c-{08..11}', ['c-08', 'c-09', 'c-10', 'c-11']],
  ['{3..1}', ['3', '2', '1']],
  ['r{1,3}-{a,b}', ['r1-a', 'r1-b', 'r3-a', 'r3-b']],
  // As Slurm writes them.
  ['c-[01-03,7]', ['c-01', 'c-02', 'c-03', 'c-7']],
  ['r[1-2]-[a]', ['r1-[a]', 'r2-[a]']],
  // These are not shell patterns.
  ['c-{1}', ['c-{1}']],
  ['c-{a..c}', ['c-{a..c}']],
])('%s is expanded', (pattern, names) => {
  expect(namesOf(pattern)).toEqual(names);
});

test.each(['c-{1..10001}', '{1..200}-{1..200}', '{1..99999999999}'])('%s expands to too many names', (pattern) => {
  expect(namesOf(pattern)).toBe(undefined);
});

test('a pattern can contain any number of braces', () => {
  const braces = '{a}'.repeat(40_000);
  expect(namesOf(braces)).toEqual([braces]);
  expect(namesOf('{1,2}'.repeat(40_000))).toBe(undefined);
});
