import { expect, test } from 'vitest';
import { rewrittenFiles } from '../../../../src/core/history/merge-sides.ts';
import type { RecordedChange } from '../../../../src/core/history/replay.ts';

const NUMBERS = ['', 'sites', 'sites/a', 'sites/b', 'sites/c'];

function change(path: string, action: RecordedChange['action']): RecordedChange {
  return { path, action, fields: undefined, classes: 0, successor: undefined };
}

/**
 * `before` revisions one after the other, then the branches of a merge: one with a change of `sites/b`, and one that writes
 * `sites/a` anew or, as all others, does something else.
 */
function asked(before: number, action: RecordedChange['action']) {
  const read = new Set<number>();
  const base = before - 1;
  const lines = Array.from({ length: before }, (_, index) => (index === 0 ? [] : [index - 1]));
  const parents = [...lines, [base], [base], [before, before + 1]];
  const changes = [
    ...lines.map(() => [change('sites/c', 'updated')]),
    [change('sites/a', action)],
    [change('sites/b', 'updated')],
    [change('sites/b', 'updated')],
  ];
  const watched = new Proxy(parents, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) read.add(Number(name));
      return Reflect.get(target, name, receiver);
    },
  });
  const isRewritten = rewrittenFiles({ parents: watched, changes }, (path) => NUMBERS.indexOf(path));
  const found = NUMBERS.filter((path) => isRewritten(path, before + 1, before + 2));
  return { found, read: read.size };
}

test('tells what one side alone wrote anew, and all above it', () => {
  expect(asked(3, 'touched').found).toEqual(['', 'sites', 'sites/a']);
  expect(asked(3, 'updated').found).toEqual([]);
});

test('asks for no revision before the first that wrote a file anew', () => {
  expect(asked(100, 'updated').read).toBe(0);
  expect(asked(100, 'touched').read).toBe(3);
});
