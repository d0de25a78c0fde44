import { describe, expect, test } from 'vitest';
import { hardwareTimes, renderNodeBadge, renderRevisionBadge } from '../../../../../src/core/api/badge.ts';
import { RAW_FORMS } from '../../../../../src/core/api/raw-forms.ts';
import { changeFeeds } from '../../../../../src/core/history/change-feed.ts';
import { added, historyOf, removed, type Step, updated } from '../../../../support/values/history.ts';
import { A, B, NODE_N, publication } from '../../../../support/values/publication.ts';

const CLUSTER = 'sites/x/clusters/c';
const node = (uid: string) => `${CLUSTER}/nodes/${uid}`;
const RAM = 'main_memory';
const START: Step = [
  'a:',
  added('', { type: 'grid', uid: 'g' }),
  added('sites/x', { type: 'site', uid: 'x', site_class: 'baremetal' }),
  added(CLUSTER, { type: 'cluster', uid: 'c' }),
  ...['m', 'n', 'o'].map((uid) => added(node(uid), { uid, type: 'node', [RAM]: 1, serial: 1 })),
];

function timesOf(steps: readonly Step[]) {
  const { history } = historyOf(steps);
  const message = (index: number) => history.revisions[index]?.message;
  const { since, revisions } = hardwareTimes(changeFeeds(history).get(''));
  return {
    since: Object.fromEntries([...since].map(([path, index]) => [path.split('/').at(-1), message(index)])),
    revisions: revisions.map(({ index, nodes, changed }) => `${message(index)}: ${changed} of ${nodes}`),
  };
}

describe('the date since when hardware is unchanged', () => {
  test('is that of the last hardware change, even if other fields changed later', () => {
    const steps: Step[] = [
      START,
      ['b: a', updated(node('m'), 1, 2, RAM)],
      ['c: b', updated(node('m'), 1, 2, 'serial'), updated(node('n'), 1, 2, 'serial')],
    ];
    expect(timesOf(steps)).toEqual({
      since: { m: 'b', n: 'a', o: 'a' },
      revisions: ['a: 1 of 3', 'b: 0 of 3', 'c: 0 of 3'],
    });
  });

  test('counts removed nodes, and restarts for a restored node', () => {
    const steps: Step[] = [
      START,
      ['b: a', removed(node('m')), removed(node('n'))],
      ['c: b', added(node('n'), { uid: 'n', type: 'node', [RAM]: 1 })],
    ];
    expect(timesOf(steps)).toEqual({ since: { o: 'a', n: 'c' }, revisions: ['a: 2 of 3', 'b: 0 of 1', 'c: 0 of 2'] });
  });
});

describe('a badge', () => {
  test('states the date and the site', () => {
    const text = renderNodeBadge(publication('current'), NODE_N, 0);
    expect(text).toMatch(/^<svg [^>]*aria-label="hardware unchanged since: 2026-03-01"/);
    expect(RAW_FORMS.svg.isDocumentAt(text, `/${NODE_N}/badge.svg`)).toBe(true);
    expect(RAW_FORMS.svg.isDocumentAt(text, '/sites/y/badge.svg')).toBe(false);
  });

  test('of a revision states the number of changed nodes', () => {
    const said = (index: number, changed: number) =>
      /aria-label="([^"]*)"/.exec(renderRevisionBadge(publication('current'), { index, nodes: 4, changed }))?.[1];
    expect(said(0, 3)).toBe(`hardware since ${A.slice(0, 8)}: 3 of 4 nodes changed`);
    expect(said(1, 0)).toBe(`hardware since ${B.slice(0, 8)}: unchanged`);
  });
});
