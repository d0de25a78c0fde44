import { expect, test } from 'vitest';
import {
  idAt,
  LONGEST_SHIFT,
  modificationTimes,
  revisionAt,
  stateAt,
  TIME_STEP,
  timeShift,
} from '../../../../src/core/api/publication.ts';
import { planTree } from '../../../../src/core/tree/plan/plan-tree.ts';
import { headerOf } from '../../../support/values/headers.ts';
import { historyOf } from '../../../support/values/history.ts';
import { C, publication } from '../../../support/values/publication.ts';

const dates: Readonly<Record<string, string>> = {
  a: '1970-01-02T00:01:41Z',
  b: '1970-01-02T00:01:40Z',
  c: '1970-01-02T00:00:10Z',
  d: '1970-01-02T00:03:20Z',
  e: '1970-01-02T01:03:00+01:00',
};

test('file times are those of the revisions in steps of two seconds, and always later than those of their parents', () => {
  const { history } = historyOf([['a:'], ['b: a'], ['c: b'], ['d: b'], ['e: c d']], (line) => {
    const header = headerOf(line);
    return { ...header, date: dates[header.message] ?? '' };
  });
  expect(modificationTimes({ history, timeShift: 0 })).toEqual([86_500, 86_502, 86_504, 86_600, 86_602]);
  expect(modificationTimes({ history, timeShift: 30 })).toEqual([86_470, 86_472, 86_474, 86_570, 86_572]);
});

test('no file time is before 1970, because Node.js would set the current time instead', () => {
  const { history } = historyOf([['a:'], ['b: a']], (line) => ({ ...headerOf(line), date: '1970-01-01T00:00:00Z' }));
  const [first = 0, second] = modificationTimes({ history, timeShift: LONGEST_SHIFT - TIME_STEP });
  expect(first).toBeGreaterThan(0);
  expect(second).toBe(first + TIME_STEP);
});

test('other settings shift all file times by an even number of seconds, by less than two hours', () => {
  const shifts = ['3.1.8', '3.1.9', '3.2.0'].map((release) => timeShift(`{"release":"${release}"}`));
  expect(new Set(shifts).size).toBe(3);
  for (const shift of shifts) expect([shift >= 0, shift < 7200, shift % 2]).toEqual([true, true, 0]);
});

test('the removal of a resource changes its versions, and so their times', () => {
  const given = publication('current');
  const times = modificationTimes(given);
  const found = planTree(given).documents.flatMap(({ list }) => [...list()]);
  const modified = (url: string) => found.find((document) => document.url === url)?.modified;
  expect(modified(`/sites/y/versions/${C}`)).toBe(times[3]);
  expect(modified(`/sites/x/versions/${C}`)).toBe(times[2]);
});

test('idAt, revisionAt and stateAt look up a revision by index', () => {
  const given = publication('current');
  expect([idAt(given, 2), revisionAt(given, 2).author]).toEqual([C, 'Ada Brown']);
  expect(stateAt(given, 4)).toBeNull();
  expect(() => revisionAt(given, 4)).toThrow('no revision has the index 4');
});
