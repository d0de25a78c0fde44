/** What changes in a node, and what stays. */

import { expect, test } from 'vitest';
import { type JsonObject, objectsIn } from '../../../../src/core/model/json.ts';
import { ansible } from '../../../../src/core/observe/formats/ansible.ts';
import { g5kChecks } from '../../../../src/core/observe/formats/g5k-checks.ts';
import { ironic } from '../../../../src/core/observe/formats/ironic.ts';
import { lshw } from '../../../../src/core/observe/formats/lshw.ts';
import { redfish } from '../../../../src/core/observe/formats/redfish.ts';
import { isRaidVolume } from '../../../../src/core/observe/observe-machine.ts';
import { mergedBody } from '../../../support/reports/observed.ts';
import {
  ansibleFacts,
  g5kNode,
  ironicDisk,
  ironicPort,
  ironicReport,
  lshwDisplay,
  lshwPort,
  lshwReport,
  redfishReport,
} from '../../../support/reports/reports.ts';

const HDD = {
  rotational: true,
  tran: 'sas',
  wwn: null,
  vendor: null,
  by_path: null,
  model: 'ST2000NX0273',
  size: 2_000_398_934_016,
};
const hdd = (n: number, name: string, changes: JsonObject = {}) =>
  ironicDisk(n, { ...HDD, name, serial: `S${n}`, ...changes });
const known = (n: number, device: string, changes: JsonObject = {}) => ({
  device,
  size: 2_000_398_934_016,
  serial: `S${n}`,
  model: 'ST2000NX0273',
  interface: 'SAS',
  media_type: 'Rotational',
  ...changes,
});
const disksAfter = (before: readonly JsonObject[], ...disks: JsonObject[]) =>
  mergedBody(ironic, ironicReport(1, { disks }), { storage_devices: before })['storage_devices'];
const portsAfter = (before: readonly JsonObject[], ...interfaces: JsonObject[]) =>
  mergedBody(ironic, ironicReport(1, { interfaces }), { network_adapters: before })['network_adapters'];
const PORT = { interface: 'Ethernet', rate: 25e9, vendor: 'Broadcom', model: 'BCM57414', driver: 'bnxt_en' };

test('fields that no report contains stay', () => {
  const kept = {
    type: 'node',
    uid: 'x',
    node_name: 'lyra-c01',
    node_type: 'compute',
    placement: { rack: 4 },
    admin_note: 'a',
    custom: [1],
  };
  expect(mergedBody(ironic, ironicReport(1), kept)).toMatchObject(kept);
});

test('a report that was merged changes nothing more', () => {
  const once = mergedBody(ironic, ironicReport(1));
  expect(mergedBody(ironic, ironicReport(1), once)).toEqual(once);
});

test('other spellings of the same values stay', () => {
  const before = {
    architecture: { platform_type: 'x86_64', smp_size: 1, smt_size: 64 },
    processor: {
      vendor: 'Advanced Micro Devices, Inc. [AMD]',
      model: 'AMD EPYC 7543P',
      instruction_set: 'x86-64',
      clock_speed: 2_800_000_000,
    },
    main_memory: { ram_size: 269_888_831_488 },
    chassis: { manufacturer: 'Dell', name: 'PowerEdge R7515 (SKU=0A11)', serial: 'QX7Z001' },
    bios: { vendor: 'DELL INC.', version: '2.14.1', release_date: '12/17/2023' },
    boot_mode: 'UEFI',
    gpu: { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA Corporation', gpu_model: 'L40S' },
    storage_devices: [
      {
        device: 'nvme0n1',
        size: 1_920_000_000_000,
        interface: 'PCIe',
        media_type: 'SSD',
        model: 'KIOXIA KCD6XLUL1T92',
        serial: 'Y2A0A00001',
        wwn: '0x8ce38ee200001b01',
      },
    ],
    network_adapters: [
      {
        ...PORT,
        device: 'eth0',
        mac: '02:5A:10:00:01:01',
        rate: 100e9,
        vendor: 'Broadcom Inc. and subsidiaries',
        model: 'BCM57414 (rev 01)',
      },
    ],
  };
  expect(mergedBody(ironic, ironicReport(1), before)).toEqual(before);
});

const hpe = (version: string, build_date: string) =>
  ironicReport(1, { system_vendor: { firmware: { version, build_date } } });

test('DMI reports a part of the BIOS version of an HPE system, which stays until the date changes', () => {
  const bios = { version: 'U30 v2.76 (03/22/2023)', release_date: '2023-03-22' };
  expect(mergedBody(ironic, hpe('U30', '03/22/2023'), { bios })).toMatchObject({ bios });
  const newer = { version: 'U30', release_date: '2024-06-01' };
  expect(mergedBody(ironic, hpe('U30', '06/01/2024'), { bios })).toMatchObject({ bios: newer });
});

test('Lenovo adds details to names in DMI', () => {
  const before = { chassis: { name: 'ThinkSystem SR650' }, bios: { version: 'IVE172V-3.11' } };
  const written = { chassis: { name: 'ThinkSystem SR650 -[7X06CTO1WW]-' }, bios: { version: '-[IVE172V-3.11]-' } };
  const dmi = { product_name: written.chassis.name, firmware: written.bios };
  const report = ironicReport(1, { system_vendor: dmi });
  expect(mergedBody(ironic, report)).toMatchObject(before);
  expect(mergedBody(ironic, report, before)).toMatchObject(before);
  const redfishOfLenovo = redfishReport(1, {
    '/redfish/v1/Systems/1': { Model: before.chassis.name, BiosVersion: before.bios.version },
  });
  expect(mergedBody(redfish, redfishOfLenovo, written)).toMatchObject(written);
});

test('placeholders of the registry are filled', () => {
  const before = {
    chassis: { serial: '-', manufacturer: '' },
    bios: { version: null },
    network_adapters: [{ device: 'eno1np0', mac: '', rate: 0, enabled: 'true' }],
  };
  expect(mergedBody(ironic, ironicReport(1), before)).toMatchObject({
    chassis: { serial: 'QX7Z001', manufacturer: 'Dell Inc.' },
    bios: { version: '2.14.1' },
    network_adapters: [{ device: 'eno1np0', mac: '02:5a:10:00:01:01', rate: 25e9, enabled: 'true' }],
  });
});

test('a replaced disk keeps its position and its notes, and loses the values of the old disk', () => {
  const before = [known(1, 'sda', { rev: 'NS27', wwn: '0x5000c500a1b2c3d4', note: 'slot 1' }), known(2, 'sdb')];
  expect(disksAfter(before, hdd(3, '/dev/sda'), hdd(2, '/dev/sdb'))).toEqual([
    known(3, 'sda', { note: 'slot 1' }),
    known(2, 'sdb'),
  ]);
});

test('a new disk of another model loses the vendor, the interface and the media type that the report lacks', () => {
  const before = known(1, 'sda', { vendor: 'Seagate' });
  const unknown = { serial: 'S3', tran: null, rotational: null };
  const [other] = objectsIn(disksAfter([before], hdd(3, '/dev/sda', { ...unknown, model: 'MZ7KH480' })));
  expect(Object.keys(other ?? {})).toEqual(['device', 'size', 'serial', 'model']);
  expect(disksAfter([before], hdd(3, '/dev/sda', unknown))).toEqual([{ ...before, serial: 'S3' }]);
});

test('a new disk loses the serial number of the old disk if the format of the report has none', () => {
  const wwn = '0x5000c500a1b2c3d4';
  const before = { ...known(1, 'pci-0000:c1:00.0-sas-1'), wwn };
  const after = (reported: string) => {
    const disk = { by_id: `/dev/disk/by-id/wwn-${reported}`, model: before.model, size: before.size, storage: 'HDD' };
    const report = g5kNode(1, { storage_devices: { [before.device]: disk } });
    return mergedBody(g5kChecks, report, { storage_devices: [before] })['storage_devices'];
  };
  const { serial: _, ...others } = before;
  expect(after('0x5000c500ffffffff')).toEqual([{ ...others, wwn: '0x5000c500ffffffff' }]);
  expect(after(wwn)).toEqual([before]);
});

test('a disk with another size loses the serial number of the old disk, but a RAID volume keeps it', () => {
  const report = ironicDisk(3, { name: '/dev/sda', size: 4_000_787_030_016, serial: null, wwn: null });
  const [disk] = objectsIn(disksAfter([known(1, 'sda', { wwn: '0x5000c500a1b2c3d4' })], report));
  expect(disk).toMatchObject({ device: 'sda', size: 4_000_787_030_016 });
  expect(disk).not.toHaveProperty('serial');
  expect(disk).not.toHaveProperty('wwn');
  const volume = { device: 'sda', model: 'PERC H730P Mini', size: 960e9, serial: 'V1' };
  expect(disksAfter([volume], { ...report, model: volume.model })).toMatchObject([{ serial: 'V1' }]);
});

test('a disk with another size loses the model of the old disk if the report contains no model', () => {
  const report = hdd(2, '/dev/sda', { size: 480e9, rotational: false, model: null });
  expect(disksAfter([known(1, 'sda')], report)).toEqual([
    { device: 'sda', size: 480e9, humanized_size: '480 GB', serial: 'S2', interface: 'SAS', media_type: 'SSD' },
  ]);
});

test.each<[string, JsonObject, JsonObject]>([
  ['serial number', { serial: 'S1' }, { wwn: '0x5000c500a1b2c3d4', rev: 'NS27' }],
  ['WWN', { serial: null, wwn: '0x5000c500a1b2c3d4' }, { serial: 'S1', rev: 'NS27' }],
])('a disk with the same %s keeps its other values if the recorded size was wrong', (_, reported, kept) => {
  const before = known(1, 'sda', { size: 2e12 / 2 ** 10, wwn: '0x5000c500a1b2c3d4', rev: 'NS27' });
  expect(disksAfter([before], hdd(1, '/dev/sda', reported))).toMatchObject([{ size: HDD.size, ...kept }]);
});

test('disks with the same serial number are known by their size or their WWN, in any order', () => {
  const namespaces = [1e12, 5e11, 5e11].map((size, i) =>
    known(1, `nvme0n${i + 1}`, { size, wwn: `eui.0${i}`, interface: 'PCIe' }),
  );
  const reported = [1e12, 5e11, 5e11].map((size, i) => hdd(1, `/dev/nvme0n${i + 1}`, { size, wwn: `eui.0${i}` }));
  expect(disksAfter(namespaces, ...reported.toReversed())).toMatchObject(namespaces);
  const withoutWwn = reported.map((each) => ({ ...each, wwn: null }));
  expect(disksAfter(namespaces, ...withoutWwn.toReversed())).toMatchObject(namespaces);
});

test.each([
  ['ZA18K128', 'ZA18K1280000R751ZZND', 'ST8000NM0075', 'ST8000NM0075'],
  ['ZA18K1280000R751ZZND', 'ZA18K128', 'ST8000NM0075', 'ST8000NM0075'],
  ['K7G1', 'K7G1', 'HGST HUS726T4TALA6L4', 'HUS726T4TALA6L4'],
])('the disk %s in the registry is the disk %s', (old, serial, oldModel, model) => {
  const before = known(1, 'sda', { serial: old, model: oldModel, wwn: '0x5000c500945aed3f' });
  expect(disksAfter([before], hdd(1, '/dev/sda', { serial, model }))).toEqual([before]);
});

test.each(['0x5000000000000000', 'naa.5000000000000000', 'eui.0000000000000000'])(
  'disks without a WWN report %s',
  (wwn) => {
    const disks = [hdd(1, '/dev/sda', { wwn }), hdd(2, '/dev/sdb', { wwn })];
    const humanized_size = '2000 GB';
    expect(disksAfter([], ...disks)).toEqual([
      known(1, 'sda', { humanized_size }),
      known(2, 'sdb', { humanized_size }),
    ]);
  },
);

test.each([
  ['231.0.1/pkg 23.1', '231.0.1', '231.0.1/pkg 23.1'],
  ['9.20 0x8000d95e 22.0.9', '22.0.9', '9.20 0x8000d95e 22.0.9'],
  ['22.0.9', '9.20 0x8000d95e 22.0.9', '22.0.9'],
  ['16.35.2000 (MT_0000000080)', '16.35.20.00', '16.35.2000 (MT_0000000080)'],
  ['9.20 0x8000d95e 22.0.9', '22.5.7', '22.5.7'],
  ['FFV21.80.9 bc 5720-v1.39', '21.80.9', 'FFV21.80.9 bc 5720-v1.39'],
  ['8.1.11', '8.11.1', '8.11.1'],
  ['9.20 0x8000d95e 22.0.9', '9.40 0x8000d95e 22.0.9', '9.40 0x8000d95e 22.0.9'],
])('an adapter with the firmware %s, of which a report contains %s, has the firmware %s', (old, reported, firmware) => {
  const port = { device: 'eth0', mac: '02:5a:10:00:01:00' };
  const report = g5kNode(1, { network_adapters: { eth0: { mac: port.mac, firmware_version: reported } } });
  expect(mergedBody(g5kChecks, report, { network_adapters: [{ ...port, firmware_version: old }] })).toMatchObject({
    network_adapters: [{ firmware_version: firmware }],
  });
});

test.each([
  ['G201DL2D', 'DL2D', 'G201DL2D'],
  ['DL2D', 'G201DL2D', 'DL2D'],
  ['D3DJ004', '004', 'D3DJ004'],
  ['G201DL2D', 'DL29', 'DL29'],
  ['G201DL2D', 'N201DL2D', 'N201DL2D'],
  ['NS27', 'NS28', 'NS28'],
])('a disk with the firmware %s, of which a report contains %s, has the firmware %s', (old, reported, rev) => {
  const extra = { disk: { sda: { rev: reported } } };
  const report = ironicReport(1, { disks: [hdd(1, '/dev/sda')] }, { extra });
  expect(mergedBody(ironic, report, { storage_devices: [known(1, 'sda', { rev: old })] })).toMatchObject({
    storage_devices: [{ rev }],
  });
});

test('similar serial numbers are those of different disks', () => {
  const before = ['AA000000000000003422', 'AA000000000000003423'].map((serial, i) =>
    known(1, `sd${'ab'[i]}`, { serial }),
  );
  expect(disksAfter(before, hdd(1, '/dev/sda', { serial: 'AA000000000000003423' }))).toEqual(before.slice(1));
});

test('disks that the system named anew keep their names', () => {
  const before = [known(1, 'sda'), known(2, 'sdb')];
  expect(disksAfter(before, hdd(2, '/dev/sda'), hdd(1, '/dev/sdb'))).toEqual(before);
});

test('a disk without a serial is the one with its size, not with its name', () => {
  const before = [
    { device: 'sda', size: 480e9 },
    { device: 'sdb', size: 2_000_398_934_016 },
  ];
  const [small, large] = [
    ironicDisk(4, { name: '/dev/sdb', size: 480_103_981_056, tran: 'sata', wwn: null }),
    hdd(5, '/dev/sda'),
  ];
  expect(disksAfter(before, large, small)).toEqual([
    expect.objectContaining({ device: 'sda', size: 480e9, serial: 'Y2A0A00004' }),
    expect.objectContaining({ device: 'sdb', size: 2_000_398_934_016, serial: 'S5' }),
  ]);
});

test('a new disk that takes a name renames the others', () => {
  expect(disksAfter([known(1, 'sda')], hdd(2, '/dev/sda'), hdd(1, '/dev/sdb'))).toEqual([
    known(1, 'sdb'),
    { ...known(2, 'sda'), humanized_size: '2000 GB' },
  ]);
});

test('a disk missing from the report is removed, but a report without disks removes none', () => {
  const before = [known(1, 'sda'), known(2, 'sdb')];
  expect(disksAfter(before, hdd(2, '/dev/sda'))).toEqual([known(2, 'sdb')]);
  expect(disksAfter(before)).toEqual(before);
});

test.each([
  'PERC H730P Mini',
  'Dell BOSS-N1',
  'MR9361-8i',
  'ServeRAID M5210',
  'RAID 930-8i-2GB',
  'PRAID EP420i',
  'SMC3108',
  'HPE NS204i-p Gen10+ Boot Controller',
  'ThinkSystem M.2 VD',
  'ThinkSystem M.2 NVMe 2-Bay RAID Enablement Kit',
  'MARVELL Raid VD',
])('a volume of the RAID controller %s and the disks behind it are not mixed', (model) => {
  const before = [{ device: 'sda', size: 960e9, model, serial: 'V1' }];
  const { storage_devices: after } = mergedBody(redfish, redfishReport(1), { storage_devices: before });
  expect(after).toEqual(before);
});

test('the disks of a RAID controller in place of its volume are recorded, and a deleted volume is removed', () => {
  const other = known(3, 'sdb');
  const before = [{ device: 'sda', size: 960e9, model: 'PERC H730P Mini', serial: 'V1' }, other];
  expect(disksAfter(before, hdd(3, '/dev/sdb'))).toEqual([other]);
  expect(disksAfter(before, hdd(1, '/dev/sda'), hdd(3, '/dev/sdb'))).toMatchObject([other, { serial: 'S1' }]);
});

test('a report of another tool finds the same disk, and names the one replaced disk differently', () => {
  const nvme = {
    device: 'nvme0n1',
    size: 1_920_383_410_176,
    interface: 'PCIe',
    media_type: 'SSD',
    model: 'KCD6XLUL1T92',
    vendor: 'Kioxia',
    serial: 'Y2A0A00001',
  };
  const after = (serial: string) =>
    mergedBody(redfish, redfishReport(1), { storage_devices: [{ ...nvme, serial }] })['storage_devices'];
  expect(after('Y2A0A00001')).toEqual([{ ...nvme, wwn: 'eui.8ce38ee200001b01', rev: '0105' }]);
  expect(after('OLD')).toEqual([{ ...nvme, wwn: 'eui.8ce38ee200001b01', rev: '0105' }]);
});

test('adapters are known by their MAC address, and a replaced one by its name', () => {
  const before = [
    { ...PORT, device: 'eno1np0', mac: '02:5a:10:00:07:01', bridged: false },
    { device: 'bmc', mac: '02:5a:10:00:01:99', management: true },
  ];
  expect(portsAfter(before, ironicPort(1))).toEqual([
    { ...PORT, device: 'eno1np0', mac: '02:5a:10:00:01:01', bridged: false },
    before[1],
  ]);
  expect(portsAfter(before, ironicPort(7, { name: 'eth5', speed_mbps: 1000 }))).toEqual(before);
  const asText = { device: 'bmc', mac: '02:5a:10:00:01:99', management: 'true' };
  expect(portsAfter([asText], ironicPort(1))).toMatchObject([asText, { device: 'eno1np0' }]);
});

test('a new adapter of another model does not keep the rate and the type of the old adapter', () => {
  const old = { mac: 'f4:52:14:03:00:f5:50:c1', interface: 'InfiniBand', rate: 100e9, vendor: 'Mellanox' };
  const before = { ...old, device: 'ib0', model: 'MT27700 Family [ConnectX-4]', driver: 'mlx5_core' };
  const report = lshwReport(1, [lshwPort(1)]);
  expect(mergedBody(lshw, report, { network_adapters: [before] })['network_adapters']).toEqual([
    {
      ...PORT,
      device: 'ib0',
      mac: '02:5a:10:00:01:01',
      model: 'BCM57414 NetXtreme-E 10Gb/25Gb RDMA Ethernet Controller',
    },
  ]);
});

test('an InfiniBand adapter with a short address stays unchanged', () => {
  const ib = { ...PORT, device: 'ib0', mac: '02:5a:10:00:01:01', interface: 'InfiniBand' };
  expect(portsAfter([ib], ironicPort(1))).toEqual([ib]);
});

test('a replaced adapter with another driver keeps no values of the old model', () => {
  const port = { type: 'ether', module: 'i40e', pciid: '0000:81:00.0', macaddress: '02:5a:10:00:01:01', speed: 1e4 };
  const facts = { ...ansibleFacts(1), ansible_interfaces: ['eno1'], ansible_eno1: port };
  const before = { ...PORT, device: 'eno1', mac: '02:5a:10:00:07:01' };
  expect(mergedBody(ansible, facts, { network_adapters: [before] })['network_adapters']).toEqual([
    { device: 'eno1', mac: port.macaddress, interface: 'Ethernet', rate: 10e9, driver: 'i40e' },
  ]);
});

test('an Ethernet adapter that replaces an InfiniBand adapter with the same driver keeps no values of it', () => {
  const ib = { device: 'ib0', mac: 'f4:52:14:03:00:f5:50:c1', interface: 'InfiniBand', rate: 100e9 };
  const before = { ...ib, vendor: 'Mellanox', model: 'ConnectX-6', driver: 'mlx5_core' };
  const port = ironicPort(1, { name: 'eno1', driver: 'mlx5_core', vendor: null, product: null });
  expect(portsAfter([before], port)).toEqual([
    { device: 'ib0', mac: '02:5a:10:00:01:01', interface: 'Ethernet', rate: 25e9, driver: 'mlx5_core' },
  ]);
});

test('an InfiniBand adapter that replaces an Ethernet adapter with the same driver keeps no values of it', () => {
  const old = { device: 'eno1', mac: '02:5a:10:00:01:01', interface: 'Ethernet', rate: 100e9 };
  const before = { ...old, vendor: 'Mellanox', model: 'ConnectX-5', driver: 'mlx5_core' };
  const mac_address = 'f4:52:14:03:00:f5:50:c1';
  const port = { mac_address, driver: 'mlx5_core', vendor: null, product: null, speed_mbps: null };
  expect(portsAfter([before], ironicPort(1, port))).toEqual([
    { device: 'eno1', mac: mac_address, interface: 'InfiniBand', driver: 'mlx5_core' },
  ]);
});

test('a disk of another model is a new disk, even if the reports have no identifier in common', () => {
  const after = (before: JsonObject, disk: JsonObject) => {
    const storage_devices = { 'pci-0000:18:00.0-sas-phy0-lun-0': disk };
    return mergedBody(g5kChecks, { 'lyra-c01': g5kNode(1, { storage_devices }) }, { storage_devices: [before] });
  };
  const old = known(1, 'sda', { vendor: 'Seagate', rev: 'N004' });
  const report = { model: 'AL15SEB20EP', size: 2_000_398_934_016, by_id: '/dev/disk/by-id/wwn-0x50000398c82b7f1d' };
  expect(after(old, report)['storage_devices']).toEqual([
    { device: 'sda', size: 2_000_398_934_016, interface: 'SAS', model: 'AL15SEB20EP', wwn: '0x50000398c82b7f1d' },
  ]);
  expect(after({ ...old, wwn: '0x50000398c82b7f1d' }, report)['storage_devices']).toMatchObject([{ serial: 'S1' }]);
  expect(after(old, { ...report, model: 'ST2000NX0273' })['storage_devices']).toMatchObject([{ serial: 'S1' }]);
});

test('a SAS disk keeps its serial number if Redfish reported the address of a port in place of its WWN', () => {
  const before = [known(1, 'sda', { wwn: '0x5000c5004183a941' }), known(2, 'sdb', { wwn: '0x5000c5004183a945' })];
  const sas = (n: number, device: string, wwn: string) => hdd(n, device, { serial: wwn.slice(2), wwn });
  expect(disksAfter(before, sas(1, 'sdb', '0x5000c5004183a943'), sas(2, 'sda', '0x5000c5004183a947'))).toEqual(before);
  expect(disksAfter(before, sas(3, 'sda', '0x5000c5004183a94b'))).not.toMatchObject([{ serial: 'S1' }]);
});

test('a disk that another disk of the same batch replaced gets the WWN of this disk', () => {
  const before = [known(1, 'sda', { wwn: '0x5000c5004183a941' })];
  expect(disksAfter(before, hdd(2, '/dev/sda', { wwn: '0x5000c5004183a942' }))).toEqual([
    known(2, 'sda', { wwn: '0x5000c5004183a942' }),
  ]);
});

test('disks without a common identifier are paired by model, because device names change', () => {
  const sas = (n: number, device: string, model: string) => hdd(n, device, { model, serial: null, wwn: `0x5000${n}` });
  const before = [known(1, 'sda'), known(2, 'sdb', { model: 'AL15SEB20EP' })];
  expect(disksAfter(before, sas(2, 'sda', 'AL15SEB20EP'), sas(1, 'sdb', 'ST2000NX0273'))).toMatchObject([
    { serial: 'S1', wwn: '0x50001', model: 'ST2000NX0273' },
    { serial: 'S2', wwn: '0x50002', model: 'AL15SEB20EP' },
  ]);
});

test('a replaced adapter of another vendor is of another model, if the report contains only a PCI id', () => {
  const old = { device: 'NIC.1', mac: '02:5a:10:00:00:77', interface: 'Ethernet', rate: 25e9, vendor: 'Broadcom' };
  const port = ironicPort(1, { vendor: '0x8086', product: '0x1563', speed_mbps: 10_000, driver: 'ixgbe' });
  expect(portsAfter([{ ...old, model: 'BCM57414' }], port)).toMatchObject([
    { vendor: 'Intel', model: '0x1563', rate: 10e9 },
  ]);
});

test('a replaced adapter with another PCI id is of another model, but an id does not replace a name', () => {
  const port = ironicPort(1, { vendor: '0x14e4', product: '0x16d8', speed_mbps: 10_000 });
  const old = { ...PORT, device: 'eno1np0', mac: '02:5a:10:00:07:01' };
  expect(portsAfter([{ ...old, model: '0x16d7' }], port)).toMatchObject([{ model: '0x16d8', rate: 10e9 }]);
  expect(portsAfter([old], port)).toMatchObject([{ model: 'BCM57414', mac: '02:5a:10:00:01:01' }]);
});

test('a replaced adapter that Redfish names differently keeps no values of the old model', () => {
  const old = { device: 'NIC.Integrated.1-1', mac: '02:5a:10:00:07:01', rate: 100e9 };
  const before = { ...old, vendor: 'Mellanox', model: 'ConnectX-5', driver: 'mlx5_core' };
  const { network_adapters: after } = mergedBody(redfish, redfishReport(1), { network_adapters: [before] });
  expect(after).toMatchObject([
    { device: old.device, mac: '02:5a:10:00:01:01', rate: 25e9, vendor: 'Dell', model: 'BCM57414 2x25G' },
  ]);
  expect(after).not.toMatchObject([{ driver: 'mlx5_core' }]);
});

test('the release date of a BIOS does not stay if a report contains only another version', () => {
  const report = redfishReport(1, { '/redfish/v1/Systems/1': { BiosVersion: '2.20.3', Oem: null } });
  const bios = { vendor: 'Dell Inc.', version: '2.14.1', release_date: '2023-12-17' };
  expect(mergedBody(redfish, report, { bios })['bios']).toEqual({ vendor: 'Dell Inc.', version: '2.20.3' });
  expect(mergedBody(redfish, report, { bios: { ...bios, version: '2.20.3' } })['bios']).toMatchObject({
    release_date: '2023-12-17',
  });
});

test('the GUID of an InfiniBand port and its shortened address are the same adapter', () => {
  const address = { mac_address: 'f4:52:14:f5:50:c1', vendor: '0x15b3' };
  const client = { client_id: 'ff:00:00:00:00:00:02:00:00:02:c9:00:f4:52:14:03:00:f5:50:c1' };
  const ib = { mac: 'f4:52:14:03:00:f5:50:c1', interface: 'InfiniBand' };
  expect(portsAfter([], ironicPort(1, { ...address, ...client }))).toMatchObject([ib]);
  const before = { ...PORT, ...ib, device: 'ib0', vendor: 'Mellanox', guid: '0xf452140300f550c1' };
  expect(portsAfter([before], ironicPort(1, address))).toMatchObject([before]);
});

test('an adapter that Redfish does not list stays', () => {
  const ib = { device: 'ib0', mac: 'f4:52:14:03:00:f5:50:c1', interface: 'InfiniBand' };
  const { network_adapters: after } = mergedBody(redfish, redfishReport(1), {
    network_adapters: [ib, { ...PORT, device: 'eno1', mac: '02:5a:10:00:01:01' }],
  });
  expect(after).toEqual([ib, { ...PORT, device: 'eno1', mac: '02:5a:10:00:01:01', firmware_version: '231.0.1' }]);
});

test('a new port in Redfish does not replace an adapter that Redfish does not list', () => {
  const ib = { device: 'ib0', mac: 'f4:52:14:03:00:f5:50:c1', interface: 'InfiniBand' };
  const { network_adapters: after } = mergedBody(redfish, redfishReport(1), { network_adapters: [ib] });
  expect(after).toMatchObject([ib, { device: 'NIC.Integrated.1-1', mac: '02:5a:10:00:01:01' }]);
});

test('another processor loses the values of the old processor that the report lacks', () => {
  const model = 'Intel(R) Xeon(R) Silver 4210 CPU @ 2.20GHz';
  const before = { vendor: 'Intel', model, version: '4210', clock_speed: 2.2e9, cache_l3: 14_417_920, note: 'x' };
  const after = (changes: JsonObject) =>
    mergedBody(ansible, ansibleFacts(1, changes), { processor: before })['processor'];
  const facts = (name: string) => ({ ansible_processor: ['0', 'GenuineIntel', name] });
  const [other, instruction_set] = ['Intel(R) Xeon(R) Silver 4210R CPU @ 2.40GHz', 'x86_64'];
  expect(after(facts(other))).toEqual({
    vendor: 'Intel',
    model: other,
    clock_speed: 2.4e9,
    instruction_set,
    note: 'x',
  });
  expect(after({})).toEqual({ vendor: 'AMD', model: 'AMD EPYC 7543P 32-Core Processor', instruction_set, note: 'x' });
  expect(after(facts(model))).toEqual({ ...before, instruction_set });
});

test('another processor loses the vendor of the old processor if the report has none', () => {
  const before = { vendor: 'Intel', model: 'Intel(R) Xeon(R) Silver 4210 CPU @ 2.20GHz' };
  const report = ironicReport(1, {}, { dmi: null });
  expect(mergedBody(ironic, report, { processor: before })['processor']).toEqual({
    model: 'AMD EPYC 7543P 32-Core Processor',
    instruction_set: 'x86_64',
  });
});

test('a processor of which only the family was recorded keeps its values', () => {
  const processor = { vendor: 'Intel', model: 'Intel Xeon', microcode: '0x5003604', cache_l3: 14_417_920 };
  const facts = { ansible_processor: ['0', 'GenuineIntel', 'Intel(R) Xeon(R) Silver 4210R CPU @ 2.40GHz'] };
  expect(mergedBody(ansible, ansibleFacts(1, facts), { processor })['processor']).toMatchObject({
    model: 'Intel(R) Xeon(R) Silver 4210R CPU @ 2.40GHz',
    microcode: '0x5003604',
    cache_l3: 14_417_920,
  });
});

test('a GPU with another memory size is another model', () => {
  const known = { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: 'GA100 [A100 PCIe 40GB]' };
  const modelAfter = (product: string) =>
    mergedBody(lshw, lshwReport(1, [lshwDisplay({ product })]), { gpu: known })['gpu'];
  expect(modelAfter('GA100 [A100 PCIe 80GB]')).toEqual({ ...known, gpu_model: 'GA100 [A100 PCIe 80GB]' });
  expect(modelAfter('NVIDIA A100-PCIE-40GB')).toEqual(known);
});

test.each([
  ['processor', 'model', 'Intel Xeon E5-2680', 'Intel Xeon E5-2680 v3', 'Intel(R) Xeon(R) CPU E5-2680 0 @ 2.70GHz'],
  ['gpu', 'gpu_model', 'NVIDIA GeForce RTX 2080', 'NVIDIA GeForce RTX 2080 Ti', 'GeForce RTX 2080'],
])('the last word in the name of a %s distinguishes models', (holder, field, old, other, same) => {
  const after = (model: string) => {
    const parts = { processor: { other_description: model }, gpu_devices: { nvidia0: { model } } };
    return mergedBody(g5kChecks, g5kNode(1, parts), { [holder]: { [field]: old } })[holder];
  };
  expect(after(other)).toMatchObject({ [field]: other });
  expect(after(same)).toMatchObject({ [field]: old });
});

const gpuAfter = (gpu: JsonObject, device: JsonObject) => {
  const pci_devices = [{ class: '030200', bus: '0000:41:00.0', ...device }];
  return mergedBody(ironic, ironicReport(1, {}, { pci_devices }), { gpu })['gpu'];
};

test('the PCI id of a new GPU replaces the id of the old GPU, but not its name', () => {
  const before = { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: '26b9' };
  const device = { vendor_id: '10de', product_id: '2331' };
  expect(gpuAfter(before, device)).toEqual({ ...before, gpu_model: '2331' });
  const named = { ...before, gpu_model: 'AD102GL [L40S]' };
  expect(gpuAfter(named, device)).toEqual(named);
});

test.each(['A100', 'a100', 'B200', 'b200'])('a PCI id does not replace the name %s', (gpu_model) => {
  const before = { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model };
  expect(gpuAfter(before, { vendor_id: '10de', product_id: '20b0' })).toEqual(before);
});

test('a PCI id does not replace the name of a known adapter', () => {
  const old = { ...PORT, device: 'eno1np0', mac: '02:5a:10:00:00:01', vendor: 'Intel', model: 'E810' };
  expect(portsAfter([old], ironicPort(1, { vendor: '0x8086', product: '0x1592' }))).toMatchObject([{ model: 'E810' }]);
});

test('a GPU of another vendor does not keep the model of the old GPU', () => {
  const before = { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: 'AD102GL [L40S]', gpu_name: 'L40S' };
  expect(gpuAfter(before, { vendor_id: '1002', product_id: '740f' })).toEqual({
    gpu: true,
    gpu_count: 1,
    gpu_vendor: 'AMD',
    gpu_model: '740f',
  });
});

test('a list in the place of a mapping stays', () => {
  const gpu = [{ gpu: true, gpu_count: 1 }];
  expect(mergedBody(ironic, ironicReport(1), { gpu })['gpu']).toEqual(gpu);
});

test.each(['MR000480GWFLV', 'MR000240GWFLU'])('%s is a disk, not a RAID volume', (model) => {
  expect(isRaidVolume(model)).toBe(false);
});

const byWwn = (n: number, device: string): JsonObject => ({ ...known(n, device), serial: null, wwn: `0x5000${n}` });

test.each<[string, JsonObject[], JsonObject[], JsonObject[]]>([
  [
    'of which one was removed lose the WWN',
    [byWwn(1, 'sda'), byWwn(2, 'sdb')],
    [hdd(2, '/dev/sda')],
    [{ serial: 'S2' }],
  ],
  [
    'of which one was added lose the WWN',
    [byWwn(1, 'sda')],
    [hdd(2, '/dev/sda'), hdd(1, '/dev/sdb')],
    [{ serial: 'S2' }, { serial: 'S1' }],
  ],
  [
    'keep the WWNs',
    [byWwn(1, 'sda'), byWwn(2, 'sdb')],
    [hdd(2, '/dev/sda'), hdd(1, '/dev/sdb')],
    [{ wwn: '0x50001' }, { wwn: '0x50002' }],
  ],
  [
    'of which the report confirms all but one get the serial number',
    [known(1, 'sda'), byWwn(2, 'sdb')],
    [hdd(1, '/dev/sdb'), hdd(2, '/dev/sda')],
    [{ serial: 'S1' }, { serial: 'S2', wwn: '0x50002' }],
  ],
])('equal disks %s', (_, before, reported, after) => {
  const disks = objectsIn(disksAfter(before, ...reported));
  const identifiers = disks.map(({ serial, wwn }) => ({ ...(serial ? { serial } : {}), ...(wwn ? { wwn } : {}) }));
  expect(identifiers).toEqual(after);
});

test('older versions of lsblk write underscores in place of the spaces in a model', () => {
  const before = [known(1, 'sda', { model: 'Samsung SSD 860 EVO 2TB' })];
  expect(disksAfter(before, hdd(1, '/dev/sda', { model: 'Samsung_SSD_860_EVO_2TB' }))).toEqual(before);
});

test.each([
  ['Neoverse-N1', 'Ampere(R) Altra(R) Processor'],
  ['Altra Q80-30', 'Neoverse-N1'],
  ['Ampere(R) Altra(R) Processor', 'Neoverse-N1'],
  ['Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz', 'Intel(R) Xeon(R) processor'],
])('the model %s stays if a report contains only %s', (model, reported) => {
  const report = ironicReport(1, { cpu: { model_name: reported, count: 64, architecture: 'aarch64' } });
  const processor = { model, clock_speed: 2_800_000_000 };
  expect(mergedBody(ironic, report, { processor })).toMatchObject({ processor });
});

test('a disk with another WWN, but the same serial number, keeps its firmware version', () => {
  const before = known(1, 'sda', { wwn: '0x5002538a487db5e0', rev: 'GXA0' });
  const wwn = '0x5002538a487db5e1';
  expect(disksAfter([before], hdd(1, '/dev/sda', { wwn }))).toEqual([{ ...before, wwn }]);
});
