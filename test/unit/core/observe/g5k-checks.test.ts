/** Nodes in the YAML of g5k-checks, as the command reads them. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { g5kChecks } from '../../../../src/core/observe/formats/g5k-checks.ts';
import { readYaml } from '../../../../src/core/registry/yaml/read-yaml.ts';
import { failureOfReport, machinesIn, mergedBody } from '../../../support/reports/observed.ts';
import { g5kNode } from '../../../support/reports/reports.ts';

const BODY = {
  architecture: { platform_type: 'x86_64', smp_size: 1, smt_size: 64 },
  processor: {
    vendor: 'AMD',
    model: 'AMD EPYC 7543P 32-Core Processor',
    instruction_set: 'x86_64',
    cache_l1d: 32_768,
    cache_l1i: 32_768,
    cache_l2: 524_288,
    cache_l3: 33_554_432,
  },
  main_memory: { ram_size: 274_877_906_944, humanized_ram_size: '256 GiB' },
  chassis: { manufacturer: 'Dell Inc.', name: 'PowerEdge R7515', serial: 'QX7Z001' },
  bios: { vendor: 'Dell Inc.', version: '2.14.1', release_date: '2023-12-17' },
  bmc_version: '7.00.00.171',
  gpu: { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: 'L40S' },
  storage_devices: [
    {
      device: 'pci-0000:c1:00.0-nvme-1',
      size: 1_920_383_410_176,
      interface: 'PCIe',
      media_type: 'SSD',
      model: 'KCD6XLUL1T92',
      wwn: 'eui.8ce38ee200001b01',
      rev: '0105',
      humanized_size: '1920 GB',
    },
  ],
  network_adapters: [
    { device: 'bmc', mac: '02:5a:10:00:01:99', interface: 'Ethernet', management: true },
    {
      device: 'eth0',
      name: 'eno1np0',
      mac: '02:5a:10:00:01:01',
      interface: 'Ethernet',
      rate: 25_000_000_000,
      vendor: 'Broadcom',
      model: 'BCM57414',
      driver: 'bnxt_en',
      firmware_version: '231.0.1/pkg 23.1',
      management: false,
    },
  ],
};

test('a node below its name becomes a whole node', () => {
  const report = { 'lyra-1': g5kNode(1), 'lyra-2': g5kNode(2) };
  expect(g5kChecks.recognises(report)).toBe(true);
  expect(machinesIn(g5kChecks, report).map(({ names }) => names)).toEqual([['lyra-1'], ['lyra-2']]);
  expect(mergedBody(g5kChecks, report)).toEqual(BODY);
});

test('raw output lacks the name', () => {
  expect(g5kChecks.recognises(g5kNode(1))).toBe(true);
  expect(machinesIn(g5kChecks, g5kNode(1))[0]?.names).toEqual([]);
  expect(mergedBody(g5kChecks, g5kNode(1))).toEqual(BODY);
});

test('the maps of a registry file of another form are not recognised', () => {
  expect(g5kChecks.recognises({ architecture: { smp_size: 1 } })).toBe(false);
  expect(g5kChecks.recognises({})).toBe(false);
});

test('numbers without quotes keep their digits', () => {
  const read = readYaml(
    'lyra-1.yaml',
    'architecture: {nb_procs: 1}\nbios: {version: 2.10, release_date: 2023-12-17}\nchassis: {serial: 0012345}\nbmc_version: 4.30\nstorage_devices:\n  x: {size: 480000000000, firmware_version: 1E10, model: 4610}\n',
  );
  expect(mergedBody(g5kChecks, read.findings ? {} : read.value)).toMatchObject({
    bios: { version: '2.10', release_date: '2023-12-17' },
    chassis: { serial: '0012345' },
    bmc_version: '4.30',
    storage_devices: [{ rev: '1E10', model: '4610' }],
  });
});

test('a placeholder is no serial number', () => {
  const [machine] = machinesIn(g5kChecks, g5kNode(1, { chassis: { serial: '0123456789' } }));
  expect(machine?.serials).toEqual([]);
  expect(machine?.node['chassis.serial']).toBeUndefined();
});

const adapter = (changes: JsonObject) => ({ network_adapters: { eth0: { mac: '02:5a:10:00:01:01', ...changes } } });
const disk = (key: string, changes: JsonObject) => ({
  storage_devices: { [key]: { size: 480_103_981_056, ...changes } },
});

test.each<[string, JsonObject, JsonObject, JsonObject?]>([
  [
    'a rate of 0 is unknown',
    adapter({ rate: 0 }),
    { network_adapters: [{ rate: 10e9 }] },
    { network_adapters: [{ mac: '02:5A:10:00:01:01', rate: 10e9 }] },
  ],
  [
    'Omni-Path and its GUID',
    adapter({ interface: 'Omni-Path', guid: '0x0011750101671f11', mac: '80:00:00:02:fe:80:00:00' }),
    { network_adapters: [{ interface: 'Omni-Path', guid: '0x0011750101671f11', mac: '80:00:00:02:fe:80:00:00' }] },
  ],
  ['an adapter without a link', adapter({ interface: 'FPGA/Ethernet', mac: null }), {}],
  [
    'the size of a disk within 1 %',
    disk('pci-0000:00:17.0-ata-1', { by_id: '/dev/disk/by-id/wwn-0x55cd2e404b6f1a02' }),
    { storage_devices: [{ device: 'sda', size: 480_000_000_000, wwn: '0x55cd2e404b6f1a02', interface: 'SATA' }] },
    { storage_devices: [{ device: 'sda', size: 480_000_000_000, wwn: '0x55cd2e404b6f1a02' }] },
  ],
  [
    'a RAID volume has neither interface nor media',
    disk('pci-0000:02:00.0-scsi-0:2:0:0', { model: 'PERC H730P', storage: 'HDD' }),
    {
      storage_devices: [
        {
          device: 'pci-0000:02:00.0-scsi-0:2:0:0',
          size: 480_103_981_056,
          model: 'PERC H730P',
          humanized_size: '480 GB',
        },
      ],
    },
  ],
  [
    'a rotating disk',
    disk('pci-0000:02:00.0-sas-phy0-lun-0', { storage: 'HDD' }),
    { storage_devices: [expect.objectContaining({ interface: 'SAS', media_type: 'Rotational' })] },
  ],
  [
    'a disk at a SAS controller, which can be a SATA disk',
    disk('pci-0000:02:00.0-sas-phy0-lun-0', { by_id: '/dev/disk/by-id/wwn-0x55cd2e404b6f1a02' }),
    { storage_devices: [{ interface: 'SATA' }] },
    { storage_devices: [{ device: 'sda', wwn: '0x55cd2e404b6f1a02', interface: 'SATA' }] },
  ],
  ['a node without GPUs', { gpu_devices: null }, { gpu: { gpu: false } }],
  [
    'an architecture of IBM',
    { architecture: { nb_procs: 2, nb_threads: 160, platform_type: 'ppc64le' } },
    { architecture: { platform_type: 'ppc64le', smp_size: 2, smt_size: 160 } },
  ],
  [
    'a spelling of the vendor',
    {},
    { network_adapters: [{ device: 'bmc' }, { device: 'eno1', vendor: 'Broadcom Corporation' }] },
    {
      network_adapters: [
        { device: 'bmc', mac: '02:5a:10:00:01:99', management: true },
        { device: 'eno1', mac: '02:5a:10:00:01:01', vendor: 'Broadcom Corporation' },
      ],
    },
  ],
  [
    'the registry has the family as the model',
    {},
    { processor: { model: 'AMD EPYC', version: '7543P' } },
    { processor: { model: 'AMD EPYC', version: '7543P' } },
  ],
])('%s', (_, changes, expected, before = {}) => {
  expect(mergedBody(g5kChecks, { 'lyra-1': g5kNode(1, changes) }, before)).toMatchObject(expected);
});

test.each<[string, JsonObject, string]>([
  [
    'a wrong type',
    { main_memory: { ram_size: '256 GB' } },
    '"node.main_memory.ram_size": expected a number, found "256 GB".',
  ],
  [
    'a list in the place of a mapping',
    { storage_devices: [] },
    '"node.storage_devices": expected a mapping, found a list.',
  ],
])('%s is a finding', (_, changes, expected) => {
  expect(failureOfReport(g5kChecks, { 'lyra-1': g5kNode(1, changes) })).toContain(expected);
});
