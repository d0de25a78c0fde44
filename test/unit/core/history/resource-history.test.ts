import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Histories, resourceHistories } from '../../../../src/core/history/resource-history.ts';
import { NO_COUNTS } from '../../../../src/core/history/touches.ts';
import { added, historyOf, removed, type Step, updated } from '../../../support/values/history.ts';

/** Returns the revisions of a subject, newest first, by letter. test/scenario compares dates and git. */
function lettersOf(steps: readonly Step[], path: string): string {
  const { history } = historyOf(steps);
  const { revisions } = resourceHistories(history).of(path);
  return revisions.map((index) => history.revisions[index]?.message).join(' ');
}

/** Returns the letters of the current revisions at each index, oldest first. */
function atEach(inForce: (index: number) => number, revisions = 6): number[] {
  return Array.from({ length: revisions }, (_, index) => inForce(index));
}

const LINE: Step[] = [
  ['a:', added('', { n: 0 }), added('sites/x', { n: 0 }), added('sites/x/clusters/c', { n: 0 })],
  ['b: a', added('sites/x/clusters/c/nodes/n', { n: 0 }), added('sites/y', { n: 0 })],
  ['c: b'],
  ['d: c', updated('sites/x/clusters/c/nodes/n', 0, 1)],
  ['e: d', removed('sites/x/clusters/c/nodes/n'), added('sites/x/flavors/f', { n: 0 })],
  ['f: e', updated('', 0, 1)],
];

describe('resource histories on a line', () => {
  test.each([
    ['', 'f e d c b a'],
    ['sites', 'e d b a'],
    ['sites/x', 'e d b a'],
    ['sites/y', 'b'],
    ['sites/x/clusters', 'e d b a'],
    ['sites/y/clusters', 'b'],
    ['sites/x/clusters/c', 'e d b a'],
    ['sites/x/clusters/c/nodes', 'e d b a'],
    ['sites/x/clusters/c/nodes/n', 'e d b'],
    ['sites/x/flavors', 'e'],
    ['sites/x/flavors/f', 'e'],
    ['sites/z', ''],
  ])('of %j are %s', (path, letters) => {
    expect(lettersOf(LINE, path)).toBe(letters);
  });

  const { history } = historyOf(LINE);
  const histories: Histories = resourceHistories(history);

  test('give the current revision at each index', () => {
    expect(atEach(histories.of('sites/x/clusters/c/nodes/n').currentAt)).toEqual([-1, 1, 1, 3, 4, 4]);
    expect(atEach(histories.of('').currentAt)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('count the changes at and below a subject', () => {
    expect(histories.counts('', 0)).toEqual({ ...NO_COUNTS, added: 3, classes: { administrative: 3 } });
    expect(histories.counts('sites/x', 4)).toEqual({ ...NO_COUNTS, added: 1, removed: 1, classes: { hardware: 2 } });
    expect(histories.counts('sites/x/clusters/c', 4)).toEqual({ ...NO_COUNTS, removed: 1, classes: { hardware: 1 } });
    expect(histories.counts('', 2)).toEqual(NO_COUNTS);
    expect(histories.counts('sites', 2)).toBeUndefined();
  });

  test('of a collection begin with its item, without changes', () => {
    expect(histories.counts('sites/y/clusters', 1)).toEqual(NO_COUNTS);
  });

  test('list all subjects in order of appearance', () => {
    expect([...histories.subjects()]).toEqual([
      ...['', 'sites', 'sites/x', 'sites/x/clusters', 'sites/x/clusters/c', 'sites/x/clusters/c/nodes'],
      ...['sites/x/clusters/c/nodes/n', 'sites/y', 'sites/y/clusters', 'sites/x/flavors/f', 'sites/x/flavors'],
    ]);
  });

  test('list the subjects of a revision, and the revisions of a subject', () => {
    expect(histories.touchedBy(2)).toEqual(['']);
    expect([...histories.touchedBy(3)].sort()).toEqual([
      ...['', 'sites', 'sites/x', 'sites/x/clusters', 'sites/x/clusters/c', 'sites/x/clusters/c/nodes'],
      'sites/x/clusters/c/nodes/n',
    ]);
    expect([...histories.revisionsOf('sites/x/clusters/c/nodes/n')]).toEqual([1, 3, 4]);
    expect([...histories.revisionsOf('sites/z')]).toEqual([]);
  });

  test('give the predecessor', () => {
    expect(histories.predecessor('sites/x/clusters/c/nodes/n', 4)).toBe(3);
    expect(histories.predecessor('sites/x/clusters/c/nodes/n', 3)).toBe(1);
    expect(histories.predecessor('sites/x/clusters/c/nodes/n', 1)).toBeUndefined();
    expect(histories.predecessor('', 5)).toBe(4);
  });

  test.each([
    ['', 0, true],
    ['sites', 0, true],
    ['sites/y', 0, false],
    ['sites/y', 1, true],
    ['sites/y/clusters', 1, true],
    ['sites/x/clusters/c/nodes/n', 3, true],
    ['sites/x/clusters/c/nodes/n', 4, false],
    ['sites/x/clusters/c/nodes', 4, true],
    ['sites/x/flavors', 3, false],
    ['sites/x/flavors', 4, true],
    ['sites/z/clusters', 5, false],
  ])('know if a resource exists: %j at %i: %j', (path, index, is) => {
    expect(histories.isAlive(path, index)).toBe(is);
  });
});

const x = 'sites/x';
const START: Step = ['a:', added(''), added(x, { n: 0 }), added('sites/y', { n: 0 })];

describe('resource histories at merges', () => {
  test.each<[string, Step[], string]>([
    [
      'that equal one side follow only that side',
      [
        ['b: a', updated(x, 0, 1)],
        ['c: a', updated('sites/y', 0, 1)],
        ['d: b c', updated('sites/y', 0, 1)],
      ],
      'b a',
    ],
    [
      'that equal the other side follow only that one',
      [
        ['b: a', updated('sites/y', 0, 1)],
        ['c: a', updated(x, 0, 1)],
        ['d: b c', updated(x, 0, 1)],
      ],
      'c a',
    ],
    [
      'that differ from both sides follow both',
      [
        ['b: a', updated(x, 0, 1)],
        ['c: a', updated(x, 0, 2)],
        ['d: b c', updated(x, 1, 3)],
      ],
      'd b c a',
    ],
    [
      'follow the first side if both made the same change',
      [['b: a', updated(x, 0, 1)], ['c: a', updated(x, 0, 1)], ['d: b c']],
      'b a',
    ],
    [
      'that discard a side omit its changes',
      [['b: a', updated(x, 0, 1)], ['c: a', updated(x, 0, 2)], ['d: b c']],
      'b a',
    ],
    [
      'that undo a change omit it',
      [
        ['b: a', updated(x, 0, 1)],
        ['c: a', updated('sites/y', 0, 1)],
        ['d: b c', updated(x, 1, 0)],
      ],
      'a',
    ],
    [
      'include a resource that was removed and added again',
      [['b: a', removed(x)], ['c: b', added(x, { n: 0 })], ['d: a', updated('sites/y', 0, 1)], ['e: d c']],
      'a',
    ],
    [
      'that remove a resource of both sides omit it',
      [['b: a', updated('sites/y', 0, 1)], ['c: a'], ['d: b c', removed(x)]],
      'd a',
    ],
    [
      'of three parents need only one equal parent',
      [
        ['b: a', updated(x, 0, 1)],
        ['c: a', updated(x, 0, 2)],
        ['d: a', updated(x, 0, 3)],
        ['e: b c d', updated(x, 1, 3)],
      ],
      'd a',
    ],
  ])('%s', (_, steps, letters) => {
    expect(lettersOf([START, ...steps], x)).toBe(letters);
  });

  test('of a resource from a discarded branch are kept', () => {
    const steps: Step[] = [
      START,
      ['b: a', added('sites/z', { n: 0 })],
      ['c: b', updated('sites/z', 0, 1)],
      ['d: a'],
      ['e: d c'],
    ];
    expect(lettersOf(steps, 'sites/z')).toBe('c b');
  });
});

/** A revision of a random graph: its parents and the values that it gives to sites. */
interface Made {
  readonly parents: readonly number[];
  readonly values: readonly number[];
}

const SITES = ['sites/p', 'sites/q'];

const graphs = fc
  .array(
    fc.record({
      parents: fc.array(fc.nat(1000), { minLength: 1, maxLength: 3 }),
      values: fc.tuple(fc.nat(2), fc.nat(2)),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((made): Made[] => {
    const revisions = made.map(({ parents, values }, index) => ({
      // Parents are mostly recent, which gives long lines with merges.
      parents: index === 0 ? [] : [...new Set(parents.map((far) => Math.max(0, index - 1 - (far % 5))))],
      values,
    }));
    const followed = new Set(revisions.flatMap(({ parents }) => parents));
    const heads = [...revisions.keys()].filter((index) => !followed.has(index)).reverse();
    return [...revisions, { parents: heads, values: [0, 1] }];
  });

function stepsOf(made: readonly Made[]): Step[] {
  return made.map(({ parents, values }, index) => {
    const line = `${letter(index)}: ${parents.map(letter).join(' ')}`.trimEnd();
    const [first] = parents;
    const before = first === undefined ? undefined : made[first]?.values;
    if (!before) return [line, added(''), ...SITES.map((path, site) => added(path, { n: values[site] ?? 0 }))];
    const changes = SITES.flatMap((path, site) => {
      const [from = 0, to = 0] = [before[site], values[site]];
      return from === to ? [] : [updated(path, from, to)];
    });
    return [line, ...changes];
  });
}

function letter(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index);
}

test.each(['all', 'one'] as const)(
  'current versions equal those of a simple scan of all revisions, for any graph and %s',
  (asked) => {
    fc.assert(
      fc.property(graphs, (made) => {
        const { history } = historyOf(stepsOf(made));
        const histories = resourceHistories(history, asked);
        const placeOf = (index: number) => history.revisions.findIndex(({ message }) => message === letter(index));
        for (const [site, path] of SITES.entries()) {
          const expected: number[] = [];
          for (const [index, { parents, values }] of made.entries()) {
            const same = parents.find((parent) => made[parent]?.values[site] === values[site]);
            expected[index] = same === undefined ? index : (expected[same] ?? -1);
          }
          const { currentAt } = histories.of(path);
          expect([...made.keys()].map((index) => currentAt(placeOf(index)))).toEqual(expected.map(placeOf));
        }
      }),
      { numRuns: 300, seed: 20260101 },
    );
  },
);

test('histories of the grid, and of subjects without merges, read no states', () => {
  const { history } = historyOf([...LINE, ['g: a', updated('', 0, 2)], ['h: f g', updated('', 1, 2)]]);
  const withoutStates = {
    ...history,
    get states(): never {
      throw new Error('states are asked for');
    },
  };
  for (const asked of ['all', 'one'] as const) {
    const histories = resourceHistories(withoutStates, asked);
    for (const path of ['', 'sites/y', 'sites/x/clusters'])
      expect(histories.of(path).revisions).toEqual(resourceHistories(history).of(path).revisions);
  }
});
