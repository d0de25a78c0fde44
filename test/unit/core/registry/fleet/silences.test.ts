import { describe, expect, test } from 'vitest';
import type { Silence } from '../../../../../src/core/model/configuration.ts';
import type { Fact } from '../../../../../src/core/registry/fleet/fact.ts';
import { applySilences } from '../../../../../src/core/registry/fleet/fleet.ts';
import { formatFact, member } from '../../../../support/values/fleet.ts';

const [n1, n2, n3] = [member('n1'), member('n2'), member('n3', 'gpu', 'vega')];
const missing: Fact = { check: 'presence', kind: 'missing', field: ['chassis', 'serial'], members: [n1, n2] };
const shared: Fact = { check: 'shared', kind: 'shared', field: ['chassis', 'serial'], members: [n1, n3], value: '"S"' };
const split: Fact = {
  check: 'difference',
  kind: 'split',
  isCount: false,
  field: ['infiniband'],
  members: [n1, n2],
  valueGroups: [
    { value: '1', members: [n1] },
    { value: '2', members: [n2] },
  ],
};

/** Returns the silenced and the remaining parts of a finding. */
function silenced(fact: Fact, ...rules: readonly Omit<Silence, 'reason'>[]) {
  const result = applySilences(
    [fact],
    rules.map((rule) => ({ ...rule, reason: 'It is so.' })),
  );
  const about = (facts: readonly Fact[]) => facts.map((each) => formatFact(each).about);
  return { left: about(result.facts), silenced: result.silenced.map(about) };
}

const WHOLE = 'n1,n2 chassis.serial';

describe('a rule silences a finding', () => {
  test.each<[string, Omit<Silence, 'reason'>]>([
    ['by its check', { check: 'presence' }],
    ['by the field', { check: 'presence', field: 'chassis.serial' }],
    ['by a parent of the field', { check: 'presence', field: 'chassis' }],
    ['by the type', { check: 'presence', node_type: 'compute' }],
    ['by the site', { check: 'presence', sites: ['vega', 'lyra'] }],
    ['by all nodes', { check: 'presence', nodes: ['n2', 'n1'] }],
  ])('%s', (_, rule) => {
    expect(silenced(missing, rule)).toEqual({ left: [], silenced: [[WHOLE]] });
  });

  test.each<[string, Omit<Silence, 'reason'>]>([
    ['the check', { check: 'shared' }],
    ['the field', { check: 'presence', field: 'chassis.name' }],
    ['a field with the same prefix', { check: 'presence', field: 'chass' }],
    ['the type', { check: 'presence', node_type: 'gpu' }],
    ['the site', { check: 'presence', sites: ['vega'] }],
    ['the nodes', { check: 'presence', nodes: ['n3'] }],
    ['one of several conditions', { check: 'presence', node_type: 'compute', nodes: ['n3'] }],
  ])('only if it matches: %s', (_, rule) => {
    expect(silenced(missing, rule)).toEqual({ left: [WHOLE], silenced: [[]] });
  });

  test('for its nodes only', () => {
    expect(silenced(missing, { check: 'presence', nodes: ['n2'] })).toEqual({
      left: ['n1 chassis.serial'],
      silenced: [['n2 chassis.serial']],
    });
  });

  test('together with other rules', () => {
    const rules = [
      { check: 'presence', nodes: ['n1'] },
      { check: 'presence', nodes: ['n2', 'n1'] },
    ] as const;
    expect(silenced(missing, ...rules.map((rule) => ({ ...rule, nodes: [...rule.nodes] })))).toEqual({
      left: [],
      silenced: [['n1 chassis.serial'], [WHOLE]],
    });
  });
});

test('a shared value is silenced for all nodes or for none', () => {
  const about = 'n1,n3 chassis.serial';
  expect(silenced(shared, { check: 'shared', nodes: ['n1'] })).toEqual({ left: [about], silenced: [[]] });
  expect(silenced(shared, { check: 'shared', nodes: ['n1', 'n3'] })).toEqual({ left: [], silenced: [[about]] });
});

test('groups without a majority need at least two members', () => {
  expect(silenced(split, { check: 'difference', nodes: ['n2'] })).toEqual({ left: [], silenced: [['n2 infiniband']] });
});
