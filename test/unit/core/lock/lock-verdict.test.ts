import { describe, expect, test } from 'vitest';
import { type Lock, lockOf, type NodeState } from '../../../../src/core/lock/lock-format.ts';
import { type NodeVerdict, unclassifiedChange, verdictOn } from '../../../../src/core/lock/lock-verdict.ts';
import type { NodeHistory, Step } from '../../../../src/core/lock/node-source.ts';
import { classSet, type FieldClass } from '../../../../src/core/model/field-classes.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';

const PATH = 'sites/s/clusters/c/nodes/n';
const [R1, R2] = ['1'.repeat(40), '2'.repeat(40)];
const ASKED: FieldClass[] = ['hardware', 'component', 'firmware'];

const stateOf = (body: JsonObject, latest: string | undefined): NodeState => ({
  path: PATH,
  uid: 'n',
  name: 'node-1',
  body,
  latest,
});
const lockAt = (body: JsonObject): Lock => lockOf({ kind: 'registry', place: '.' }, { id: R1 }, [stateOf(body, R1)]);
const step = (more: Partial<Step>): Step => ({
  revision: R2,
  date: '2026-01-02T00:00:00Z',
  author: 'Ada Brown',
  message: 'Second',
  action: 'updated',
  classes: [],
  fields: [],
  ...more,
});
const disks = (...names: string[]): JsonObject => ({
  uid: 'n',
  node_name: 'node-1',
  storage_devices: names.map((device) => ({ device, serial: `of ${device}`, size: 1 })),
});

/** The verdict on the only node of a lock, from a source with these details. */
function verdict(
  lock: Lock,
  now: NodeState | undefined,
  past: NodeHistory | undefined,
  classes = ASKED,
): Promise<NodeVerdict> {
  const [node] = lock.nodes;
  if (!node) throw new Error('the lock has no node');
  const source = {
    revision: () => ({ id: R2 }),
    node: async () => now,
    nodes: async () => [],
    history: async () => past,
  };
  return verdictOn(node, { lock, source, classes: classSet(classes) });
}

const named = { path: PATH, uid: 'n', node_name: undefined };

describe('the verdict on a node', () => {
  const body = disks('sda', 'sdb');
  const lock = lockAt(body);

  test('is `same` if its body is equal, in any order of keys', async () => {
    const turned = Object.fromEntries(Object.entries(body).reverse());
    expect(await verdict(lock, stateOf(turned, R1), undefined)).toEqual({
      ...named,
      node_name: 'node-1',
      status: 'same',
      fails: false,
      classes: [],
      fields: [],
      revisions: [],
      omitted: 0,
    });
  });

  test('is `same` with a note if it changed and changed back', async () => {
    const steps = [step({})];
    const past = { before: body, steps, omitted: 3 };
    expect(await verdict(lock, stateOf(body, R2), past)).toMatchObject({
      status: 'same',
      fails: false,
      revisions: steps,
      omitted: 3,
    });
  });

  test('says that the lock file contradicts the history if the locked version has another digest', async () => {
    const altered = { ...lock, nodes: lock.nodes.map((node) => ({ ...node, digest: '0'.repeat(64) })) };
    const past = { before: body, steps: [], omitted: 0 };
    const found = await verdict(altered, stateOf(body, R1), past);
    expect(found).toMatchObject({ status: 'changed', fails: false, classes: [], contradicts_history: true });
    expect(unclassifiedChange(found)).toBe('the lock file contradicts the history');
    const reordered = await verdict(lock, stateOf(disks('sdb', 'sda'), R2), { ...past, steps: [step({})] });
    expect(reordered.contradicts_history).toBeUndefined();
  });

  test('a different spelling of the same hardware is listed and fails nothing, other changes fail', async () => {
    const before = { uid: 'n', chassis: { manufacturer: 'Dell Inc.' }, gpu: { gpu_count: 4 } };
    const past = { before, steps: [step({})], omitted: 0 };
    const respelled = { ...before, chassis: { manufacturer: 'Dell' } };
    expect(await verdict(lockAt(before), stateOf(respelled, R2), past)).toMatchObject({
      status: 'changed',
      fails: false,
      classes: [],
      fields: [{ field: 'chassis.manufacturer', is_spelling: true }],
    });
    expect(await verdict(lockAt(before), stateOf({ ...respelled, gpu: { gpu_count: 3 } }, R2), past)).toMatchObject({
      fails: true,
      classes: ['hardware'],
      fields: [{ field: 'chassis.manufacturer', is_spelling: true }, { field: 'gpu.gpu_count' }],
    });
  });

  test('a disk under another device name is the same hardware, with a serial number that was unknown', async () => {
    const before = { uid: 'n', storage_devices: [{ device: 'Disk.Bay.0', model: 'PM1643', size: 1_920_383_410_176 }] };
    const disk = { device: 'nvme0n1', model: 'PM1643', size: 1_920_000_000_000 };
    const past = { before, steps: [step({})], omitted: 0 };
    const renamed = { uid: 'n', storage_devices: [disk] };
    expect(await verdict(lockAt(before), stateOf(renamed, R2), past)).toMatchObject({
      fails: false,
      classes: ['identity'],
      fields: [
        { field: 'storage_devices[Disk.Bay.0].device', from: 'Disk.Bay.0', to: 'nvme0n1' },
        { field: 'storage_devices[Disk.Bay.0].size', is_spelling: true },
      ],
    });
    const known = { uid: 'n', storage_devices: [{ ...disk, serial: 'S1' }] };
    expect(await verdict(lockAt(before), stateOf(known, R2), past)).toMatchObject({
      fails: true,
      classes: ['component', 'identity'],
      fields: [{}, {}, { field: 'storage_devices[Disk.Bay.0].serial', to: 'S1' }],
    });
  });

  test('a node without GPU is the same if its registry file now states this', async () => {
    const before = { uid: 'n' };
    const past = { before, steps: [step({})], omitted: 0 };
    expect(await verdict(lockAt(before), stateOf({ ...before, gpu: { gpu: false } }, R2), past)).toMatchObject({
      fails: false,
      classes: [],
      fields: [{ field: 'gpu', to: { gpu: false }, is_spelling: true }],
    });
  });

  test('compares a changed node with its locked body', async () => {
    const now = stateOf({ ...disks('sda', 'sdb'), bios: { version: '2' } }, R2);
    const steps = [step({ classes: ['firmware'] })];
    const past = { before: body, steps, omitted: 0 };
    expect(await verdict(lock, now, past)).toMatchObject({
      status: 'changed',
      fails: true,
      classes: ['firmware'],
      revisions: steps,
      fields: [{ field: 'bios', at: '/bios', to: { version: '2' } }],
    });
    expect(await verdict(lock, now, past, ['hardware'])).toMatchObject({ status: 'changed', fails: false });
  });

  test('names the node as the locked body does, even if the lock file has another name', async () => {
    const forged = { ...lock, nodes: lock.nodes.map((node) => ({ ...node, node_name: 'node-9' })) };
    expect((await verdict(forged, stateOf(body, R1), undefined)).node_name).toBe('node-1');
    const renamed = stateOf({ ...body, node_name: 'node-2' }, R2);
    const past = { before: body, steps: [], omitted: 0 };
    expect((await verdict(forged, renamed, past)).node_name).toBe('node-1');
    expect((await verdict(forged, undefined, past)).node_name).toBe('node-1');
  });

  test('ignores a renamed disk if the locked body is known', async () => {
    const renamed = { ...disks(), storage_devices: [{ device: 'nvme0', serial: 'of sda', size: 1 }] };
    const one = lockAt(disks('sda'));
    const past = { before: disks('sda'), steps: [], omitted: 0 };
    expect(await verdict(one, stateOf(renamed, R2), past)).toMatchObject({
      fails: false,
      classes: ['identity'],
      fields: [{ field: 'storage_devices[sda].device', at: '/storage_devices/0/device', from: 'sda', to: 'nvme0' }],
    });
    const unknown = await verdict(one, stateOf(renamed, R2), undefined);
    expect(unknown).toMatchObject({ fails: true, classes: ['hardware', 'component', 'identity'] });
    expect([unknown.fields, unknown.revisions]).toEqual([undefined, undefined]);
  });

  test('counts a removed disk as a change of all its classes', async () => {
    const past = { before: body, steps: [], omitted: 0 };
    const component = await verdict(lock, stateOf(disks('sda'), R2), past, ['component']);
    expect([component.fails, component.classes]).toEqual([true, ['hardware', 'component', 'identity']]);
  });

  test('ignores a new order of parts in the requested classes', async () => {
    const now = stateOf(disks('sdb', 'sda'), R2);
    expect(await verdict(lock, now, { before: body, steps: [], omitted: 0 })).toMatchObject({
      status: 'changed',
      fails: false,
      classes: ['derived'],
      fields: [{ field: 'storage_devices', at: '/storage_devices', order: [1, 0] }],
    });
    expect(await verdict(lock, now, undefined)).toMatchObject({ status: 'changed', fails: false, classes: [] });
  });

  test('uses digests if the history contradicts the lock', async () => {
    const past = { before: disks('sdz'), steps: [], omitted: 0 };
    const judged = await verdict(lock, stateOf({ ...body, placement: { rack: 1 } }, R2), past);
    expect([judged.fails, judged.classes, judged.fields]).toEqual([false, ['placement'], undefined]);
  });

  test('is `unknown` for all classes if the class rules differ and the locked body is unknown', async () => {
    const older = { ...lock, class_rules: '0'.repeat(64) };
    const now = stateOf({ ...body, placement: { rack: 1 } }, R2);
    expect(await verdict(older, now, undefined)).toMatchObject({ fails: true, classes: [] });
    const past = { before: body, steps: [], omitted: 0 };
    expect(await verdict(older, now, past)).toMatchObject({ fails: false, classes: ['placement'] });
  });

  test('fails for a removed node with any classes, and reports the removal', async () => {
    const removal = step({ action: 'removed', successor: 'm' });
    const steps = [removal, step({ revision: R1 })];
    expect(await verdict(lock, undefined, { before: body, steps, omitted: 0 }, ['placement'])).toEqual({
      ...named,
      node_name: 'node-1',
      status: 'removed',
      fails: true,
      classes: [],
      revisions: steps,
      omitted: 0,
      removal,
    });
    expect(await verdict(lock, undefined, undefined)).toMatchObject({ status: 'removed', fails: true });
  });
});
