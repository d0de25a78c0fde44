import { expect, test } from 'vitest';
import { PLAIN } from '../../../../src/core/diagnostics/palette.ts';
import type { NodeVerdict } from '../../../../src/core/lock/lock-verdict.ts';
import { describeSummary, summaryOf } from '../../../../src/features/lock/summarize-lock.ts';
import type { VerifyResult } from '../../../../src/features/lock/verify-lock.ts';

const verdict = (name: string, fields: NodeVerdict['fields'], more: Partial<NodeVerdict> = {}): NodeVerdict => ({
  path: `sites/s/clusters/c/nodes/${name}`,
  uid: name,
  node_name: name,
  status: 'changed',
  fails: true,
  classes: ['hardware', 'placement'],
  fields,
  revisions: [],
  omitted: 0,
  ...more,
});
const resultOf = (...nodes: NodeVerdict[]): VerifyResult => ({
  ok: false,
  against: { kind: 'registry', place: '.' },
  classes: ['hardware', 'component'],
  from: { id: 'a'.repeat(40) },
  to: { id: 'b'.repeat(40) },
  nodes,
});

const RAM = { at: '/main_memory/ram_size', field: 'main_memory.ram_size', from: 1, to: 2 };
const RACK = { at: '/placement/rack', field: 'placement.rack', from: 1, to: 2 };
const disk = (i: number, size: number) => ({
  at: `/storage_devices/${i}/size`,
  field: `storage_devices[sd${'abcd'.charAt(i)}].size`,
  from: 0,
  to: size,
});
const serial = (to: string) => ({
  at: '/storage_devices/0/serial',
  field: 'storage_devices[sda].serial',
  from: 'A',
  to,
});
const ADAPTER = { at: '/network_adapters/0', field: 'network_adapters[eth0]', from: { device: 'eth0', rate: 1 } };
const names = Array.from({ length: 31 }, (_, i) => `n${String(i + 1).padStart(2, '0')}`);

test('equal changes of several nodes are one line, in the order of the number of nodes', () => {
  const many = names.map((name, i) => verdict(name, [RAM, RACK, serial(`B${i}`), disk(0, 5), disk(1, 5)]));
  const lines = describeSummary(
    resultOf(
      ...many,
      verdict('p1', [ADAPTER]),
      verdict('p2', [{ ...RAM, is_spelling: true }], { classes: [], fails: false }),
      verdict('p3', [], { status: 'removed', classes: [] }),
      verdict('p4', [], { status: 'same', classes: [], fails: false }),
    ),
    PLAIN,
    1150,
  );
  expect(lines.split('\n')).toEqual([
    'same     1 node',
    'changed  33 nodes: hardware 32, placement 32',
    '         1 node: only the spelling of values (p2)',
    'removed  1 node (p3)',
    'hardware',
    '  31 nodes: main_memory.ram_size 1 -> 2',
    '  31 nodes: storage_devices.size 0 -> 5',
    '  p1: network_adapters removed',
    '--details lists the changes and revisions of each node (1,150 lines).',
    '33 of 35 nodes not the same from aaaaaaaa to bbbbbbbb: 32 changed in hardware, 1 removed, 1 only spelled differently.',
    '',
  ]);
});

test('changes to different values that are cut to one text stay separate', () => {
  const model = (end: string) => ({ at: '/chassis/name', field: 'chassis.name', from: 'A', to: 'x'.repeat(200) + end });
  const [hardware] = summaryOf(
    resultOf(verdict('n1', [model('1')]), verdict('n2', [model('2')]), verdict('n3', [model('2')])),
  ).changed;
  expect(hardware?.fields[0]?.changes.map(({ names }) => names)).toEqual([['n2', 'n3'], ['n1']]);
});

test('changes of identifiers are counted without their values', () => {
  const nodes = names.map((name, i) => verdict(name, [serial(`B${i}`)], { classes: ['component'] }));
  expect(summaryOf(resultOf(...nodes))).toMatchObject({
    nodes: { total: 31, failed: 31, same: 0, changed: 31, removed: 0 },
    changed: [
      {
        class: 'component',
        nodes: 31,
        fields: [
          {
            field: 'storage_devices.serial',
            nodes: 31,
            names: names.slice(0, 5),
            is_only_recorded: false,
            changes: [{ change: 'updated', nodes: 31, names: names.slice(0, 5) }],
            omitted_changes: 0,
          },
        ],
        omitted_fields: 0,
      },
    ],
  });
});

test('a rare change of a known value is listed before newly recorded values', () => {
  const cache = (to: number) => ({ at: '/processor/cache_l1', field: 'processor.cache_l1', from: null, to });
  const threads = (from: number, to: number) => ({
    at: '/architecture/smt_size',
    field: 'architecture.smt_size',
    from,
    to,
  });
  const infiniband = (from: boolean | undefined, to: boolean) => ({
    at: '/infiniband',
    field: 'infiniband',
    ...(from === undefined ? {} : { from }),
    to,
  });
  const many = names.map((name, i) => verdict(name, [cache(i % 2), infiniband(undefined, false)]));
  const lines = describeSummary(
    resultOf(
      ...many,
      verdict('p1', [threads(48, 96), { at: '/processor/version', field: 'processor.version', from: 'x' }]),
      verdict('p2', [threads(48, 24), infiniband(true, false)]),
      ...[1, 2, 3].map((i) => verdict(`q${i}`, [threads(i, 0)])),
    ),
    PLAIN,
    99,
  );
  expect(lines.split('\n').slice(1, -3)).toEqual([
    'hardware',
    '  32 nodes: infiniband',
    '    p2: true -> false',
    '    31 nodes: nothing -> false',
    '  5 nodes: architecture.smt_size',
    '    p1: 48 -> 96',
    '    p2: 48 -> 24',
    '    q1: 1 -> 0',
    '    and 2 other changes',
    '  only added to the registry, or removed from it:',
    '    31 nodes: processor.cache_l1 2 changes',
    '    p1: processor.version "x" -> nothing',
  ]);
});

test('a summary is bounded for any number of nodes and any length of values', () => {
  const nodes = Array.from({ length: 2000 }, (_, i) =>
    verdict(`n${i}`, [{ ...RAM, from: `${i}${'x'.repeat(10_000)}` }], { status: i % 2 === 0 ? 'changed' : 'removed' }),
  );
  const fields = Array.from({ length: 500 }, (_, i) => ({ ...RAM, field: `${i}${'x'.repeat(10_000)}` }));
  const summary = summaryOf(resultOf(...nodes, verdict('m', fields)));
  const [hardware] = summary.changed;
  expect([hardware?.nodes, hardware?.fields.length, hardware?.omitted_fields]).toEqual([1001, 30, 471]);
  expect([hardware?.fields[0]?.nodes, hardware?.fields[0]?.omitted_changes]).toEqual([1000, 997]);
  expect([summary.removed.nodes, summary.removed.names.length]).toEqual([1000, 5]);
  expect(JSON.stringify(summary).length).toBeLessThan(20_000);
});
