import { expect, test } from 'vitest';
import { PLAIN } from '../../../../src/core/diagnostics/palette.ts';
import type { NodeVerdict } from '../../../../src/core/lock/lock-verdict.ts';
import type { Step } from '../../../../src/core/lock/node-source.ts';
import type { FieldClass } from '../../../../src/core/model/field-classes.ts';
import { describeVerdicts } from '../../../../src/features/lock/describe-lock.ts';

const STEP: Step = {
  revision: 'b'.repeat(40),
  date: '2026-01-02T00:00:00Z',
  author: 'Ada Brown',
  message: 'Inspect again',
  action: 'updated',
  classes: ['hardware', 'component'],
  fields: [],
};
const changed = (name: string, fields: NodeVerdict['fields'], more: Partial<NodeVerdict> = {}): NodeVerdict => ({
  path: `sites/s/clusters/c/nodes/${name}`,
  uid: name,
  node_name: `node-${name}`,
  status: 'changed',
  fails: true,
  classes: ['hardware', 'component'],
  fields,
  revisions: [STEP],
  omitted: 0,
  ...more,
});
const described = (...nodes: NodeVerdict[]) => describedFor(['hardware', 'component'], ...nodes);
const describedFor = (classes: readonly FieldClass[], ...nodes: NodeVerdict[]) =>
  describeVerdicts(
    {
      ok: false,
      against: { kind: 'registry', place: '.' },
      classes,
      from: { id: 'a'.repeat(40) },
      to: { id: 'b'.repeat(40) },
      nodes,
    },
    PLAIN,
  ).split('\n');
const REVISION = '  bbbbbbbb 2026-01-02T00:00:00Z Inspect again Ada Brown (updated, hardware, component)';

const RAM = { at: '/main_memory/ram_size', field: 'main_memory.ram_size', from: 1, to: 2 };
const serial = (at: string, to: string) => ({ at, field: 'storage_devices[sda].serial', from: 'A', to });
const adapter = (mac: string) => ({
  at: '/network_adapters/0',
  field: 'network_adapters[eth0]',
  from: { device: 'eth0', mac, rate: 1 },
});

test('nodes with the same changes are one block, with the serial number of each node', () => {
  const lines = described(
    changed('1', [RAM, serial('/storage_devices/0/serial', 'B'), adapter('01')]),
    changed('2', [adapter('02'), serial('/storage_devices/1/serial', 'C'), RAM]),
    changed('3', [serial('/storage_devices/0/serial', 'B'), adapter('03')]),
  );
  expect(lines).toEqual([
    'changed  2 nodes (node-1, node-2): hardware, component',
    '  main_memory.ram_size  1 -> 2  hardware',
    '  storage_devices[sda].serial  component',
    '    node-1  "A" -> "B"',
    '    node-2  "A" -> "C"',
    '  network_adapters[eth0]  {"device":"eth0","rate":1} -> nothing  hardware',
    REVISION,
    'changed  sites/s/clusters/c/nodes/3 (node-3): hardware, component',
    '  storage_devices[sda].serial  "A" -> "B"  component',
    '  network_adapters[eth0]  {"device":"eth0","mac":"03","rate":1} -> nothing  hardware',
    REVISION,
    '3 of 3 nodes not the same from aaaaaaaa to bbbbbbbb: 3 changed in hardware, component.',
    '',
  ]);
});

test('nodes with other values, spellings, classes or revisions are different blocks', () => {
  const heads = described(
    changed('1', [RAM]),
    changed('2', [{ ...RAM, to: 3 }]),
    changed('3', [{ ...RAM, is_spelling: true }]),
    changed('4', [RAM], { classes: ['hardware'] }),
    changed('5', [RAM], { revisions: [{ ...STEP, revision: 'c'.repeat(40) }] }),
    changed('6', [RAM], { status: 'removed' }),
    changed('7', [RAM], { revisions: [STEP, { ...STEP, fields: [RAM] }] }),
    changed('8', [RAM], { revisions: [STEP, { ...STEP, fields: [{ ...RAM, from: 0 }] }] }),
  ).filter((line) => /^(changed|removed)/.test(line));
  expect(heads).toHaveLength(8);
});

test('fields of other classes are only counted, and a removed part has the classes of its fields', () => {
  const adapter = { field: 'network_adapters[eth0]', at: '/network_adapters/0', from: { device: 'eth0', rate: 1 } };
  const spelled = { ...RAM, is_spelling: true } as const;
  const lines = describedFor(
    ['identity'],
    changed('1', [RAM, adapter, spelled], { classes: ['hardware', 'identity'] }),
    changed('2', [spelled], { classes: [], fails: false }),
  );
  expect(lines).toEqual([
    'changed  sites/s/clusters/c/nodes/1 (node-1): hardware, identity',
    '  network_adapters[eth0]  {"device":"eth0","rate":1} -> nothing  identity',
    '  and 1 field of other classes',
    REVISION,
    'changed  sites/s/clusters/c/nodes/2 (node-2): only the spelling of values',
    REVISION,
    '1 of 2 nodes not the same from aaaaaaaa to bbbbbbbb: 1 changed in identity, 1 changed otherwise.',
    '',
  ]);
});

test('a node is named by its path if another node has the same name', () => {
  const same: Partial<NodeVerdict> = { status: 'same', fails: false, classes: [], fields: [], revisions: [] };
  const [head] = described(
    changed('1', [], { ...same, node_name: 'pc1' }),
    changed('2', [], { ...same, node_name: 'pc1' }),
    changed('3', [], { ...same, node_name: undefined }),
  );
  expect(head).toBe('same     3 nodes (3, sites/s/clusters/c/nodes/1, sites/s/clusters/c/nodes/2)');
});
