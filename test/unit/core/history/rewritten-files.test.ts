import { expect, test } from 'vitest';
import { rewrittenFiles } from '../../../../src/core/history/merge-sides.ts';
import type { RecordedChange } from '../../../../src/core/history/replay.ts';

const NUMBERS = ['', 'sites', 'sites/a', 'sites/b', 'sites/c'];

function change(path: string, action: RecordedChange['action']): RecordedChange {
  return { path, action, fields: undefined, classes: 0, successor: undefined };
}

/**
 * Creates `before` revisions in a row, then a merge of two branches: one changes `sites/b`, the other has the given
 * action on `sites/a`.
 */
function rewrittenAfter(before: number, action: RecordedChange['action']) {
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

test('rewrittenFiles lists files that only one side reformatted, and all their parents', () => {
  expect(rewrittenAfter(3, 'touched').found).toEqual(['', 'sites', 'sites/a']);
  expect(rewrittenAfter(3, 'updated').found).toEqual([]);
});

test('rewrittenFiles reads no revision before the first reformatted file', () => {
  expect(rewrittenAfter(100, 'updated').read).toBe(0);
  expect(rewrittenAfter(100, 'touched').read).toBe(3);
});
