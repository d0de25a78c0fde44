import { expect, test } from 'vitest';
import { byName, summarizeNodes } from '../../../../../src/core/registry/fleet/findings.ts';
import { member } from '../../../../support/values/fleet.ts';

const lyra = ['n1', 'n2', 'n3'].map((name) => member(name));
const vega = ['v1', 'v2'].map((name) => member(name, 'compute', 'vega'));
const ofType = () => [...lyra, ...vega];

test('some of a type, with how many there are', () => {
  expect(summarizeNodes(lyra.slice(1), ofType)).toEqual({ names: ['n2', 'n3'], nodeType: 'compute', total: 5 });
});

test('all of a type at a site are a batch; all of the type, or one, are none', () => {
  const of = { nodeType: 'compute', total: 5 };
  expect(summarizeNodes(vega, ofType)).toEqual({ ...of, names: ['v1', 'v2'], allAt: ['vega'] });
  expect(summarizeNodes(ofType(), ofType)).toEqual({ ...of, names: ['n1', 'n2', 'n3', 'v1', 'v2'] });
  expect(summarizeNodes(vega.slice(1), () => vega.slice(1))).toEqual({ ...of, names: ['v2'], total: 1 });
});

test('of several types, or of none, by their names alone', () => {
  expect(summarizeNodes([member('n1'), member('g1', 'gpu')], ofType)).toEqual({ names: ['n1', 'g1'] });
  expect(summarizeNodes([member('n1', null)], ofType)).toEqual({ names: ['n1'] });
});

test('names in code-unit order, then paths', () => {
  const [a, b] = [member('n1', 'compute', 'vega'), member('n1')];
  expect(byName([member('n2'), a, b])).toEqual([b, a, member('n2')]);
});
