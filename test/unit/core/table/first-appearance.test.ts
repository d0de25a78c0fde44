import { expect, test } from 'vitest';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { nodeHistory } from '../../../../src/core/table/node-history.ts';
import { perNodeFields } from '../../../../src/core/table/per-node-fields.ts';
import { added, historyOf, type Step } from '../../../support/values/history.ts';

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
    { action: 'updated', path: `${NODES}/m`, fields: [{ at: '/disks', to: [{ size: 1 }, { size: 2, 'x"y': null }] }] },
  ],
  ['c: b', { action: 'removed', path: `${NODES}/m` }],
  ['d: c', { action: 'added', path: `${NODES}/n`, value: { type: 'node', uid: 'n', vendor: 1, serial: 's' } }],
];

const SINCE: readonly (readonly [way: readonly string[], index: number | undefined])[] = [
  [['gpu', 'vendor'], 0],
  [['vendor'], 3],
  [['disks'], 1],
  [['disks', 'size'], 1],
  [['disks', 'x"y'], 1],
  [['serial'], 3],
  [['type'], 0],
  [['none'], undefined],
  [['gpu', 'vendor', 'below'], undefined],
];

test('the first appearance of a field is the first revision after which a node has it at its path', () => {
  const { history, store } = historyOf(STEPS);
  const { since } = nodeHistory(history, store, perNodeFields(fieldRules(NODE), []));
  expect(SINCE.map(([way]) => [way, since(way)])).toEqual(SINCE);
});

test('omitted fields and their descendants have a first appearance', () => {
  const { history, store } = historyOf(STEPS);
  const own = perNodeFields(undefined, [['uid'], ['disks'], ['gpu', 'vendor'], ['x.y']]);
  const { since, omittedFields } = nodeHistory(history, store, own);
  // The current nodes have neither of them.
  expect(omittedFields).toEqual(['disks', 'gpu.vendor']);
  expect(SINCE.map(([way]) => [way, since(way)])).toEqual(SINCE);
});

test('fields have a first appearance even if the table over time is too long', () => {
  const { history, store } = historyOf(STEPS);
  const { nodes, since } = nodeHistory(history, store, perNodeFields(fieldRules(NODE), []), 10);
  expect(nodes).toBeUndefined();
  expect(SINCE.map(([way]) => [way, since(way)])).toEqual(SINCE);
});
