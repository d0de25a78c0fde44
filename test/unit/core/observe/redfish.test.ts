/** Redfish resources, with the traps that real BMCs have. */
import { expect, test } from 'vitest';
import { type JsonObject, objectsIn } from '../../../../src/core/model/json.ts';
import { redfish } from '../../../../src/core/observe/formats/redfish.ts';
import { failureOfReport, machinesIn, mergedBody } from '../../../support/reports/observed.ts';
import { redfishReport } from '../../../support/reports/reports.ts';

const SYSTEM = '/redfish/v1/Systems/1';
const CPU = `${SYSTEM}/Processors/CPU.1`;
const DRIVE = '/redfish/v1/Chassis/1/Drives/D0';
const ADAPTER = '/redfish/v1/Chassis/1/NetworkAdapters/N1';
const PORT = `${ADAPTER}/NetworkPorts/1`;

const DISK = {
  device: 'Disk.Bay.0',
  size: 1_920_383_410_176,
  interface: 'PCIe',
  media_type: 'SSD',
  model: 'KCD6XLUL1T92',
  vendor: 'Kioxia',
  serial: 'Y2A0A00001',
  wwn: 'eui.8ce38ee200001b01',
  rev: '0105',
  humanized_size: '1920 GB',
};
const NIC = {
  device: 'NIC.Integrated.1-1',
  mac: '02:5a:10:00:01:01',
  interface: 'Ethernet',
  rate: 25_000_000_000,
  vendor: 'Dell',
  model: 'BCM57414 2x25G',
  firmware_version: '231.0.1',
};
const BODY = {
  architecture: { platform_type: 'x86_64', smp_size: 1, smt_size: 64 },
  processor: { vendor: 'AMD', model: 'AMD EPYC 7543P 32-Core Processor', instruction_set: 'x86_64' },
  main_memory: { ram_size: 274_877_906_944, humanized_ram_size: '256 GiB' },
  chassis: { manufacturer: 'Dell Inc.', name: 'PowerEdge R7515', serial: 'QX7Z001' },
  bios: { version: '2.14.1', release_date: '2023-12-17' },
  bmc_version: '7.00.00.171',
  storage_devices: [DISK],
  network_adapters: [NIC],
};

test('a mapping of paths becomes a whole node', () => {
  expect(mergedBody(redfish, redfishReport(1))).toEqual(BODY);
});

test('a placeholder is no serial number', () => {
  const report = redfishReport(1, { [SYSTEM]: { SKU: null, SerialNumber: '0123456789' } });
  expect(machinesIn(redfish, report)[0]?.serials).toEqual([]);
});

test('expanded collections have resources within resources', () => {
  const { [SYSTEM]: system, ...others } = redfishReport(1);
  const expanded = { ...(typeof system === 'object' ? system : {}), Anything: { Members: Object.values(others) } };
  expect(redfish.recognises(expanded)).toBe(true);
  expect(mergedBody(redfish, expanded)).toEqual(BODY);
});

test('an id can be an absolute URL', () => {
  const bmc = '/redfish/v1/Managers/1/EthernetInterfaces/1';
  const report = redfishReport(1, {
    [bmc]: typed('EthernetInterface', { Id: 'NIC.1', MACAddress: '02:5A:10:00:01:99' }),
  });
  const absolute = Object.entries(report).map(([path, resource]) =>
    typeof resource === 'object' ? { ...resource, '@odata.id': `https://bmc.internal${path}` } : resource,
  );
  const { network_adapters: adapters } = mergedBody(redfish, absolute);
  expect(adapters).toEqual([NIC, expect.objectContaining({ device: 'NIC.1', management: true })]);
});

test('resources of another version, and a link without a body, are read too', () => {
  const report = {
    ...redfishReport(1, { [SYSTEM]: { '@odata.type': '#ComputerSystem.v1_0_0.ComputerSystem' } }),
    x: { '@odata.id': DRIVE },
  };
  expect(mergedBody(redfish, report)).toEqual(BODY);
});

const typed = (type: string, fields: JsonObject) => ({ '@odata.type': `#${type}.v1_0_0.${type}`, ...fields });
const gpu = {
  ProcessorType: 'GPU',
  Manufacturer: 'NVIDIA Corporation',
  Model: 'NVIDIA A100-PCIE-40GB',
  Status: { State: 'Enabled' },
};
const display = { DeviceClass: 'DisplayController', DeviceId: '0x20b5', ClassCode: '0x030200' };

test.each<[string, JsonObject, JsonObject, JsonObject?]>([
  [
    'on other systems than those of Dell, the serial number is the serial number',
    redfishReport(1, { [SYSTEM]: { Manufacturer: 'HPE', SKU: '868703-B21', SerialNumber: 'CZ1234' } }),
    { chassis: { manufacturer: 'HPE', serial: 'CZ1234' } },
  ],
  [
    'the memory is the sum of the modules, because some BMCs state decimal sizes',
    redfishReport(1, {
      [SYSTEM]: { MemorySummary: { TotalSystemMemoryGiB: 274.877 } },
      '/m/1': typed('Memory', { CapacityMiB: 131_072, MemoryType: 'DRAM' }),
      '/m/2': typed('Memory', { CapacityMiB: 131_072 }),
      '/m/3': typed('Memory', { CapacityMiB: null, Status: { State: 'Absent' } }),
      '/m/4': typed('Memory', { CapacityMiB: 131_072, MemoryType: 'IntelOptane' }),
    }),
    { main_memory: { ram_size: 274_877_906_944 } },
  ],
  [
    'a fractional summary is exact',
    redfishReport(1, { [SYSTEM]: { MemorySummary: { TotalSystemMemoryGiB: 191.5 } } }),
    { main_memory: { ram_size: 205_621_559_296 } },
  ],
  [
    'a summary that iDRAC converted as if it were decimal',
    redfishReport(1, { [SYSTEM]: { MemorySummary: { TotalSystemMemoryGiB: 119.209344 } } }),
    { main_memory: { ram_size: 137_438_953_472 } },
  ],
  [
    'the highest speed of a processor is no clock, and GPUs are processors too',
    redfishReport(1, {
      '/p/1': typed('Processor', gpu),
      '/p/2': typed('Processor', gpu),
      [CPU]: { MaxSpeedMHz: 4000 },
    }),
    {
      architecture: { smp_size: 1 },
      gpu: { gpu: true, gpu_count: 2, gpu_vendor: 'NVIDIA', gpu_model: 'NVIDIA A100-PCIE-40GB' },
    },
  ],
  [
    'display controllers of BMCs are no GPUs',
    redfishReport(1, {
      '/f/1': typed('PCIeFunction', { ...display, VendorId: '0x1a03' }),
      '/f/2': typed('PCIeFunction', { ...display, VendorId: '0x10de' }),
      '/f/3': typed('PCIeFunction', { ...display, VendorId: '0x10de', FunctionType: 'Virtual' }),
    }),
    { gpu: { gpu: true, gpu_count: 1, gpu_vendor: 'NVIDIA', gpu_model: '0x20b5' } },
  ],
  [
    'GPUs among functions, of which the report lacks one',
    redfishReport(1, {
      [SYSTEM]: { PCIeFunctions: [{ '@odata.id': '/f/1' }, { '@odata.id': '/f/2' }] },
      '/f/1': typed('PCIeFunction', { ...display, VendorId: '0x10de' }),
    }),
    { gpu: { gpu: true, gpu_count: 2 } },
    { gpu: { gpu: true, gpu_count: 2 } },
  ],
  [
    'a report without GPUs leaves the GPUs of the registry',
    redfishReport(1),
    { gpu: { gpu: true, gpu_count: 4 } },
    { gpu: { gpu: true, gpu_count: 4 } },
  ],
  [
    'a drive behind two controllers is one, and a volume is none',
    redfishReport(1, {
      '/s/1/D0': typed('Drive', { CapacityBytes: 1_920_383_410_176, SerialNumber: 'Y2A0A00001', Protocol: 'NVMe' }),
      '/s/1/V1': typed('Volume', { CapacityBytes: 960e9 }),
      [DRIVE]: { Identifiers: [{ DurableNameFormat: 'UUID', DurableName: 'abc' }] },
    }),
    { storage_devices: [expect.objectContaining({ serial: 'Y2A0A00001' })] },
  ],
  [
    'HPE lists the disks of a Smart Array controller in resources of its own',
    redfishReport(1, { [SYSTEM]: { Oem: { Hpe: { Links: { SmartStorage: { '@odata.id': '/s' } } } } } }),
    { storage_devices: [{ device: 'sda', size: 600e9, serial: 'S1' }, { device: 'nvme0n1' }] },
    {
      storage_devices: [
        { device: 'sda', size: 600e9, serial: 'S1' },
        { device: 'nvme0n1', serial: 'Y2A0A00001' },
      ],
    },
  ],
  [
    'a failed drive without a size does not remove its disk',
    redfishReport(1, {
      '/redfish/v1/Chassis/1/Drives/D1': typed('Drive', { Id: 'Disk.Bay.1', CapacityBytes: 0, SerialNumber: 'S1' }),
    }),
    {
      storage_devices: [
        { device: 'Disk.Bay.0', serial: 'Y2A0A00001' },
        { device: 'Disk.Bay.1', size: 600e9, serial: 'S1' },
      ],
    },
    {
      storage_devices: [
        { device: 'Disk.Bay.0', serial: 'Y2A0A00001' },
        { device: 'Disk.Bay.1', size: 600e9, serial: 'S1' },
      ],
    },
  ],
  [
    'links to drives, memory modules and processors that the report lacks',
    redfishReport(1, {
      [SYSTEM]: { ProcessorSummary: { Count: null } },
      [`${SYSTEM}/Processors`]: typed('ProcessorCollection', {
        Members: [{ '@odata.id': CPU }, { '@odata.id': '/p/2' }, { '@odata.id': '/p/3' }],
      }),
      '/p/3': typed('Processor', gpu),
      [`${SYSTEM}/Storage/1`]: typed('Storage', { Drives: [{ '@odata.id': DRIVE }, { '@odata.id': '/d/2' }] }),
      [`${SYSTEM}/Memory`]: typed('MemoryCollection', { Members: [{ '@odata.id': '/m/1' }, { '@odata.id': '/m/2' }] }),
      '/m/1': typed('Memory', { CapacityMiB: 131_072 }),
    }),
    {
      architecture: { smp_size: 2, smt_size: 128 },
      main_memory: { ram_size: 274_877_906_944 },
      gpu: { gpu: true, gpu_count: 2 },
      storage_devices: [{ serial: 'S1' }, { serial: 'Y2A0A00001' }],
    },
    {
      architecture: { smp_size: 2, smt_size: 128 },
      main_memory: { ram_size: 274_877_906_944 },
      gpu: { gpu: true, gpu_count: 2 },
      storage_devices: [{ serial: 'S1' }],
    },
  ],
  ...[`${SYSTEM}/Storage`, '/redfish/v1/Chassis/1/Drives'].map((id): [string, JsonObject, JsonObject, JsonObject] => [
    `links in ${id} to resources that the report lacks`,
    redfishReport(1, {
      [id]: typed(id.endsWith('Storage') ? 'StorageCollection' : 'DriveCollection', {
        Members: [{ '@odata.id': DRIVE }, { '@odata.id': `${id}/2` }],
      }),
    }),
    { storage_devices: [{ serial: 'S1' }, { serial: 'Y2A0A00001' }] },
    { storage_devices: [{ serial: 'S1' }] },
  ]),
  [
    'a POWER system, whose byte order Redfish does not report',
    redfishReport(1, { [CPU]: { InstructionSet: 'PowerISA' } }),
    { architecture: { platform_type: 'ppc64le' }, processor: { instruction_set: 'ppc64le' } },
    { architecture: { platform_type: 'ppc64le' }, processor: { instruction_set: 'ppc64le' } },
  ],
  [
    'a rotating drive with shingled tracks',
    redfishReport(1, { [DRIVE]: { MediaType: 'SMR' } }),
    { storage_devices: [{ serial: 'Y2A0A00001', media_type: 'Rotational' }] },
  ],
  [
    'a rotating SAS drive with an NAA name',
    redfishReport(1, {
      [DRIVE]: {
        Protocol: 'SAS',
        MediaType: 'HDD',
        Identifiers: [{ DurableNameFormat: 'NAA', DurableName: '5000C500A1B2C3D4' }],
      },
    }),
    {
      storage_devices: [
        expect.objectContaining({ interface: 'SAS', media_type: 'Rotational', wwn: '0x5000c500a1b2c3d4' }),
      ],
    },
  ],
  [
    'a port without a link keeps its rate, and the names of resellers stay out of the registry',
    redfishReport(1, { [PORT]: { SupportedLinkCapabilities: [{ LinkSpeedMbps: 0 }], LinkStatus: 'Down' } }),
    {
      network_adapters: [
        { device: 'eno1', mac: '02:5A:10:00:01:01', rate: 25_000_000_000, vendor: 'Broadcom', model: 'BCM57414' },
      ],
    },
    {
      network_adapters: [
        { device: 'eno1', mac: '02:5A:10:00:01:01', rate: 25_000_000_000, vendor: 'Broadcom', model: 'BCM57414' },
      ],
    },
  ],
  [
    'the vendor of an adapter gets its usual name',
    redfishReport(1, { [ADAPTER]: { Manufacturer: 'Mellanox Technologies' } }),
    { network_adapters: [{ ...NIC, vendor: 'Mellanox' }] },
  ],
  [
    'newer services have ports with another form, and host interfaces repeat their addresses',
    redfishReport(1, {
      [PORT]: null,
      [`${ADAPTER}/Ports/1`]: typed('Port', {
        Id: '1',
        LinkStatus: 'LinkUp',
        CurrentSpeedGbps: 25,
        Ethernet: { AssociatedMACAddresses: ['02:5A:10:00:01:01'] },
      }),
      [`${SYSTEM}/EthernetInterfaces/eno1`]: typed('EthernetInterface', {
        Id: 'eno1',
        MACAddress: '02:5A:10:00:01:01',
        SpeedMbps: 10_000,
      }),
    }),
    { network_adapters: [{ ...NIC, device: '1' }] },
  ],
  [
    'ports of Fibre Channel, and the connection to the BMC, are no network adapters',
    redfishReport(1, {
      [`${ADAPTER}/NetworkPorts/2`]: typed('NetworkPort', {
        ActiveLinkTechnology: 'FibreChannel',
        AssociatedNetworkAddresses: ['20:00:00:10:9B:5A:4A:58'],
      }),
      [`${ADAPTER}/NetworkPorts/3`]: typed('NetworkPort', {
        ActiveLinkTechnology: null,
        AssociatedNetworkAddresses: ['20:00:00:10:9B:5A:4A:59'],
        SupportedLinkCapabilities: [{ LinkNetworkTechnology: 'FibreChannel' }],
      }),
      [`${SYSTEM}/EthernetInterfaces/ToManager`]: typed('EthernetInterface', { MACAddress: '02:5A:10:00:01:98' }),
      '/redfish/v1/Managers/1/EthernetInterfaces/ToHost': typed('EthernetInterface', {
        MACAddress: '02:5A:10:00:01:97',
      }),
      '/redfish/v1/Managers/bmc/EthernetInterfaces/usb0': typed('EthernetInterface', {
        MACAddress: '02:5A:10:00:01:96',
      }),
    }),
    { network_adapters: [NIC] },
  ],
  [
    'the interface of the BMC is for management',
    redfishReport(1, {
      '/redfish/v1/Managers/1/EthernetInterfaces/1': typed('EthernetInterface', {
        Id: 'NIC.1',
        MACAddress: '02:5A:10:00:01:99',
      }),
    }),
    { network_adapters: [NIC, { device: 'NIC.1', mac: '02:5a:10:00:01:99', interface: 'Ethernet', management: true }] },
  ],
  [
    'the firmware inventory fills what the system and the manager do not state',
    redfishReport(1, {
      [SYSTEM]: { BiosVersion: null },
      '/redfish/v1/Managers/1': null,
      '/u/1': typed('SoftwareInventory', { Name: 'BIOS', Version: 'X12 v1.45 (12/06/2023)' }),
      '/u/2': typed('SoftwareInventory', { Name: 'BMC image 1', Version: '1.02' }),
    }),
    { bios: { version: 'X12 v1.45 (12/06/2023)' }, bmc_version: '1.02' },
  ],
  [
    'the version of the BIOS can contain its date',
    redfishReport(1, { [SYSTEM]: { BiosVersion: 'U15 v2.30 (09/12/2016)', Oem: null } }),
    { bios: { version: 'U15 v2.30 (09/12/2016)', release_date: '2016-09-12' } },
  ],
  [
    'the version of the BIOS can follow its date',
    redfishReport(1, { [SYSTEM]: { BiosVersion: 'BIOS Date: 12/06/2023 Ver 2.1', Oem: null } }),
    { bios: { version: '2.1', release_date: '2023-12-06' } },
  ],
  [
    'a place fills empty fields only',
    redfishReport(1, {
      '/redfish/v1/Chassis/1': typed('Chassis', {
        Location: { InfoFormat: 'Building;RackName;RackSlot', Info: 'B;7;12' },
      }),
    }),
    { placement: { rack: '4', node: '12' } },
    { placement: { rack: '4' } },
  ],
  [
    'a place as numbers',
    redfishReport(1, {
      '/redfish/v1/Chassis/1': typed('Chassis', { Location: { Placement: { Rack: 'R7', RackOffset: 12 } } }),
    }),
    { placement: { rack: 'R7', node: '12' } },
  ],
])('%s', (_, report, expected, before = {}) => {
  expect(mergedBody(redfish, report, before)).toMatchObject(expected);
});

test('systems of one chassis have their own resources', () => {
  const other = '/redfish/v1/Systems/2';
  const report = redfishReport(1, {
    [SYSTEM]: { Links: { Chassis: [{ '@odata.id': '/redfish/v1/Chassis/1' }] } },
    [other]: typed('ComputerSystem', { Manufacturer: 'HPE', SerialNumber: 'CZ2' }),
    [`${other}/Processors/1`]: typed('Processor', { ProcessorType: 'CPU', TotalThreads: 16 }),
  });
  expect(machinesIn(redfish, report).map(({ serials, node }) => [serials[0], node['architecture.smt_size']])).toEqual([
    ['QX7Z001', 64],
    ['CZ2', 16],
  ]);
});

test('the GPUs on the baseboard of an HGX machine belong to its only system', () => {
  const baseboard = '/redfish/v1/Systems/HGX_Baseboard_0';
  const report = redfishReport(1, {
    [SYSTEM]: { Links: { Chassis: [{ '@odata.id': '/redfish/v1/Chassis/1' }] } },
    [baseboard]: typed('ComputerSystem', { SerialNumber: '1650', Manufacturer: 'NVIDIA' }),
    [`${baseboard}/Processors/GPU_SXM_1`]: typed('Processor', gpu),
    [`${baseboard}/Processors/GPU_SXM_2`]: typed('Processor', gpu),
    [`${baseboard}/Memory/GPU_SXM_1_DRAM_0`]: typed('Memory', { CapacityMiB: 81_559, MemoryType: 'DRAM' }),
  });
  expect(machinesIn(redfish, report)).toHaveLength(1);
  const { bmc_version: _, ...host } = BODY;
  const withGpus = { ...host, gpu: { gpu: true, gpu_count: 2, gpu_vendor: 'NVIDIA', gpu_model: gpu.Model } };
  expect(mergedBody(redfish, report)).toEqual(withGpus);
  const repeated = { ...report, [`${SYSTEM}/Processors/GPU1`]: typed('Processor', gpu) };
  expect(mergedBody(redfish, repeated)['gpu']).toMatchObject({ gpu_count: 1 });
});

test('a link without an id gives a system no resources', () => {
  const report = redfishReport(1, {
    [SYSTEM]: { Links: { Chassis: [{ '@odata.id': '/redfish/v1/Chassis/1' }] } },
    '/redfish/v1/Systems/2': typed('ComputerSystem', { SerialNumber: 'CZ2', Links: { Chassis: [{}] } }),
  });
  const disks = machinesIn(redfish, report).map((machine) => machine.storage_devices?.length);
  expect(disks).toEqual([expect.any(Number), undefined]);
});

test('a chassis that several systems share gives them its place, but no drives', () => {
  const links = { Links: { Chassis: [{ '@odata.id': '/redfish/v1/Chassis/1' }] } };
  const report = redfishReport(1, {
    '/redfish/v1/Chassis/1': typed('Chassis', { Location: { Placement: { Rack: 'R7' } } }),
    [SYSTEM]: links,
    '/redfish/v1/Systems/2': typed('ComputerSystem', { Manufacturer: 'HPE', SerialNumber: 'CZ2', ...links }),
  });
  const machines = machinesIn(redfish, report);
  expect(machines.map((machine) => machine.storage_devices)).toEqual([undefined, undefined]);
  expect(machines.map(({ node }) => node['placement.rack'])).toEqual([{ weak: 'R7' }, { weak: 'R7' }]);
});

test.each<[string, Readonly<Record<string, JsonObject>>, string]>([
  ['a wrong type', { [DRIVE]: { CapacityBytes: [] } }, '"CapacityBytes": expected a number, found a list.'],
  ['a control character', { [DRIVE]: { Model: 'a\u0007' } }, '"Model": expected a text without control characters'],
  [
    'many systems',
    Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`/s/${i}`, typed('ComputerSystem', {})])),
    '"systems": expected at most 200, found 201.',
  ],
  [
    'many resources',
    Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`/d/${i}`, typed('Drive', {})])),
    '"resources": expected at most 5000, found 5007.',
  ],
])('%s is a finding', (_, changes, expected) => {
  expect(failureOfReport(redfish, redfishReport(1, changes))).toContain(expected);
});

test('a known disk keeps its model and vendor, because resellers write their own names, and a new disk gets them', () => {
  const cisco = (fields: JsonObject) =>
    redfishReport(1, { [DRIVE]: { Manufacturer: 'CISCO', Model: 'UCS-NVMEXP-I1920', Identifiers: [], ...fields } });
  const after = (fields: JsonObject) =>
    mergedBody(redfish, cisco(fields), { storage_devices: [DISK] })['storage_devices'];
  expect(after({})).toEqual([DISK]);
  const { wwn: _, ...others } = DISK;
  const replaced = { ...others, model: 'UCS-NVMEXP-I1920', vendor: 'CISCO', serial: 'Y2A0A00002' };
  expect(after({ SerialNumber: 'Y2A0A00002' })).toEqual([expect.objectContaining(replaced)]);
});

test.each(['8C:E3:8E:E2:00:00:1B:01', '01:1B:00:00:E2:8E:E3:8C'])('the EUI %s has the form of HPE systems', (name) => {
  const report = redfishReport(1, { [DRIVE]: { Identifiers: [{ DurableNameFormat: 'EUI', DurableName: name }] } });
  expect(mergedBody(redfish, report, { storage_devices: [DISK] })['storage_devices']).toEqual([DISK]);
});

test('the functions of an adapter have the addresses of the host, and its ports can have other addresses', () => {
  const macsOf = (functions: Readonly<Record<string, JsonObject>>, changes: JsonObject = {}) =>
    objectsIn(mergedBody(redfish, redfishReport(1, { ...functions, [PORT]: changes }))['network_adapters']).map(
      ({ mac }) => mac,
    );
  const functionOf = (mac: string, NetDevFuncType: string) =>
    typed('NetworkDeviceFunction', { NetDevFuncType, Ethernet: { MACAddress: mac } });
  const functions = {
    [`${ADAPTER}/NetworkDeviceFunctions/eth0`]: functionOf('02:5A:10:00:01:0A', 'Ethernet'),
    [`${ADAPTER}/NetworkDeviceFunctions/fc0`]: functionOf('02:5A:10:00:01:0C', 'FibreChannelOverEthernet'),
  };
  expect(macsOf(functions)).toEqual(['02:5a:10:00:01:0a']);
  expect(macsOf(functions, { ActiveLinkTechnology: 'InfiniBand' })).toContain(NIC.mac);
  const same = { [`${ADAPTER}/NetworkDeviceFunctions/eth0`]: functionOf(NIC.mac, 'Ethernet') };
  expect(macsOf(same)).toEqual([NIC.mac]);
});

test('a disk keeps its NGUID if Redfish reports its EUI, which is shorter', () => {
  const known = { ...DISK, wwn: 'eui.01000000000000008ce38ee200001b01' };
  expect(mergedBody(redfish, redfishReport(1), { storage_devices: [known] })['storage_devices']).toEqual([known]);
});
