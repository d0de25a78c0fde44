import { expect, test } from 'vitest';
import { idAt, modificationTimes, revisionAt, stateAt } from '../../../../src/core/api/publication.ts';
import { headerOf } from '../../../support/values/headers.ts';
import { historyOf } from '../../../support/values/history.ts';
import { C, publication } from '../../../support/values/publication.ts';

const dates: Readonly<Record<string, string>> = {
  a: '1970-01-01T00:01:40Z',
  b: '1970-01-01T00:01:40Z',
  c: '1970-01-01T00:00:10Z',
  d: '1970-01-01T00:03:20Z',
  e: '1970-01-01T01:03:00+01:00',
};

test('file times are those of the revisions, and always later than those of their parents', () => {
  const { history } = historyOf([['a:'], ['b: a'], ['c: b'], ['d: b'], ['e: c d']], (line) => {
    const header = headerOf(line);
    return { ...header, date: dates[header.message] ?? '' };
  });
  expect(modificationTimes(history)).toEqual([100, 101, 102, 200, 201]);
});

test('idAt, revisionAt and stateAt look up a revision by index', () => {
  const given = publication('current');
  expect([idAt(given, 2), revisionAt(given, 2).author]).toEqual([C, 'Ada Brown']);
  expect(stateAt(given, 4)).toBeNull();
  expect(() => revisionAt(given, 4)).toThrow('no revision has the index 4');
});
