/** Reports of OpenStack Ironic, with the traps that real ones have. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { ironic } from '../../../../src/core/observe/formats/ironic.ts';
import { readPciIds } from '../../../../src/core/observe/pci-ids.ts';
import { failureOfReport, machinesIn, mergedBody } from '../../../support/reports/observed.ts';
import { ironicDisk, ironicInventory, ironicPort, ironicReport } from '../../../support/reports/reports.ts';

const BODY = {
  architecture: { platform_type: 'x86_64', smp_size: 1, smt_size: 64 },
  processor: {
    vendor: 'AMD',
    model: 'AMD EPYC 7543P 32-Core Processor',
    instruction_set: 'x86_64',
    clock_speed: 2_800_000_000,
  },
  main_memory: { ram_size: 274_877_906_944, humanized_ram_size: '256 GiB' },
  chassis: { manufacturer: 'Dell Inc.', name: 'PowerEdge R7515', serial: 'QX7Z001' },
  bios: { vendor: 'Dell Inc.', version: '2.14.1', release_date: '2023-12-17' },
  boot_mode: 'uefi',
  gpu: { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: '26b9' },
  storage_devices: [
    {
      device: 'nvme0n1',
      size: 1_920_383_410_176,
      interface: 'PCIe',
      media_type: 'SSD',
      model: 'KCD6XLUL1T92',
      serial: 'Y2A0A00001',
      wwn: 'eui.8ce38ee200001b01',
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
      model: '0x16d7',
      driver: 'bnxt_en',
    },
  ],
};

test('a saved inventory becomes a whole node, with exact units', () => {
  expect(mergedBody(ironic, ironicReport(1))).toEqual(BODY);
});

test('introspection data has the same parts beside the inventory', () => {
  const { inventory, plugin_data: plugins } = ironicReport(1);
  const flat = {
    ...(typeof plugins === 'object' ? plugins : {}),
    inventory: inventory ?? null,
    cpus: 64,
    memory_mb: 262_144,
    local_gb: 1787,
  };
  expect(ironic.recognises(flat)).toBe(true);
  expect(mergedBody(ironic, flat)).toEqual(BODY);
});

test('the bare inventory lacks the clock and the GPUs', () => {
  const { gpu: _, processor, ...rest } = BODY;
  const { clock_speed: __, vendor: ___, ...known } = processor;
  const inventory = ironicInventory(1);
  expect(ironic.recognises(inventory)).toBe(true);
  expect(mergedBody(ironic, inventory)).toEqual({ ...rest, processor: known });
});

test('adapters in a bond are listed, although the report lacks their addresses', () => {
  const interfaces = [ironicPort(1), ironicPort(1, { name: 'eno2np1' })];
  const [machine] = machinesIn(ironic, ironicReport(1, { interfaces }));
  expect(machine).toMatchObject({ listsAdapters: true, completeLists: ['storage_devices'] });
});

test.each([
  ['host-10-0-0-5.openstacklocal', []],
  ['host-2001-db8--5', []],
  ['ubuntu', []],
  ['host-01', ['host-01']],
  ['ubuntu-01', ['ubuntu-01']],
])('the host name %s gives the names %j', (hostname, names) => {
  expect(machinesIn(ironic, ironicReport(1, { hostname }))[0]?.names).toEqual(names);
});

test('the collector data can be a list of rows', () => {
  const data = [
    ['disk', 'nvme0n1', 'SMART/firmware_version', '0105'],
    ['network', 'eno1np0', 'capacity', 40_000_000_000],
    ['cpu', 'physical_0', 'l1d cache', '1 MiB (32 instances)'],
    ['__proto__', 'x', 'y', 'z'],
  ];
  const body = mergedBody(ironic, ironicReport(1, {}, { data }));
  expect(body['storage_devices']).toEqual([expect.objectContaining({ rev: '0105' })]);
  expect(body['network_adapters']).toEqual([expect.objectContaining({ rate: 40_000_000_000 })]);
  expect(body['processor']).toEqual(expect.objectContaining({ cache_l1d: 32_768 }));
});

const CPU = { count: 64, architecture: 'x86_64' };
const INTEL = { ...CPU, model_name: 'Intel(R) Xeon(R) Gold 6240R CPU @ 2.40GHz', frequency: '4000.0' };
const KERNEL_MEMORY = { memory: { total: 269_888_831_488, physical_mb: null } };
const PCI = (...devices: readonly [vendor: string, device: string, pciClass: string, bus: string][]) => ({
  pci_devices: devices.map(([vendor_id, product_id, pciClass, bus]) => ({
    vendor_id,
    product_id,
    class: pciClass,
    bus,
  })),
});
const cachesOf = (texts: Readonly<Record<string, string>>) => ({
  extra: {
    cpu: { physical_0: Object.fromEntries(Object.entries(texts).map(([level, text]) => [`${level} cache`, text])) },
  },
});

test.each<[string, JsonObject, JsonObject, JsonObject?]>([
  [
    'the memory of the kernel fills an empty field',
    ironicReport(1, KERNEL_MEMORY),
    { main_memory: { ram_size: 269_888_831_488, humanized_ram_size: '251.35 GiB' } },
  ],
  [
    'the memory of the kernel never replaces a value',
    ironicReport(1, KERNEL_MEMORY),
    { main_memory: { ram_size: 274_877_906_944 } },
    { main_memory: { ram_size: 274_877_906_944 } },
  ],
  [
    'the name of the processor has its clock, and the frequency is a limit',
    ironicReport(1, { cpu: INTEL }, { dmi: {} }),
    { processor: { clock_speed: 2_400_000_000 } },
  ],
  [
    'the clock in the name never replaces a value',
    ironicReport(1, { cpu: INTEL }, { dmi: {} }),
    { processor: { clock_speed: 2_399_000_000 } },
    { processor: { clock_speed: 2_399_000_000 } },
  ],
  [
    'only populated sockets count',
    ironicReport(
      1,
      { cpu: CPU },
      {
        dmi: {
          cpu: [
            { Status: 'Populated, Enabled', Version: [] },
            { Status: 'Unpopulated' },
            { Status: 'Populated, Idle' },
          ],
        },
      },
    ),
    { architecture: { platform_type: 'x86_64', smp_size: 2, smt_size: 64 } },
  ],
  [
    'placeholders are no values, and values of the registry stay',
    ironicReport(1, {
      system_vendor: {
        product_name: 'To Be Filled By O.E.M.',
        serial_number: '0123456789',
        manufacturer: ' ',
        firmware: { vendor: 'Default string', version: '2.10', build_date: 'Jan 13 2022' },
      },
    }),
    { chassis: { manufacturer: 'Dell Inc.', serial: 'AB1' }, bios: { version: '2.10', release_date: '2022-01-13' } },
    { chassis: { manufacturer: 'Dell Inc.', serial: 'AB1' } },
  ],
  [
    'a date with four digits before the slash',
    ironicReport(1, { system_vendor: { firmware: { build_date: '005/17/2018', version: '1.4' } } }),
    { bios: { version: '1.4', release_date: '2018-05-17' } },
  ],
  [
    'the texts of lscpu are rounded totals of all caches',
    ironicReport(
      1,
      {},
      cachesOf({
        l1d: '3.8 MiB (80 instances)',
        l1i: '32K',
        l2: '100 MiB (80 instances)',
        l3: '120 MiB (2 instances)',
      }),
    ),
    { processor: { cache_l1d: 49_152, cache_l1i: 32_768, cache_l2: 1_310_720, cache_l3: 62_914_560 } },
  ],
  [
    'the id of an unknown vendor never replaces a name',
    ironicReport(1, { interfaces: [ironicPort(1, { vendor: '0x177d', product: null })] }),
    { network_adapters: [{ device: 'eno1np0', mac: '02:5a:10:00:01:01', vendor: 'Cavium, Inc.' }] },
    { network_adapters: [{ device: 'eno1np0', mac: '02:5a:10:00:01:01', vendor: 'Cavium, Inc.' }] },
  ],
  [
    'disks in storage networks are not in the machine',
    ironicReport(1, {
      disks: [
        ironicDisk(1, { name: '/dev/sdb', tran: 'iscsi' }),
        ironicDisk(2, { name: '/dev/sdc', tran: null, by_path: '/dev/disk/by-path/pci-0000:3b:00.0-fc-0x21-lun-0' }),
        ironicDisk(3, { name: '/dev/sda', tran: 'sata' }),
      ],
    }),
    { storage_devices: [{ device: 'sda' }] },
  ],
  [
    'GPUs are counted without BMCs, virtual functions, integrated GPUs and FPGAs',
    ironicReport(
      1,
      {},
      PCI(
        ['1a03', '2000', '030000', '0000:03:00.0'],
        ['8086', '3e9b', '030000', '0000:00:02.0'],
        ['1002', '740c', '038000', '0000:41:00.0'],
        ['1002', '740c', '038000', '0000:41:00.1'],
        ['1002', '740c', '038000', '0000:41:02.0'],
        ['1002', '740c', '038000', '0000:c1:00.0'],
        ['10ee', '500c', '120000', '0000:81:00.0'],
      ),
    ),
    {
      gpu: { gpu: true, gpu_count: 2, gpu_vendor: 'AMD', gpu_model: '740c' },
      fpga: { board_vendor: 'Xilinx', board_model: '500c' },
    },
  ],
  [
    'GPUs of different models, whose model stays',
    ironicReport(1, {}, PCI(['10de', '26b9', '030200', '0000:41:00.0'], ['10de', '20b5', '030200', '0000:c1:00.0'])),
    { gpu: { gpu: true, gpu_count: 2, gpu_vendor: 'NVIDIA', gpu_model: 'A100' } },
    { gpu: { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: 'A100' } },
  ],
  [
    'an empty list of PCI devices',
    ironicReport(1, {}, PCI()),
    { gpu: { gpu: true, gpu_count: 4, gpu_model: 'A100' } },
    { gpu: { gpu: true, gpu_count: 4, gpu_model: 'A100' } },
  ],
  [
    'a removed GPU leaves no model behind',
    ironicReport(1, {}, PCI(['102b', '0536', '030000', '0000:03:00.0'])),
    { gpu: { gpu: false } },
    { gpu: { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: 'A100' } },
  ],
  [
    'virtual and removable disks, and further paths to a disk, are left out',
    ironicReport(1, {
      disks: [
        ironicDisk(2, {
          name: '/dev/sda',
          tran: 'sas',
          rotational: true,
          wwn: '0x5000c500a1b2c3d4',
          size: 2_000_398_934_016,
        }),
        ironicDisk(2, {
          name: '/dev/sdb',
          tran: 'sas',
          rotational: true,
          wwn: '0x5000c500a1b2c3d4',
          size: 2_000_398_934_016,
        }),
        ironicDisk(3, { name: '/dev/sdc', tran: 'usb' }),
        ironicDisk(4, { name: '/dev/md0' }),
        ironicDisk(5, { name: '/dev/nbd0', size: 0 }),
      ],
    }),
    {
      storage_devices: [
        expect.objectContaining({
          device: 'sda',
          interface: 'SAS',
          media_type: 'Rotational',
          wwn: '0x5000c500a1b2c3d4',
        }),
      ],
    },
  ],
  [
    'the bus is in the path if the agent does not state it, and SCSI paths do not name it',
    ironicReport(1, {
      disks: [
        ironicDisk(2, {
          name: '/dev/sda',
          tran: null,
          vendor: 'ATA',
          by_path: '/dev/disk/by-path/pci-0000:00:17.0-ata-1',
        }),
        ironicDisk(3, {
          name: '/dev/sdb',
          tran: null,
          vendor: 'DELL',
          model: 'PERC H730P Mini',
          by_path: '/dev/disk/by-path/pci-0000:02:00.0-scsi-0:2:0:0',
        }),
        ironicDisk(4, { name: '/dev/sdc', tran: 'sas', vendor: 'ATA' }),
        ironicDisk(5, { name: '/dev/sdd', tran: 'sas', vendor: 'SEAGATE' }),
        ironicDisk(6, { name: '/dev/sde', tran: 'sas', vendor: 'NVMe' }),
      ],
    }),
    {
      storage_devices: [
        expect.objectContaining({ interface: 'SATA', media_type: 'SSD' }),
        {
          device: 'sdb',
          model: 'PERC H730P Mini',
          vendor: 'Dell',
          serial: 'Y2A0A00003',
          wwn: 'eui.8ce38ee200003b01',
          size: 1_920_383_410_176,
          humanized_size: '1920 GB',
        },
        { device: 'sdc', interface: 'SATA' },
        { device: 'sdd', interface: 'SAS' },
        { device: 'sde', interface: 'PCIe' },
      ],
    },
  ],
  [
    'a SCSI disk whose serial number is its WWN, and volumes of one RAID controller',
    ironicReport(1, {
      disks: [
        ironicDisk(2, {
          ...{ name: '/dev/sda', wwn: '0x5000c50093f978b7', serial: '5000c50093f978b7' },
          wwn_with_extension: '0x5000c50093f978b7',
        }),
        ...['2de2e524599e42e9', '2de2e52659c204d8'].map((extension, i) =>
          ironicDisk(3, {
            ...{ name: `/dev/sd${'bc'[i]}`, model: 'ServeRAID M5210', wwn: '0x600605b00d89bb80' },
            ...{ serial: `600605b00d89bb80${extension}`, wwn_with_extension: `0x600605b00d89bb80${extension}` },
          }),
        ),
      ],
    }),
    {
      storage_devices: [
        { device: 'sda', serial: 'ZA17WDAG', wwn: '0x5000c50093f978b7' },
        { device: 'sdb', wwn: '0x600605b00d89bb802de2e524599e42e9' },
        { device: 'sdc', wwn: '0x600605b00d89bb802de2e52659c204d8' },
      ],
    },
    { storage_devices: [{ device: 'sda', serial: 'ZA17WDAG', wwn: '0x5000c50093f978b7' }] },
  ],
  [
    'virtual adapters and the USB adapter of the BMC are left out, and InfiniBand has a GUID',
    ironicReport(1, {
      interfaces: [
        ironicPort(1, { name: 'bond0' }),
        ironicPort(6, { name: 'tmfifo_net0', driver: 'mlxbf_tmfifo' }),
        ironicPort(2, { name: 'idrac', driver: 'cdc_ether' }),
        ironicPort(5, { name: 'enp0s20u3', driver: 'cdc_eem' }),
        ironicPort(3, { name: 'eno2', mac_address: null }),
        ironicPort(4, {
          name: 'ib0',
          mac_address: '20:00:55:00:41:80:00:00:00:00:00:00:f4:52:14:03:00:f5:50:c1',
          speed_mbps: -1,
          driver: 'mlx5_core',
          vendor: '0x15b3',
          product: null,
        }),
      ],
    }),
    {
      network_adapters: [
        {
          device: 'ib0',
          mac: 'f4:52:14:03:00:f5:50:c1',
          interface: 'InfiniBand',
          vendor: 'Mellanox',
          driver: 'mlx5_core',
        },
      ],
    },
  ],
])('%s', (_, report, expected, before = {}) => {
  expect(mergedBody(ironic, report, before)).toMatchObject(expected);
});

test('a serial number that became a number is unknown', () => {
  const [machine] = machinesIn(ironic, ironicReport(1, { system_vendor: { serial_number: 12_345 } }));
  expect(machine?.serials).toEqual([]);
});

test.each(['\n', '\r\n'])(
  'names of PCI devices come from pci.ids with the line end %j, and a missing id stays',
  (end) => {
    const lines = ['# comment', '10de  NVIDIA Corporation', '\t26b9  AD102GL [L40S]', '\t\t10de 1851  L40S'];
    const pci = readPciIds([...lines, 'C 03  Display controller', '\t16d7  wrong', ''].join(end));
    const body = mergedBody(ironic, ironicReport(1), {}, { pci });
    expect(body['gpu']).toEqual({ gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: 'AD102GL [L40S]' });
    expect(body['network_adapters']).toMatchObject([{ vendor: 'Broadcom', model: '0x16d7' }]);
  },
);

test.each<[string, JsonObject, string]>([
  ['a wrong type', { disks: [ironicDisk(1, { size: 'large' })] }, '"part.size": expected a number, found "large".'],
  [
    'a text in the place of a mapping',
    { system_vendor: 'Dell' },
    '"inventory.system_vendor": expected a mapping, found "Dell".',
  ],
  [
    'a control character',
    { disks: [ironicDisk(1, { model: 'a\u001b[31m' })] },
    '"part.model": expected a text without control characters',
  ],
  [
    'a number without an exact double',
    { memory: { physical_mb: 9e15 } },
    '"inventory.memory.physical_mb": expected a number within',
  ],
  ['a long text', { cpu: { model_name: 'x'.repeat(501) } }, 'expected at most 500 characters'],
  ['a list of texts', { interfaces: ['eth0'] }, '"inventory.interfaces.0": expected a mapping, found "eth0".'],
  ['many parts', { disks: Array.from({ length: 2001 }, () => ({})) }, 'expected at most 2000 items, found a list.'],
])('%s is a finding', (_, inventory, expected) => {
  expect(failureOfReport(ironic, ironicReport(1, inventory))).toContain(expected);
});
