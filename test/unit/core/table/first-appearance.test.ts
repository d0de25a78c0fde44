import { expect, test } from 'vitest';
import { firstAppearances } from '../../../../src/core/table/first-appearance.ts';
import { added, historyOf, type Step } from '../../../support/history.ts';

const NODES = 'sites/x/clusters/c/nodes';
const STEPS: readonly Step[] = [
  [
    'a:',
    added('', { type: 'grid', uid: 'g', serial: 'no node' }),
    added('sites/x', { type: 'site', uid: 'x' }),
    added('sites/x/clusters/c', { type: 'cluster', uid: 'c' }),
    { action: 'added', path: `${NODES}/m`, value: { type: 'node', uid: 'm', gpu: { vendor: 'V' } } },
  ],
  [
    'b: a',
    {
      action: 'updated',
      path: `${NODES}/m`,
      fields: [{ at: '/disks', to: [{ size: 1 }, { size: 2, 'x"y': null }] }],
    },
  ],
  ['c: b', { action: 'removed', path: `${NODES}/m` }],
  [
    'd: c',
    { action: 'added', path: `${NODES}/n`, value: { type: 'node', uid: 'n', vendor: 1, serial: 's' } },
  ],
];

test('a field is there since the first revision after which a node had it at its place', () => {
  const { history, store } = historyOf(STEPS);
  const ways = [
    ['gpu', 'vendor'],
    ['vendor'],
    ['disks', 'size'],
    ['disks', 'x"y'],
    ['serial'],
    ['type'],
    ['none'],
  ];
  expect(firstAppearances(history, store, ways)).toEqual([0, 3, 1, 1, 3, 0, undefined]);
});
