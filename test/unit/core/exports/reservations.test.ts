import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/finding.ts';
import { findingRecord } from '../../../../src/core/diagnostics/render.ts';
import { type ReservableNode, reservationsOf, spreadFindings } from '../../../../src/core/exports/reservations.ts';
import { blazarFilter } from '../../../../src/core/exports/snippet-context.ts';
import { findingsOf } from '../../../support/processes/failure.ts';

function node(site: string, name: string, type: string | undefined = 'compute', rack?: string): ReservableNode {
  return { site, cluster: 'main', uid: `uid-${site}-${name}`, name, type, rack };
}

/** Returns lines such as `3 compute: reason`. */
function lines(...args: Parameters<typeof reservationsOf>): string[] {
  return reservationsOf(...args).map(({ nodes, value, reason }) => `${nodes.length} ${value}: ${reason}`);
}

const LYRA = ['c10', 'c2', 'c1'].map((name) => node('lyra', name));
const VEGA = ['c1', 'c2'].map((name) => node('vega', name));

describe('reservations', () => {
  test('name the type if all nodes of the type at the site qualify', () => {
    expect(lines([...VEGA, ...LYRA], LYRA, { count: 'all' })).toEqual([
      '3 compute: all 3 nodes of this type at lyra qualify',
    ]);
  });

  test('name the uids of the first nodes in natural order if some nodes of the type do not qualify', () => {
    const reason =
      'only 3 of the 4 nodes of type compute qualify, so a reservation of the type could give another node';
    const fleet = [...LYRA, node('lyra', 'c3')];
    expect(lines(fleet, LYRA, { count: 2 })).toEqual([`1 uid-lyra-c1: ${reason}`, `1 uid-lyra-c2: ${reason}`]);
  });

  test('name the uid if the type is missing, has several spellings or cannot be in a command', () => {
    const fleet = [
      node('a', '1', "x'"),
      { ...node('b', '1'), type: undefined },
      ...[node('c', '1', 'Compute'), node('c', '2', 'compute')],
    ];
    expect(lines(fleet, fleet, { count: 'all' })).toEqual([
      '1 uid-a-1: the node_type has characters that are not allowed in commands',
      '1 uid-b-1: the node has no node_type that is a text',
      '1 uid-c-1: the node_type Compute has several spellings',
      '1 uid-c-2: the node_type Compute has several spellings',
    ]);
  });

  test('take nodes in turn from each site', () => {
    const fleet = [...LYRA, ...VEGA];
    const counts = reservationsOf(fleet, fleet, { count: 3, spread: 'site' }).map(({ nodes }) => [
      nodes[0]?.site,
      nodes.map(({ name }) => name),
    ]);
    expect(counts).toEqual([
      ['lyra', ['c1', 'c2']],
      ['vega', ['c1']],
    ]);
  });

  test('take nodes in turn from each rack, and name a type only for all its nodes', () => {
    const fleet = [
      node('a', '1', 'x', 'r1'),
      node('a', '2', 'x', 'r1'),
      node('a', '3', 'x', 'r2'),
      node('a', '4', 'y'),
    ];
    expect(lines(fleet, fleet, { count: 2, spread: 'rack' })).toEqual([
      '1 uid-a-1: another node of type x can be in another rack',
      '1 uid-a-3: another node of type x can be in another rack',
    ]);
    expect(lines(fleet, fleet, { count: 3, spread: 'rack' })).toEqual(['3 x: all 3 nodes of this type at a qualify']);
  });

  test('name the type if all nodes are in one rack', () => {
    const fleet = ['1', '2', '3'].map((name) => node('a', name, 'x', 'r1'));
    expect(lines(fleet, fleet, { count: 2, spread: 'rack' })).toEqual(['2 x: all 3 nodes of this type at a qualify']);
  });

  test('take nodes in the given order, and name a type only for all its nodes', () => {
    expect(lines(LYRA, LYRA, { count: 2, keepsOrder: true })).toEqual([
      '1 uid-lyra-c10: another node of type compute can have another place in the order',
      '1 uid-lyra-c2: another node of type compute can have another place in the order',
    ]);
    expect(lines(LYRA, LYRA, { count: 3, keepsOrder: true })).toEqual([
      '3 compute: all 3 nodes of this type at lyra qualify',
    ]);
  });

  test.each([
    ['all', 'No node can be reserved: 0 nodes match.'],
    [2, '2 nodes were requested, but 0 nodes match.'],
  ] as const)('stop if no node matches: %s', (count, message) => {
    expect(findingsOf(() => reservationsOf(LYRA, [], { count })).map(findingRecord)).toMatchObject([{ message }]);
  });

  test('take nodes of the most frequent hardware', () => {
    const hardwareOf = ({ name }: ReservableNode) => (name === 'c1' ? 'one' : 'other');
    expect(lines(LYRA, LYRA, { count: 2, hardwareOf })).toEqual([
      '1 uid-lyra-c2: only 2 of the 3 nodes of type compute qualify, so a reservation of the type could give another node',
      '1 uid-lyra-c10: only 2 of the 3 nodes of type compute qualify, so a reservation of the type could give another node',
    ]);
    expect(() => reservationsOf(LYRA, LYRA, { count: 3, hardwareOf })).toThrow(Failure);
  });

  test('select only qualifying nodes, and enough of them, if values are compared as text', () => {
    const site = fc.constantFrom('a', 'b');
    const type = fc.constantFrom('x', 'X', 'y', undefined);
    const drawn = fc.array(fc.record({ site, type, isMatch: fc.boolean() }), { maxLength: 12 });
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 12 }), (nodes, count) => {
        const fleet = nodes.map((each, i) => ({ ...node(each.site, `${i}`), type: each.type }));
        const matching = fleet.filter((_, i) => nodes[i]?.isMatch);
        fc.pre(matching.length >= count);
        const given = new Set<ReservableNode>();
        for (const reservation of reservationsOf(fleet, matching, { count })) {
          const [operator, key = '', value] = blazarFilter(reservation);
          expect(operator).toBe('=');
          const selected = fleet.filter((each) => {
            const text = key === '$uid' ? each.uid : each.type;
            return each.site === reservation.nodes[0]?.site && text === value && !given.has(each);
          });
          expect(selected.every((each) => matching.includes(each))).toBe(true);
          // The scheduler can give any of the selected nodes. The last ones are not those that were chosen.
          const last = selected.slice(-reservation.nodes.length);
          for (const each of last) given.add(each);
          expect(last.length).toBe(reservation.nodes.length);
        }
        expect(given.size).toBe(count);
      }),
    );
  });
});

test('the chosen nodes of one site cause a warning if they should be spread over sites', () => {
  const codesOf = (...args: Parameters<typeof spreadFindings>) => spreadFindings(...args).map(({ code }) => code);
  expect(codesOf(LYRA, 'site', true)).toEqual(['reserve-one-place']);
  expect(codesOf(LYRA, undefined, true)).toEqual([]);
  expect(codesOf(LYRA.slice(0, 1), 'site', true)).toEqual([]);
});

test('the same hardware is the cause of one rack only if other racks have matching nodes', () => {
  const inRack = (rack: string | undefined) => node('lyra', `c-${rack}`, 'compute', rack);
  const chosen = [inRack('1'), inRack('1')];
  const isCause = (matching: readonly ReservableNode[]) =>
    spreadFindings(chosen, 'rack', true, matching).map(({ args }) => args);
  expect(isCause([...chosen, inRack(undefined)])).toEqual([{ spread: 'rack', isSameHardware: false }]);
  expect(isCause([...chosen, inRack('2')])).toEqual([{ spread: 'rack', isSameHardware: true }]);
});
