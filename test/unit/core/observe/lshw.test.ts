/** Trees of lshw, with and without the rights of root. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { lshw } from '../../../../src/core/observe/formats/lshw.ts';
import { failureOfReport, machinesIn, mergedBody } from '../../../support/reports/observed.ts';
import * as reports from '../../../support/reports/reports.ts';

const BODY = {
  architecture: { smp_size: 1, smt_size: 64 },
  processor: { vendor: 'AMD', model: 'AMD EPYC 7543P 32-Core Processor' },
  main_memory: { ram_size: 274_877_906_944, humanized_ram_size: '256 GiB' },
  chassis: { manufacturer: 'Dell Inc.', name: 'PowerEdge R7515', serial: 'QX7Z001' },
  bios: { vendor: 'Dell Inc.', version: '2.14.1', release_date: '2023-12-17' },
  gpu: { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: 'AD102GL [L40S]' },
  storage_devices: [
    {
      device: 'nvme0n1',
      size: 1_920_383_410_176,
      interface: 'PCIe',
      model: 'KCD6XLUL1T92',
      serial: 'Y2A0A00001',
      wwn: 'eui.8ce38ee200001b01',
      rev: '0105',
      humanized_size: '1920 GB',
    },
  ],
  network_adapters: [
    {
      device: 'eno1np0',
      mac: '02:5a:10:00:01:01',
      interface: 'Ethernet',
      rate: 25_000_000_000,
      vendor: 'Broadcom',
      model: 'BCM57414 NetXtreme-E 10Gb/25Gb RDMA Ethernet Controller',
      driver: 'bnxt_en',
    },
  ],
};

test('a whole machine becomes a node', () => {
  const report = reports.lshwReport(1);
  expect(lshw.recognises(report)).toBe(true);
  expect(mergedBody(lshw, report)).toEqual(BODY);
});

test('a list of parts of one class is no machine', () => {
  expect(lshw.recognises([reports.lshwCpu()])).toBe(false);
});

test('adapters in a bond, which all have the MAC address of the bond, stay', () => {
  const port = (n: number) => ({
    ...{ id: `network:${n}`, class: 'network', businfo: `pci@0000:01:00.${n}` },
    ...{ logicalname: `eno${n}`, serial: '02:5a:10:00:01:01' },
  });
  const report = { id: 'lyra-c01', class: 'system', children: [port(1), port(2)] };
  const known = ['02:5a:10:00:01:01', '02:5a:10:00:01:02'].map((mac, i) => ({ device: `eno${i + 1}`, mac }));
  expect(mergedBody(lshw, report, { network_adapters: known })['network_adapters']).toMatchObject(known);
});

test('adapters stay if the driver of one adapter hides its MAC address', () => {
  const port = { class: 'network', businfo: 'pci@0000:01:00.0' };
  const children = [
    { ...port, id: 'network:0', logicalname: 'eno1', serial: '02:5a:10:00:01:01' },
    { ...port, id: 'network:1', businfo: 'pci@0000:01:00.1', configuration: { driver: 'vfio-pci' } },
  ];
  const known = ['02:5a:10:00:01:01', '02:5a:10:00:01:02'].map((mac, i) => ({ device: `eno${i + 1}`, mac }));
  const body = mergedBody(lshw, { id: 'lyra-c01', class: 'system', children }, { network_adapters: known });
  expect(body['network_adapters']).toMatchObject(known);
});

test('disks stay if an older version of lshw lists an NVMe controller without its disk', () => {
  const [sata, nvme] = [
    { device: 'sda', size: 480e9, serial: 'S1' },
    { device: 'nvme0n1', size: 1_920_383_410_176, serial: 'Y2A0A00001' },
  ];
  const nvmeController = { ...controller('Non-Volatile memory controller'), capabilities: { nvm_express: true } };
  const disksAfter = (...parts: JsonObject[]) =>
    mergedBody(lshw, reports.lshwReport(1, parts), { storage_devices: [sata, nvme] })['storage_devices'];
  const other = controller('SATA controller', disk({ logicalname: '/dev/sda' }));
  expect(disksAfter(other, nvmeController)).toMatchObject([sata, nvme]);
  expect(disksAfter(other)).toMatchObject([sata]);
  const only = [expect.objectContaining(nvme)];
  expect(disksAfter({ ...nvmeController, ...reports.lshwNvme(1) })).toEqual(only);
  expect(disksAfter({ ...nvmeController, children: [reports.lshwNvme(1)] })).toEqual(only);
});

test('a virtio adapter that the report lacks is removed, because only its PCI device has no MAC address', () => {
  const virtio = {
    ...{ class: 'network', businfo: 'pci@0000:00:03.0', configuration: { driver: 'virtio-pci' } },
    children: [{ class: 'network', businfo: 'virtio@0', logicalname: 'ens3', serial: '02:5a:10:00:01:01' }],
  };
  const report = { id: 'lyra-c01', class: 'system', children: [virtio] };
  const known = ['02:5a:10:00:01:01', '02:5a:10:00:01:02'].map((mac, i) => ({ device: `ens${i + 3}`, mac }));
  expect(mergedBody(lshw, report, { network_adapters: known })['network_adapters']).toMatchObject(known.slice(0, 1));
});

test('the UUID of the board and the name of the moment identify the machine', () => {
  expect(machinesIn(lshw, reports.lshwReport(1))[0]).toMatchObject({
    uids: ['4c4c4544-0058-3710-805a-d1c04f5a0001'],
    serials: ['QX7Z001'],
    names: ['lyra-c01'],
  });
});

const controller = (description: string, ...children: JsonObject[]) => ({
  id: 'sata',
  class: 'storage',
  description,
  children,
});
const disk = (changes: JsonObject) => ({
  id: 'disk',
  class: 'disk',
  size: 480e9,
  serial: 'S1',
  vendor: 'ATA',
  product: 'MZ7LH480',
  ...changes,
});

test.each<[string, JsonObject[], JsonObject, JsonObject?]>([
  ['banks without a total', [reports.lshwMemory({ size: null })], { main_memory: { ram_size: 274_877_906_944 } }],
  [
    'several memories, one of them empty, and controllers with the same id',
    [
      reports.lshwMemory({ id: 'memory:0' }),
      reports.lshwMemory({ id: 'memory:1' }),
      reports.lshwMemory({
        id: 'memory:2',
        size: null,
        children: [{ id: 'bank:0', class: 'memory', description: 'DIMM [empty]' }],
      }),
      { id: 'memory:3', class: 'memory', description: 'RAM memory', size: 4096 },
    ],
    { main_memory: { ram_size: 549_755_813_888 } },
  ],
  [
    'persistent memory is not main memory',
    [
      reports.lshwMemory({
        size: 1_717_986_918_400,
        children: [
          { id: 'bank:0', class: 'memory', description: 'DIMM DDR4 Synchronous 2933 MHz', size: 68_719_476_736 },
          { id: 'bank:1', class: 'memory', description: 'DIMM Synchronous Non-volatile LRDIMM', size: 274_877_906_944 },
        ],
      }),
    ],
    { main_memory: { ram_size: 68_719_476_736 } },
  ],
  [
    'DMI cannot store more than 255 threads of a processor',
    [reports.LSHW_FIRMWARE, reports.lshwCpu({ configuration: { cores: '128', threads: '255' } })],
    { architecture: { smp_size: 1, smt_size: 512 } },
    { architecture: { smt_size: 512 } },
  ],
  [
    'an adapter with a rate that lshw does not know',
    [reports.lshwPort(1, { capacity: 40e9, size: 100e9 })],
    { network_adapters: [{ rate: 100e9 }] },
  ],
  [
    'a memory card',
    [
      controller('MMC Host', {
        ...{ id: 'card', class: 'disk', logicalname: ['/dev/mmcblk0boot0', '/dev/mmcblk0'], size: 31e9 },
        ...{ product: 'BJTD4R', vendor: 'Unknown (21)', serial: '744102814' },
      }),
    ],
    { storage_devices: [{ device: 'mmcblk0', size: 31e9, model: 'BJTD4R', humanized_size: '31 GB' }] },
  ],
  [
    'an empty socket, and the current speed, which is no clock',
    [reports.LSHW_FIRMWARE, reports.lshwCpu(), reports.lshwCpu({ id: 'cpu:1', disabled: true, product: null })],
    { architecture: { smp_size: 1, smt_size: 64 }, processor: { model: BODY.processor.model } },
  ],
  [
    'an ARM processor has its name in the version',
    [reports.lshwCpu({ product: 'ARMv8 (Q80-30)', version: 'Ampere(R) Altra(R) Processor', vendor: 'Ampere(R)' })],
    { processor: { model: 'Ampere(R) Altra(R) Processor', vendor: 'Ampere(R)' } },
  ],
  [
    'texts with ids',
    [reports.lshwDisplay({ product: 'AD102GL [L40S] [10DE:26B9]', vendor: 'NVIDIA Corporation [10DE]' })],
    { gpu: { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: 'AD102GL [L40S]' } },
  ],
  [
    'a graphics card that is called VGA, an accelerator, and virtual functions',
    [
      reports.lshwDisplay({ description: 'VGA compatible controller' }),
      reports.lshwDisplay({ businfo: 'pci@0000:41:00.4' }),
      reports.lshwDisplay({ businfo: 'pci@0000:41:01.0' }),
      reports.lshwDisplay({
        class: 'generic',
        description: 'Processing accelerators',
        vendor: 'Advanced Micro Devices, Inc. [AMD/ATI]',
        product: 'Aqua Vanjaram [Instinct MI300X]',
      }),
    ],
    { gpu: { gpu: true, gpu_count: 2 } },
  ],
  [
    'only the display adapter of the BMC',
    [reports.lshwDisplay({ vendor: 'ASPEED Technology, Inc.', product: 'ASPEED Graphics Family' })],
    { gpu: { gpu: false } },
  ],
  [
    'disks of a SATA and a SAS controller, a USB stick, a memory card and a DVD drive',
    [
      controller(
        'SATA controller',
        disk({
          logicalname: '/dev/sda',
          businfo: 'scsi@0:0.0.0',
          capabilities: { '7200rpm': '7200 rotations per minute' },
        }),
      ),
      controller(
        'Serial Attached SCSI controller',
        disk({ logicalname: ['/dev/sdb', '/mnt'], serial: 'S2', vendor: 'SEAGATE' }),
        disk({ logicalname: '/dev/sde', serial: 'S6', vendor: 'Seagate', description: 'ATA Disk' }),
      ),
      {
        ...controller('Mass storage device', disk({ logicalname: '/dev/sdc', businfo: 'scsi@6:0.0.0', serial: 'S3' })),
        businfo: 'usb@1:2',
      },
      {
        ...controller('SCSI Disk', disk({ id: 'medium', logicalname: '/dev/sdd', serial: 'S5' })),
        capabilities: { removable: 'support is removable' },
      },
      controller('SATA controller', disk({ id: 'cdrom', logicalname: '/dev/sr0', serial: 'S4' })),
    ],
    {
      storage_devices: [
        {
          device: 'sda',
          interface: 'SATA',
          media_type: 'Rotational',
          model: 'MZ7LH480',
          serial: 'S1',
          size: 480e9,
          humanized_size: '480 GB',
        },
        { device: 'sdb', interface: 'SAS', serial: 'S2' },
        { device: 'sde', interface: 'SATA', serial: 'S6' },
      ],
    },
  ],
  [
    'a virtual adapter without a bus, and a virtio adapter that is listed twice',
    [
      reports.lshwPort(2, { id: 'network:1', businfo: null, logicalname: 'docker0' }),
      {
        ...reports.lshwPort(3, {
          logicalname: null,
          serial: null,
          product: 'Virtio network device',
          capacity: null,
          size: null,
        }),
        children: [
          reports.lshwPort(3, {
            businfo: 'virtio@0',
            vendor: null,
            product: 'Ethernet interface',
            capacity: null,
            size: null,
          }),
        ],
      },
    ],
    {
      network_adapters: [
        {
          device: 'eno1np0',
          mac: '02:5a:10:00:03:01',
          interface: 'Ethernet',
          vendor: 'Broadcom',
          model: 'Ethernet interface',
          driver: 'bnxt_en',
        },
      ],
    },
  ],
  [
    'the third cache is the one of a socket',
    [reports.lshwCpu(), { id: 'cache:2', class: 'memory', slot: 'L3 - Cache', size: 268_435_456 }],
    { processor: { cache_l3: 268_435_456 } },
  ],
])('%s', (_, core, expected, before = {}) => {
  expect(mergedBody(lshw, reports.lshwReport(1, core), before)).toMatchObject(expected);
});

test.each([
  ['ProLiant DL380 Gen10 (868703-B21)', 'ProLiant DL380 Gen10'],
  ['ThinkSystem SR650 -[7X06CTO1WW]- (7X06CTO1WW)', 'ThinkSystem SR650'],
  ['SYS-6029U-TR4 (To be filled by O.E.M.)', 'SYS-6029U-TR4'],
  ['Standard PC (Q35 + ICH9, 2009)', 'Standard PC (Q35 + ICH9, 2009)'],
])('the product %s is %s', (product, name) => {
  const report = reports.lshwReport(1, [], { product });
  expect(mergedBody(lshw, report)).toMatchObject({ chassis: { name } });
  expect(mergedBody(lshw, report, { chassis: { name: product } })).toMatchObject({ chassis: { name: product } });
});

test.each(['[REMOVED]', 'Unspecified System Serial Number', '.......'])('the serial number %s is none', (serial) => {
  const disks = ['/dev/sda', '/dev/sdb'].map((logicalname) => disk({ logicalname, serial, size: 480e9 }));
  const report = reports.lshwReport(1, [controller('SATA controller', ...disks)], { serial });
  const before = { chassis: { serial: 'QX7Z001' } };
  expect(mergedBody(lshw, report, before)).toMatchObject({
    ...before,
    storage_devices: [{ device: 'sda' }, { device: 'sdb' }],
  });
  expect(JSON.stringify(mergedBody(lshw, report, before))).not.toContain(serial);
});

test('without root, neither sockets nor the installed memory are known', () => {
  const cpus = Array.from({ length: 4 }, (_, i) => reports.lshwCpu({ id: `cpu:${i}`, configuration: {} }));
  const memory = reports.lshwMemory({ description: 'System memory', size: 269_888_831_488, children: [] });
  const report = reports.lshwReport(1, [...cpus, memory], { vendor: null, serial: null, product: 'Computer' });
  const before = { main_memory: { ram_size: 274_877_906_944 }, architecture: { smp_size: 2 } };
  expect(mergedBody(lshw, report, before)).toEqual({
    ...before,
    processor: BODY.processor,
    chassis: { name: 'Computer' },
  });
});

test.each<[string, JsonObject, string]>([
  ['a wrong type', reports.lshwCpu({ product: { a: 1 } }), '"product": expected a text, found a mapping.'],
  [
    'a control character',
    reports.lshwPort(1, { product: '\u202eabc' }),
    '"node.product": expected a text without control characters',
  ],
])('%s is a finding', (_, part, expected) => {
  expect(failureOfReport(lshw, reports.lshwReport(1, [part]))).toContain(expected);
});

test('the vendor of a disk has no id', () => {
  const disk = { ...reports.lshwNvme(1), vendor: 'ADATA Technology Co., Ltd. [1CC1]' };
  expect(mergedBody(lshw, reports.lshwReport(1, [disk]))['storage_devices']).toMatchObject([
    { vendor: 'ADATA Technology Co., Ltd.' },
  ]);
});
