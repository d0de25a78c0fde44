/** Facts of Ansible, in the forms in which they are stored. */
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import { ansible } from '../../../../src/core/observe/formats/ansible.ts';
import { failureOfReport, machinesIn, mergedBody } from '../../../support/reports/observed.ts';
import { ansibleFacts, ansibleReport } from '../../../support/reports/reports.ts';

const BODY = {
  architecture: { platform_type: 'x86_64', smp_size: 1, smt_size: 64 },
  processor: { vendor: 'AMD', model: 'AMD EPYC 7543P 32-Core Processor', instruction_set: 'x86_64' },
  main_memory: { ram_size: 269_888_782_336, humanized_ram_size: '251.35 GiB' },
  chassis: { manufacturer: 'Dell Inc.', name: 'PowerEdge R7515', serial: 'QX7Z001' },
  bios: { vendor: 'Dell Inc.', version: '2.14.1', release_date: '2023-12-17' },
  storage_devices: [
    {
      device: 'nvme0n1',
      size: 1_920_383_410_176,
      interface: 'PCIe',
      media_type: 'SSD',
      model: 'KCD6XLUL1T92',
      serial: 'Y2A0A00001',
      humanized_size: '1920 GB',
    },
  ],
  network_adapters: [
    { device: 'eno1np0', mac: '02:5a:10:00:01:01', interface: 'Ethernet', rate: 25_000_000_000, driver: 'bnxt_en' },
  ],
};

test('an adapter after thousands of virtual interfaces is read', () => {
  const names = [...Array.from({ length: 2500 }, (_, i) => `cali${i}`), 'eno1np0'];
  expect(mergedBody(ansible, ansibleFacts(1, { ansible_interfaces: names }))).toMatchObject({
    network_adapters: [{ device: 'eno1np0' }],
  });
});

test('a file of a host becomes a node', () => {
  const report = ansibleReport(1);
  expect(ansible.recognises(report)).toBe(true);
  expect(machinesIn(ansible, report)[0]?.names).toEqual(['lyra-c01.lyra.example.org', 'lyra-c01']);
  expect(mergedBody(ansible, report)).toEqual(BODY);
});

test('a fact cache has the facts only, and a dump of the variable has no prefixes', () => {
  expect(mergedBody(ansible, ansibleFacts(1))).toEqual(BODY);
  const plain = Object.fromEntries(
    Object.entries(ansibleFacts(1)).map(([name, fact]) => [name.slice('ansible_'.length), fact]),
  );
  expect(ansible.recognises({ ansible_facts: plain })).toBe(true);
  expect(mergedBody(ansible, { ansible_facts: plain })).toEqual(BODY);
});

test('newer dumps wrap texts', () => {
  const wrap = (value: Json): Json => (typeof value === 'string' ? { __ansible_unsafe: value } : value);
  const list = (value: Json | undefined): Json => (Array.isArray(value) ? value.map(wrap) : []);
  const facts = ansibleFacts(1);
  const wrapped = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, wrap(fact)]));
  const report = {
    ...wrapped,
    ansible_processor: list(facts['ansible_processor']),
    ansible_interfaces: list(facts['ansible_interfaces']),
  };
  expect(mergedBody(ansible, report)).toEqual(BODY);
});

const disk = (name: string, changes: JsonObject) => ({
  ansible_devices: {
    [name]: {
      model: 'MZ7LH480',
      vendor: 'ATA',
      serial: 'S1',
      rotational: '0',
      removable: '0',
      sectors: 937_703_088,
      ...changes,
    },
  },
});
const port = (name: string, changes: JsonObject) => ({
  ansible_interfaces: [name],
  [`ansible_${name.replaceAll('-', '_')}`]: {
    macaddress: '02:5a:10:00:01:01',
    type: 'ether',
    module: 'mlx5_core',
    pciid: '0000:81:00.0',
    ...changes,
  },
});
const DISK = {
  device: 'sda',
  size: 480_103_981_056,
  media_type: 'SSD',
  model: 'MZ7LH480',
  serial: 'S1',
  humanized_size: '480 GB',
};
const THREADS = [...new Array(96).keys()];

test.each<[string, JsonObject, JsonObject, JsonObject?]>([
  [
    'wrong threads per core',
    { ansible_processor_threads_per_core: 1 },
    { architecture: { smp_size: 1, smt_size: 64 } },
  ],
  [
    'an older list of processors',
    {
      ansible_processor: [
        'GenuineIntel',
        'Intel(R) Xeon(R) CPU E5-2670 v3 @ 2.30GHz',
        'GenuineIntel',
        'Intel(R) Xeon(R) CPU E5-2670 v3 @ 2.30GHz',
      ],
    },
    { architecture: { smt_size: 2 }, processor: { vendor: 'Intel', clock_speed: 2_300_000_000 } },
  ],
  [
    'a shortened list of processors',
    { ansible_processor: ['0', 'AuthenticAMD', 'AMD EPYC 7543P 32-Core Processor'] },
    { architecture: { smt_size: 64 } },
  ],
  [
    'an ARM machine, with thread numbers only',
    { ansible_processor: THREADS.map(String), ansible_processor_count: 96 },
    { architecture: { smp_size: 2, smt_size: 96 }, processor: { vendor: 'Cavium Inc.', model: 'ThunderX2 CN9975' } },
    { architecture: { smp_size: 2 }, processor: { vendor: 'Cavium Inc.', model: 'ThunderX2 CN9975' } },
  ],
  [
    'a POWER machine, without vendors',
    { ansible_processor: THREADS.flatMap((thread) => [String(thread), 'POWER9, altivec supported']) },
    { architecture: { smt_size: 96 }, processor: { vendor: 'IBM', model: 'POWER9, altivec supported' } },
    { processor: { vendor: 'IBM' } },
  ],
  [
    'a virtual machine has no sockets',
    { ansible_virtualization_role: 'guest' },
    { architecture: { platform_type: 'x86_64', smt_size: 64 } },
  ],
  [
    'facts without root',
    { ansible_product_serial: 'NA', ansible_bios_vendor: 'NA' },
    { chassis: { serial: 'AB1' }, bios: { vendor: 'Dell' } },
    { chassis: { serial: 'AB1' }, bios: { vendor: 'Dell' } },
  ],
  [
    'the memory of the kernel',
    {},
    { main_memory: { ram_size: 274_877_906_944 } },
    { main_memory: { ram_size: 274_877_906_944 } },
  ],
  [
    'two paths to a disk, of which one has a WWN',
    {
      ansible_devices: {
        ...disk('sda', {}).ansible_devices,
        ...disk('sdb', { wwn: '0x5000c500a1b2c3d4' }).ansible_devices,
      },
    },
    { storage_devices: [DISK] },
  ],
  [
    'two namespaces of an NVMe disk, which have the same serial number',
    {
      ansible_devices: {
        ...disk('nvme0n1', {}).ansible_devices,
        ...disk('nvme0n2', {}).ansible_devices,
        ...disk('nvme0n3', { sectors: 1000 }).ansible_devices,
      },
    },
    { storage_devices: [{ device: 'nvme0n1' }, { device: 'nvme0n2' }, { device: 'nvme0n3' }] },
  ],
  [
    'a disk with sectors of 4096 bytes',
    disk('sda', { sectorsize: '4096', host: 'SATA controller: Intel' }),
    { storage_devices: [{ ...DISK, interface: 'SATA' }] },
  ],
  [
    'a SAS disk with the id of its controller as vendor',
    disk('sda', { vendor: '0x1af4', rotational: '1', host: 'Serial Attached SCSI controller: Broadcom' }),
    { storage_devices: [{ ...DISK, interface: 'SAS', media_type: 'Rotational' }] },
  ],
  [
    'a SATA disk at a SAS controller',
    disk('sda', { host: 'Serial Attached SCSI controller: Broadcom' }),
    { storage_devices: [{ ...DISK, interface: 'SATA' }] },
  ],
  ['a disk without sectors', disk('sda', { sectors: '0' }), {}],
  [
    'an NVMe disk and its path',
    { ansible_devices: { ...disk('nvme0c0n1', {}).ansible_devices, ...disk('nvme0n1', {}).ansible_devices } },
    { storage_devices: [{ ...DISK, device: 'nvme0n1', interface: 'PCIe' }] },
  ],
  [
    'devices of the kernel that are not disks, and a disk in a storage network',
    {
      ansible_devices: {
        ...disk('sdb', { host: 'Fibre Channel: QLogic Corp. ISP2532-based 8Gb' }).ansible_devices,
        ...Object.fromEntries(
          ['bcache0', 'zd16', 'rbd0', 'drbd0', 'mtdblock0', 'mmcblk0boot1', 'mmcblk0rpmb', 'mmcblk0'].flatMap((name) =>
            Object.entries(disk(name, { serial: name }).ansible_devices),
          ),
        ),
      },
    },
    { storage_devices: [{ ...DISK, device: 'mmcblk0', serial: 'mmcblk0' }] },
  ],
  ['a USB stick', disk('sda', { removable: '1' }), {}],
  [
    'a model that SCSI cut',
    disk('sda', { model: 'SAMSUNG MZ7LH480' }),
    { storage_devices: [{ model: 'SAMSUNG MZ7LH480HAHQ-00005' }] },
    { storage_devices: [{ device: 'sda', model: 'SAMSUNG MZ7LH480HAHQ-00005', serial: 'S1' }] },
  ],
  [
    'a model that SCSI cut at a space',
    disk('sda', { model: 'Samsung SSD 860' }),
    { storage_devices: [{ model: 'Samsung SSD 860 EVO 500GB' }] },
    { storage_devices: [{ device: 'sda', model: 'Samsung SSD 860 EVO 500GB', serial: 'S1' }] },
  ],
  [
    'a serial number that Ansible cut at the hyphen',
    disk('sda', { model: 'WDC WD5003ABYZ-0', serial: 'WD', wwn: '0x50014ee2b1c1d1e1' }),
    { storage_devices: [{ serial: 'WD-WCC130J2P3Y9', rev: '1K03' }] },
    { storage_devices: [{ device: 'sda', serial: 'WD-WCC130J2P3Y9', wwn: '0x50014ee2b1c1d1e1', rev: '1K03' }] },
  ],
  [
    'the WWN of an NVMe disk among its links',
    disk('nvme0n1', { vendor: null, links: { ids: ['nvme-KIOXIA_KCD6_S1', 'nvme-eui.8ce38ee2077a1b01'] } }),
    { storage_devices: [{ device: 'nvme0n1', serial: 'S1', wwn: 'eui.8ce38ee2077a1b01' }] },
  ],
  [
    'a serial number without digits',
    disk('sda', { serial: 'VGJDYWKG' }),
    { storage_devices: [{ ...DISK, serial: 'VGJDYWKG' }] },
  ],
  [
    'an adapter with hyphens, without a link',
    port('ens-1', { speed: -1 }),
    { network_adapters: [{ device: 'ens-1', mac: '02:5a:10:00:01:01', interface: 'Ethernet', driver: 'mlx5_core' }] },
  ],
  [
    'an adapter in a bond',
    port('eno1', { macaddress: '02:00:00:00:00:01', perm_macaddress: '02:5A:10:00:01:01' }),
    { network_adapters: [expect.objectContaining({ mac: '02:5a:10:00:01:01' })] },
  ],
  ['a bridge with type ether', port('br0', { module: null, pciid: null }), {}],
])('%s', (_, changes, expected, before = {}) => {
  expect(mergedBody(ansible, ansibleReport(1, changes), before)).toMatchObject(expected);
});

test('without the subset for hardware, disks and adapters stay', () => {
  const { ansible_devices: _, ansible_interfaces: __, ...facts } = ansibleFacts(1);
  const before = { storage_devices: [{ device: 'sda' }], network_adapters: [{ device: 'eno1' }] };
  expect(mergedBody(ansible, facts, before)).toMatchObject(before);
});

test.each<[string, JsonObject, string]>([
  ['a wrong type', { ansible_memtotal_mb: 'much' }, '"memtotal_mb": expected a number, found "much".'],
  [
    'a control character',
    { ansible_product_name: 'a\u0000b' },
    '"product_name": expected a text without control characters',
  ],
])('%s is a finding', (_, changes, expected) => {
  expect(failureOfReport(ansible, ansibleReport(1, changes))).toContain(expected);
});
