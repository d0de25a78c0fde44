import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesInOrder, type TarNames, tarNames } from '../../../../src/system/tar/tar-names.ts';

/** The first problem, with the name that has it. */
function firstProblem({ add }: TarNames, names: readonly string[]) {
  for (const name of names) {
    const problem = add(name);
    if (problem !== undefined) return [name, problem];
  }
  return undefined;
}

// What comes between a file and those in it has a character before the slash.
const segment = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 2 });
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

test('of names in their order, the same is found with less', () => {
  const problems = new Set<string>();
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), (given) => {
      const names = given.toSorted();
      const found = firstProblem(tarNames(), names);
      expect(firstProblem(namesInOrder(), names)).toEqual(found);
      problems.add(found?.[1]?.replace(/[ab/-]+ (?=is a)|(?<=there is )[ab/-]+/, 'NAME ') ?? 'none');
    }),
    { numRuns: 500 },
  );
  expect(problems).toEqual(new Set(['none', 'there is NAME  already', 'NAME is a file already']));
});

test('names that are not in their order are refused', () => {
  const { add } = namesInOrder();
  add('b');
  expect(() => add('a')).toThrow('a comes after b');
});
