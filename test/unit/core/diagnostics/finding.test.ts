import { describe, expect, test } from 'vitest';
import {
  byPlace,
  finding,
  onOneLine,
  placeAt,
  placeOnLine,
  printable,
} from '../../../../src/core/diagnostics/finding.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six'];

describe('placeAt', () => {
  test('counts lines and columns from one, and includes two lines before and after', () => {
    const text = LINES.join('\n');
    expect(placeAt('f', text, text.indexOf('our'))).toEqual({
      file: 'f',
      line: 4,
      column: 2,
      frame: { firstLine: 2, lines: ['two', 'three', 'four', 'five', 'six'], mark: 2 },
    });
    expect(placeAt('f', text, 0)).toEqual({
      file: 'f',
      line: 1,
      column: 1,
      frame: { firstLine: 1, lines: ['one', 'two', 'three'], mark: 1 },
    });
  });

  test('accepts positions after the end, and omits trailing empty lines', () => {
    expect(placeAt('f', 'a\n', 2)).toMatchObject({ line: 2, column: 1, frame: { firstLine: 1, lines: ['a', ''] } });
    expect(placeAt('f', 'a\n\n\n', 0)).toMatchObject({ line: 1, frame: { firstLine: 1, lines: ['a'] } });
    expect(placeAt('f', '', 0)).toMatchObject({ line: 1, column: 1, frame: { lines: [''] } });
  });

  test('ignores the CR of CR LF', () => {
    expect(placeAt('f', 'a\r\nb\r\n', 3)).toMatchObject({ line: 2, column: 1, frame: { lines: ['a', 'b'] } });
  });
});

describe('placeOnLine', () => {
  test('truncates long lines', () => {
    const { frame } = placeOnLine('f', `${'x'.repeat(500)}\nshort`, 2, 1);
    expect(frame).toEqual({ firstLine: 1, lines: ['x'.repeat(160), 'short'], mark: 1 });
  });

  test('truncates the marked line around the mark', () => {
    const line = `${'a'.repeat(399)}!${'b'.repeat(400)}`;
    const { column, frame } = placeOnLine('f', `first\n${line}`, 2, 400);
    expect(column).toBe(400);
    expect(frame?.lines).toEqual(['first', `…${'a'.repeat(79)}!${'b'.repeat(79)}`]);
    expect(frame?.lines[1]?.charAt((frame?.mark ?? 0) - 1)).toBe('!');
  });
});

test('printable replaces direction control characters by a symbol', () => {
  expect(printable('a\u202eb\u2066c\u2028\u061cd')).toBe('a\ufffdb\ufffdc\ufffd\ufffdd');
  expect(printable('مرحبا שלום')).toBe('مرحبا שלום');
});

test('onOneLine removes line breaks', () => {
  expect(onOneLine('a\nerror: b\u001b[2J')).toBe('a␊error: b␛[2J');
});

test('printable replaces control characters by their symbols', () => {
  expect(printable('a\u001b[31mb\0c\u007f\u0085d\te\r')).toBe('a␛[31mb␀c\ufffd\ufffdd\te');
  expect(printable('a\rb')).toBe('a␍b');
});

test('byPlace sorts by file, line and column', () => {
  const at = (file: string, line?: number, column?: number) =>
    finding(
      'not-utf8',
      {},
      { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) },
    );
  const none = finding('history-empty', {});
  const sorted = [at('b', 1, 1), at('a', 10, 1), at('a', 2, 9), at('a', 2, 10), at('a'), none].sort(byPlace);
  expect(sorted).toEqual([none, at('a'), at('a', 2, 9), at('a', 2, 10), at('a', 10, 1), at('b', 1, 1)]);
});

test('finding omits an unknown place', () => {
  expect(finding('not-utf8', {})).toEqual({ code: 'not-utf8', args: {} });
});
