import { expect, test } from 'vitest';
import { byName, summarizeNodes } from '../../../../../src/core/registry/fleet/findings.ts';
import { member } from '../../../../support/values/fleet.ts';

const lyra = ['n1', 'n2', 'n3'].map((name) => member(name));
const vega = ['v1', 'v2'].map((name) => member(name, 'compute', 'vega'));
const ofType = () => [...lyra, ...vega];

test('some nodes of a type are listed with the total', () => {
  expect(summarizeNodes(lyra.slice(1), ofType)).toEqual({ names: ['n2', 'n3'], nodeType: 'compute', total: 5 });
});

test('all nodes of a type at one site are a batch; all nodes of the type, or a single node, are not', () => {
  const of = { nodeType: 'compute', total: 5 };
  expect(summarizeNodes(vega, ofType)).toEqual({ ...of, names: ['v1', 'v2'], allAt: ['vega'] });
  expect(summarizeNodes(ofType(), ofType)).toEqual({ ...of, names: ['n1', 'n2', 'n3', 'v1', 'v2'] });
  expect(summarizeNodes(vega.slice(1), () => vega.slice(1))).toEqual({ ...of, names: ['v2'], total: 1 });
});

test('nodes of several types or without a type are listed by name alone', () => {
  expect(summarizeNodes([member('n1'), member('g1', 'gpu')], ofType)).toEqual({ names: ['n1', 'g1'] });
  expect(summarizeNodes([member('n1', null)], ofType)).toEqual({ names: ['n1'] });
});

test('names are sorted by code unit, then by path', () => {
  const [a, b] = [member('n1', 'compute', 'vega'), member('n1')];
  expect(byName([member('n2'), a, b])).toEqual([b, a, member('n2')]);
});
