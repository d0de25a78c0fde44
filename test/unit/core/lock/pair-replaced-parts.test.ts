import { describe, expect, test } from 'vitest';
import { pairReplacedParts } from '../../../../src/core/lock/pair-replaced-parts.ts';
import { difference } from '../../../../src/core/model/differences/difference.ts';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';

const disks = (...storage_devices: JsonObject[]): JsonObject => ({ storage_devices });
const paired = (before: JsonObject, after: JsonObject) =>
  pairReplacedParts(difference(before, after, fieldRules(NODE)));

const OLD = { model: 'SAMSUNG MZ1LB3T8HMLA-00007', size: 3_839_700_762_624 };
const NEW = { model: 'Samsung MZ1LB3T8HMLA-00007', size: 3_840_000_000_000 };
const SLOT_1 = { device: 'PCIeSSD.Slot.3-1', ...OLD };
const SLOT_2 = { device: 'PCIeSSD.Slot.3-2', ...OLD };
const NVME_0 = { device: 'nvme0n1', ...NEW, serial: 'A' };
const NVME_1 = { device: 'nvme1n1', ...NEW, serial: 'B' };
const SATA = { device: 'sda', model: 'MZ7LH480', serial: 'C' };

describe('disks under other device names', () => {
  test('a disk is compared with the only other disk of its model', () => {
    expect(paired(disks(SATA, SLOT_1), disks(NVME_0, SATA))).toEqual([
      { at: '/storage_devices/1/device', from: 'PCIeSSD.Slot.3-1', to: 'nvme0n1' },
      { at: '/storage_devices/1/model', from: OLD.model, to: NEW.model },
      { at: '/storage_devices/1/size', from: OLD.size, to: NEW.size },
      { at: '/storage_devices/0/serial', to: 'A', removedAt: '/storage_devices/1/serial' },
    ]);
  });

  test('disks that differ only in their names are paired in any order', () => {
    const fields = ['device', 'model', 'size', 'serial'].flatMap((name) =>
      [0, 1].map((i) => `/storage_devices/${i}/${name}`),
    );
    const changes = paired(disks(SLOT_2, SLOT_1), disks(NVME_0, NVME_1));
    expect(changes.map(({ at }) => at).sort()).toEqual(fields.sort());
  });

  test.each([
    ['another model', disks(SLOT_1), disks({ ...NVME_0, model: 'MZ1LB3T8' })],
    ['no model', disks({ device: 'a' }), disks({ device: 'b' })],
    ['another number of disks of the model', disks(SLOT_1, SLOT_2), disks(NVME_0)],
    [
      'several disks with different serial numbers on both sides',
      disks({ ...SLOT_1, serial: 'X' }, { ...SLOT_2, serial: 'Y' }),
      disks(NVME_0, NVME_1),
    ],
    ['parts of other lists', disks(SLOT_1), { storage_devices: [], network_adapters: [NVME_0] }],
  ])('%s: not paired', (_, before, after) => {
    const changes = difference(before, after, fieldRules(NODE));
    expect(pairReplacedParts(changes)).toEqual(changes);
  });

  test('a disk that is replaced by one of the same model has another serial number', () => {
    expect(paired(disks({ ...SLOT_1, serial: 'X' }), disks({ ...SLOT_1, device: 'nvme0n1', serial: 'A' }))).toEqual([
      { at: '/storage_devices/0/device', from: 'PCIeSSD.Slot.3-1', to: 'nvme0n1' },
      { at: '/storage_devices/0/serial', from: 'X', to: 'A' },
    ]);
  });

  test('other changes stay', () => {
    const before = { ...disks(SLOT_1), bios: { version: '1' }, infiniband: true };
    const after = { ...disks({ ...SLOT_1, device: 'nvme0n1' }), bios: { version: '2' } };
    expect(paired(before, after)).toEqual([
      { at: '/storage_devices/0/device', from: 'PCIeSSD.Slot.3-1', to: 'nvme0n1' },
      { at: '/bios/version', from: '1', to: '2' },
      { at: '/infiniband', from: true },
    ]);
  });
});
