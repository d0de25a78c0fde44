import { expect, test } from 'vitest';
import { boundedHistories } from '../../../../src/core/history/bounded-histories.ts';
import { historyBound } from '../../../../src/core/history/history-bound.ts';
import { resourceHistories } from '../../../../src/core/history/resource-history.ts';
import { configurationOf } from '../../../../src/core/model/configuration.ts';
import { epochSeconds } from '../../../../src/core/model/revision.ts';
import { pastDigest } from '../../../../src/core/tree/past-mark.ts';
import { headerOf } from '../../../support/values/headers.ts';
import { added, historyOf, removed, updated } from '../../../support/values/history.ts';
import { publication } from '../../../support/values/publication.ts';

const CLUSTER = 'sites/x/clusters/c';

/** A revision a day: c is the first that is told from the bound on, and stands on b. */
const DAYS: Readonly<Record<string, string>> = { a: '01', b: '02', c: '03' };
const { history, store } = historyOf(
  [
    [
      'a:',
      added('', { uid: 'g' }),
      added('sites/x', { uid: 'x', n: 3 }),
      added(CLUSTER, { uid: 'c' }),
      added(`${CLUSTER}/nodes/gone`, { uid: 'gone' }),
      added(`${CLUSTER}/nodes/n`, { uid: 'n', n: 1 }),
    ],
    ['b: a', removed(`${CLUSTER}/nodes/gone`), updated(`${CLUSTER}/nodes/n`, 1, 2)],
    ['c: b', updated('sites/x', 3, 4)],
  ],
  (line) => {
    const header = headerOf(line);
    return { ...header, date: `2026-01-${DAYS[header.message]}T00:00:00Z` };
  },
);

/** The digest of the head, and the texts that it follows from, where one of them is another. */
function digested(since: string, from = '', to = '') {
  const bound = historyBound(history, epochSeconds(since));
  const whole = resourceHistories(history);
  const texts = new Set<string>();
  const get = (handle: number) => {
    const text = store.get(handle);
    texts.add(text);
    return text === from ? to : text;
  };
  const histories = bound ? boundedHistories(whole, history, bound) : whole;
  const made = { ...publication('current', { history, store: { ...store, get } }), histories, bound };
  const variants = { names: [], pretty: false, precompressed: false };
  const options = { publication: made, configuration: configurationOf({ cluster_uid: 'main' }), variants, makers: [] };
  return { digest: pastDigest(2, options), texts: [...texts] };
}

test('the mark of a bounded past follows from what was there at the bound, and what is told since', () => {
  const { digest, texts } = digested('2026-01-03T00:00:00Z');
  expect(texts.sort()).toEqual([
    '[{"at":"/n","from":3,"to":4}]',
    '{"uid":"c"}',
    '{"uid":"g"}',
    '{"uid":"n","n":2}',
    '{"uid":"x","n":3}',
  ]);
  for (const text of texts) expect(digested('2026-01-03T00:00:00Z', text, '{}').digest).not.toBe(digest);
});

test('the mark of a whole past follows from all of its texts', () => {
  const { digest, texts } = digested('2026-01-01T00:00:00Z');
  expect(texts).toHaveLength(7);
  for (const text of texts) expect(digested('2026-01-01T00:00:00Z', text, '{}').digest).not.toBe(digest);
});
