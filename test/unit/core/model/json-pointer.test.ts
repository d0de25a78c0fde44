import { describe, expect, test } from 'vitest';
import { pointerTokens, valueAt } from '../../../../src/core/model/json-pointer.ts';

describe('valueAt', () => {
  const body = { a: [{ b: null }], '': 5, 'x/y': { '~': 1 } };
  test.each([
    ['', body],
    ['/a/0', { b: null }],
    ['/a/0/b', null],
    ['/', 5],
    ['/x~1y/~0', 1],
    ['/a/1', undefined],
    ['/a/length', undefined],
    ['/a/00', undefined],
    ['/toString', undefined],
    ['/a/0/b/c', undefined],
  ])('resolves %j', (pointer, value) => {
    expect(valueAt(body, pointer)).toEqual(value);
  });
});

test.each([
  ['', []],
  ['/', ['']],
  ['/a/b', ['a', 'b']],
  ['/~01/~1', ['~1', '/']],
  ['a', undefined],
])('pointerTokens(%j) is correct', (pointer, tokens) => {
  expect(pointerTokens(pointer)).toEqual(tokens);
});
