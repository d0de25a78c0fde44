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

test('changes of identifiers are counted without their values', () => {
  const nodes = names.map((name, i) => verdict(name, [serial(`B${i}`)], { classes: ['component'] }));
  expect(summaryOf(resultOf(...nodes))).toMatchObject({
    nodes: { total: 31, failed: 31, same: 0, changed: 31, removed: 0 },
    changed: [
      {
        class: 'component',
        nodes: 31,
        changes: [{ field: 'storage_devices.serial', change: 'updated', nodes: 31, names: names.slice(0, 5) }],
        omitted_changes: 0,
      },
    ],
  });
});

test('a summary is bounded for any number of nodes and any length of values', () => {
  const nodes = Array.from({ length: 2000 }, (_, i) =>
    verdict(`n${i}`, [{ ...RAM, from: `${i}${'x'.repeat(10_000)}` }], { status: i % 2 === 0 ? 'changed' : 'removed' }),
  );
  const summary = summaryOf(resultOf(...nodes));
  const [hardware] = summary.changed;
  expect([hardware?.nodes, hardware?.changes.length, hardware?.omitted_changes]).toEqual([1000, 15, 985]);
  expect([summary.removed.nodes, summary.removed.names.length]).toEqual([1000, 5]);
  expect(JSON.stringify(summary).length).toBeLessThan(20_000);
});
