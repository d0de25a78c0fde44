import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { epochSeconds, httpDate, recordedId } from '../../../../src/core/model/revision.ts';

const HEADER = {
  parents: ['a'.repeat(40)],
  date: '2026-03-01T12:00:00+01:00',
  author: 'Ada Brown',
  message: 'Replace a disk',
  state: 'b'.repeat(64),
};

describe('recordedId', () => {
  test('is the SHA-1 of the canonical JSON of parents, date, author, message and state', () => {
    const text = `{"author":"Ada Brown","date":"2026-03-01T12:00:00+01:00","message":"Replace a disk","parents":["${'a'.repeat(40)}"],"state":"${'b'.repeat(64)}"}`;
    expect(recordedId(HEADER)).toBe(createHash('sha1').update(text).digest('hex'));
  });

  test.each([
    { parents: [] },
    { date: '2026-03-01T11:00:00Z' },
    { author: 'Ada' },
    { message: 'Replace a disk ' },
    { state: 'c'.repeat(64) },
  ])('changes with %j', (other) => {
    expect(recordedId({ ...HEADER, ...other })).not.toBe(recordedId(HEADER));
  });
});

test.each([
  ['1970-01-01T00:00:00Z', 0],
  ['2026-03-01T12:00:00+01:00', 1772362800],
  ['2026-03-01T12:00:00-05:30', 1772386200],
  ['1969-12-31T23:59:59Z', -1],
])('epochSeconds(%j) is correct', (date, seconds) => {
  expect(epochSeconds(date)).toBe(seconds);
});

test('httpDate writes the example of RFC 9110, section 5.6.7', () => {
  expect(httpDate(784111777)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
});
