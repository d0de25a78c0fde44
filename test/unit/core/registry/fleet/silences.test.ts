import { describe, expect, test } from 'vitest';
import type { Silence } from '../../../../../src/core/model/configuration.ts';
import type { Fact } from '../../../../../src/core/registry/fleet/fact.ts';
import { applySilences } from '../../../../../src/core/registry/fleet/fleet.ts';
import { member, told } from '../../../../support/values/fleet.ts';

const [n1, n2, n3] = [member('n1'), member('n2'), member('n3', 'gpu', 'vega')];
const missing: Fact = { check: 'presence', kind: 'missing', field: ['chassis', 'serial'], members: [n1, n2] };
const shared: Fact = { check: 'shared', kind: 'shared', field: ['chassis', 'serial'], members: [n1, n3], value: '"S"' };
const split: Fact = {
  check: 'difference',
  kind: 'split',
  isCount: false,
  field: ['infiniband'],
  members: [n1, n2],
  sorts: [
    { value: '1', members: [n1] },
    { value: '2', members: [n2] },
  ],
};

/** What is left of a fact, and what is silenced of it. */
function silenced(fact: Fact, ...rules: readonly Omit<Silence, 'reason'>[]) {
  const result = applySilences(
    [fact],
    rules.map((rule) => ({ ...rule, reason: 'It is so.' })),
  );
  const about = (facts: readonly Fact[]) => facts.map((each) => told(each).about);
  return { left: about(result.facts), silenced: result.silenced.map(about) };
}

const WHOLE = 'n1,n2 chassis.serial';

describe('a rule silences what it covers', () => {
  test.each<[string, Omit<Silence, 'reason'>]>([
    ['by its check', { check: 'presence' }],
    ['by the field', { check: 'presence', field: 'chassis.serial' }],
    ['by what holds the field', { check: 'presence', field: 'chassis' }],
    ['by the type', { check: 'presence', node_type: 'compute' }],
    ['by the site', { check: 'presence', sites: ['vega', 'lyra'] }],
    ['by all nodes', { check: 'presence', nodes: ['n2', 'n1'] }],
  ])('%s', (_, rule) => {
    expect(silenced(missing, rule)).toEqual({ left: [], silenced: [[WHOLE]] });
  });

  test.each<[string, Omit<Silence, 'reason'>]>([
    ['the check', { check: 'shared' }],
    ['the field', { check: 'presence', field: 'chassis.name' }],
    ['a field that begins the same', { check: 'presence', field: 'chass' }],
    ['the type', { check: 'presence', node_type: 'gpu' }],
    ['the site', { check: 'presence', sites: ['vega'] }],
    ['the nodes', { check: 'presence', nodes: ['n3'] }],
    ['one of several', { check: 'presence', node_type: 'compute', nodes: ['n3'] }],
  ])('and nothing when it is another: %s', (_, rule) => {
    expect(silenced(missing, rule)).toEqual({ left: [WHOLE], silenced: [[]] });
  });

  test('and leaves the other nodes', () => {
    expect(silenced(missing, { check: 'presence', nodes: ['n2'] })).toEqual({
      left: ['n1 chassis.serial'],
      silenced: [['n2 chassis.serial']],
    });
  });

  test('together with others', () => {
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

test('what nodes share is silenced for all of them or not at all', () => {
  const about = 'n1,n3 chassis.serial';
  expect(silenced(shared, { check: 'shared', nodes: ['n1'] })).toEqual({ left: [about], silenced: [[]] });
  expect(silenced(shared, { check: 'shared', nodes: ['n1', 'n3'] })).toEqual({ left: [], silenced: [[about]] });
});

test('sorts that stand side by side need two', () => {
  expect(silenced(split, { check: 'difference', nodes: ['n2'] })).toEqual({ left: [], silenced: [['n2 infiniband']] });
});
