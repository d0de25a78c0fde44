/** Invented hardware reports of the same machine in every format. `n` makes machines differ. */
import type { Json } from '../../../src/core/model/json.ts';

type Report = Record<string, Json>;

const hex = (n: number) => n.toString(16).padStart(4, '0');
export const macOf = (n: number) => `02:5a:10:${hex(n).slice(0, 2)}:${hex(n).slice(2)}:01`;
export const serialOf = (n: number) => `QX7Z${String(n).padStart(3, '0')}`;
export const diskSerialOf = (n: number) => `Y2A0A0${String(n).padStart(4, '0')}`;
export const nameOf = (n: number) => `lyra-c${String(n).padStart(2, '0')}`;

const CPU = 'AMD EPYC 7543P 32-Core Processor';
const SIZE = 1_920_383_410_176;
const wwnOf = (n: number) => `eui.8ce38ee20${hex(n)}b01`;

export function ironicDisk(n: number, changes: Report = {}): Report {
  return {
    name: '/dev/nvme0n1',
    model: 'KCD6XLUL1T92',
    size: SIZE,
    rotational: false,
    wwn: wwnOf(n),
    serial: diskSerialOf(n),
    vendor: null,
    hctl: null,
    tran: 'nvme',
    by_path: '/dev/disk/by-path/pci-0000:c1:00.0-nvme-1',
    ...changes,
  };
}

export function ironicPort(n: number, changes: Report = {}): Report {
  return {
    name: 'eno1np0',
    mac_address: macOf(n).toUpperCase(),
    ipv4_address: '192.0.2.17',
    has_carrier: true,
    vendor: '0x14e4',
    product: '0x16d7',
    speed_mbps: 25_000,
    pci_address: '0000:81:00.0',
    driver: 'bnxt_en',
    ...changes,
  };
}

/** The inventory of ironic-python-agent. */
export function ironicInventory(n: number, changes: Report = {}): Report {
  return {
    cpu: {
      model_name: CPU,
      frequency: '3737.8899',
      count: 64,
      architecture: 'x86_64',
      flags: ['fpu'],
      socket_count: 1,
    },
    memory: { total: 269_888_831_488, physical_mb: 262_144 },
    disks: [ironicDisk(n)],
    interfaces: [ironicPort(n)],
    system_vendor: {
      product_name: 'PowerEdge R7515 (SKU=NotProvided;ModelName=PowerEdge R7515)',
      serial_number: serialOf(n),
      manufacturer: 'Dell Inc.',
      firmware: { vendor: 'Dell Inc.', version: '2.14.1', build_date: '12/17/2023' },
    },
    boot: { current_boot_mode: 'uefi', pxe_interface: macOf(n) },
    bmc_v6address: '::/0',
    hostname: 'localhost',
    ...changes,
  };
}

/** What `baremetal node inventory save` writes. */
export function ironicReport(n: number, inventory: Report = {}, plugins: Report = {}): Report {
  return {
    inventory: ironicInventory(n, inventory),
    plugin_data: {
      pci_devices: [
        { vendor_id: '102b', product_id: '0536', class: '030000', revision: '04', bus: '0000:03:00.0' },
        { vendor_id: '10de', product_id: '26b9', class: '030200', revision: 'a1', bus: '0000:41:00.0' },
      ],
      dmi: { cpu: [{ Manufacturer: 'AMD', 'Current Speed': '2800 MHz', 'Core Count': '32', 'Thread Count': '64' }] },
      ...plugins,
    },
  };
}

const SYSTEM = '/redfish/v1/Systems/1';
const ADAPTER = '/redfish/v1/Chassis/1/NetworkAdapters/N1';
const typed = (path: string, type: string, fields: Report): [string, Report] => [
  path,
  { '@odata.id': path, '@odata.type': `#${type}.v1_5_0.${type}`, ...fields },
];

/** Resources by path; `changes` adds or replaces fields of resources, and null removes a resource. */
export function redfishReport(n: number, changes: Readonly<Record<string, Report | null>> = {}): Report {
  const resources = new Map<string, Report>([
    typed(SYSTEM, 'ComputerSystem', {
      Manufacturer: 'Dell Inc.',
      Model: 'PowerEdge R7515',
      SKU: serialOf(n),
      SerialNumber: `CNIVC00${hex(n)}`,
      UUID: `4c4c4544-0058-3710-805a-d1c04f5a${hex(n)}`,
      BiosVersion: '2.14.1',
      PowerState: 'On',
      ProcessorSummary: { Count: 1 },
      MemorySummary: { TotalSystemMemoryGiB: 256 },
      Oem: { Dell: { DellSystem: { BIOSReleaseDate: '12/17/2023' } } },
    }),
    typed(`${SYSTEM}/Processors/CPU.1`, 'Processor', {
      ProcessorType: 'CPU',
      InstructionSet: 'x86-64',
      Manufacturer: 'AMD',
      Model: CPU,
      MaxSpeedMHz: 3700,
      TotalCores: 32,
      TotalThreads: 64,
      Status: { State: 'Enabled', Health: 'OK' },
    }),
    typed(`${SYSTEM}/Processors/CPU.2`, 'Processor', { ProcessorType: 'CPU', Status: { State: 'Absent' } }),
    typed('/redfish/v1/Chassis/1/Drives/D0', 'Drive', {
      Id: 'Disk.Bay.0',
      Protocol: 'NVMe',
      MediaType: 'SSD',
      CapacityBytes: SIZE,
      Manufacturer: 'KIOXIA',
      Model: 'KCD6XLUL1T92',
      SerialNumber: diskSerialOf(n),
      Revision: '0105',
      RotationSpeedRPM: null,
      Identifiers: [{ DurableNameFormat: 'EUI', DurableName: wwnOf(n).slice(4).toUpperCase() }],
    }),
    typed(ADAPTER, 'NetworkAdapter', {
      Manufacturer: 'Dell',
      Model: 'BCM57414 2x25G',
      Controllers: [{ FirmwarePackageVersion: '231.0.1' }],
    }),
    typed(`${ADAPTER}/NetworkPorts/1`, 'NetworkPort', {
      Id: 'NIC.Integrated.1-1',
      ActiveLinkTechnology: 'Ethernet',
      AssociatedNetworkAddresses: [macOf(n).toUpperCase()],
      LinkStatus: 'Up',
      SupportedLinkCapabilities: [{ LinkNetworkTechnology: 'Ethernet', LinkSpeedMbps: 25_000 }],
    }),
    typed('/redfish/v1/Managers/1', 'Manager', { FirmwareVersion: '7.00.00.171' }),
  ]);
  for (const [path, fields] of Object.entries(changes)) {
    if (fields === null) resources.delete(path);
    else resources.set(path, { '@odata.id': path, ...resources.get(path), ...fields });
  }
  return Object.fromEntries(resources);
}

export function slurmNode(n: number, changes: Report = {}): Report {
  return {
    name: nameOf(n),
    hostname: nameOf(n),
    architecture: 'x86_64',
    boards: 1,
    sockets: 1,
    cores: 32,
    threads: 2,
    cpus: 64,
    real_memory: 256_000,
    temporary_disk: 800_000,
    gres: 'gpu:l40s:1(S:0-1),nvme:1',
    features: ['zen3', 'l40s'],
    state: ['IDLE'],
    free_mem: { set: true, infinite: false, number: 201_334 },
    ...changes,
  };
}

export function slurmReport(nodes: readonly Json[]): Report {
  return {
    meta: { plugin: { data_parser: 'data_parser/v0.0.42' }, slurm: { cluster: 'lyra' } },
    nodes,
    last_update: { set: true, infinite: false, number: 1_770_000_000 },
    errors: [],
    warnings: [],
  };
}

/** `core` is the list of parts of the board; `root` changes the fields of the machine. */
export function lshwReport(n: number, core: readonly Json[] = lshwCore(n), root: Report = {}): Report {
  return {
    id: nameOf(n),
    class: 'system',
    description: 'Rack Mount Chassis',
    vendor: 'Dell Inc.',
    serial: serialOf(n),
    product: 'PowerEdge R7515 (SKU=0A11;ModelName=PowerEdge R7515)',
    configuration: { boot: 'normal', uuid: `4c4c4544-0058-3710-805a-d1c04f5a${hex(n)}` },
    children: [{ id: 'core', class: 'bus', children: core }],
    ...root,
  };
}

export function lshwMemory(changes: Report = {}): Report {
  const bank = (i: number) => ({
    id: `bank:${i}`,
    class: 'memory',
    slot: `A${i}`,
    units: 'bytes',
    size: 34_359_738_368,
  });
  return {
    id: 'memory',
    class: 'memory',
    description: 'System Memory',
    units: 'bytes',
    size: 274_877_906_944,
    children: Array.from({ length: 8 }, (_, i) => bank(i)),
    ...changes,
  };
}

export function lshwCpu(changes: Report = {}): Report {
  return {
    id: 'cpu',
    class: 'processor',
    product: CPU,
    vendor: 'Advanced Micro Devices [AMD]',
    businfo: 'cpu@0',
    units: 'Hz',
    size: 1_794_000_000,
    capacity: 3_738_000_000,
    configuration: { cores: '32', enabledcores: '32', threads: '64' },
    ...changes,
  };
}

export function lshwPort(n: number, changes: Report = {}): Report {
  return {
    id: 'network',
    class: 'network',
    product: 'BCM57414 NetXtreme-E 10Gb/25Gb RDMA Ethernet Controller',
    vendor: 'Broadcom Inc. and subsidiaries',
    businfo: 'pci@0000:81:00.0',
    logicalname: 'eno1np0',
    serial: macOf(n),
    units: 'bit/s',
    size: 10_000_000_000,
    capacity: 25_000_000_000,
    configuration: { driver: 'bnxt_en', link: 'yes', firmware: '231.0.1' },
    ...changes,
  };
}

export function lshwNvme(n: number): Report {
  return {
    id: 'nvme',
    class: 'storage',
    product: 'KCD6XLUL1T92',
    serial: diskSerialOf(n),
    version: '0105',
    children: [
      { id: 'namespace:0', class: 'disk', description: 'NVMe disk', logicalname: 'hwmon3' },
      {
        id: 'namespace:1',
        class: 'disk',
        businfo: 'nvme@0:1',
        logicalname: '/dev/nvme0n1',
        units: 'bytes',
        size: SIZE,
        configuration: { wwid: wwnOf(n), logicalsectorsize: '512' },
      },
    ],
  };
}

export function lshwDisplay(changes: Report = {}): Report {
  return {
    id: 'display',
    class: 'display',
    description: '3D controller',
    product: 'AD102GL [L40S]',
    vendor: 'NVIDIA Corporation',
    businfo: 'pci@0000:41:00.0',
    claimed: true,
    ...changes,
  };
}

export const LSHW_FIRMWARE: Report = {
  id: 'firmware',
  class: 'memory',
  vendor: 'Dell Inc.',
  version: '2.14.1',
  date: '12/17/2023',
  units: 'bytes',
  size: 65_536,
};

export function lshwCore(n: number): Report[] {
  const bmc = {
    description: 'VGA compatible controller',
    product: 'G200eW3',
    vendor: 'Matrox Electronics Systems Ltd.',
  };
  return [
    ...[LSHW_FIRMWARE, lshwMemory(), lshwCpu(), lshwPort(n), lshwNvme(n), lshwDisplay()],
    lshwDisplay({ ...bmc, businfo: 'pci@0000:03:00.0' }),
  ];
}

/** One node in the form of the YAML of g5k-checks. */
export function g5kNode(n: number, changes: Report = {}): Report {
  return {
    architecture: { nb_cores: 32, nb_procs: 1, nb_threads: 64, platform_type: 'x86_64' },
    bios: { release_date: '12/17/2023', vendor: 'Dell Inc.', version: '2.14.1' },
    bmc_version: '7.00.00.171',
    chassis: { manufacturer: 'Dell Inc.', name: 'PowerEdge R7515', serial: serialOf(n) },
    gpu_devices: { nvidia0: { device: '/dev/nvidia0', memory: 48_305_799_168, model: 'L40S', vendor: 'Nvidia' } },
    main_memory: { ram_size: 274_877_906_944 },
    network_adapters: {
      bmc: { ip: '192.0.2.117', mac: `${macOf(n).slice(0, -2)}99`, management: true },
      eth0: {
        driver: 'bnxt_en',
        firmware_version: '231.0.1/pkg 23.1',
        interface: 'Ethernet',
        mac: macOf(n),
        management: false,
        model: 'BCM57414',
        name: 'eno1np0',
        rate: 25_000_000_000,
        vendor: 'Broadcom Inc. and subsidiaries',
      },
    },
    processor: {
      cache_l1d: 32_768,
      cache_l1i: 32_768,
      cache_l2: 524_288,
      cache_l3: 33_554_432,
      instruction_set: 'x86-64',
      model: 'AMD EPYC',
      other_description: CPU,
      vendor: 'AMD',
      version: '7543P',
    },
    storage_devices: {
      'pci-0000:c1:00.0-nvme-1': {
        by_id: `/dev/disk/by-id/nvme-${wwnOf(n)}`,
        by_path: '/dev/disk/by-path/pci-0000:c1:00.0-nvme-1',
        firmware_version: '0105',
        model: 'KCD6XLUL1T92',
        size: SIZE,
        storage: 'SSD',
      },
    },
    ...changes,
  };
}

export function ansibleFacts(n: number, changes: Report = {}): Report {
  return {
    ansible_hostname: nameOf(n),
    ansible_nodename: `${nameOf(n)}.lyra.example.org`,
    ansible_architecture: 'x86_64',
    ansible_machine: 'x86_64',
    ansible_virtualization_role: 'host',
    ansible_system_vendor: 'Dell Inc.',
    ansible_product_name: 'PowerEdge R7515',
    ansible_product_serial: serialOf(n),
    ansible_bios_vendor: 'Dell Inc.',
    ansible_bios_version: '2.14.1',
    ansible_bios_date: '12/17/2023',
    ansible_processor: Array.from({ length: 64 }, (_, i) => [String(i), 'AuthenticAMD', CPU]).flat(),
    ansible_processor_count: 1,
    ansible_processor_cores: 32,
    ansible_processor_threads_per_core: 2,
    ansible_processor_vcpus: 64,
    ansible_memtotal_mb: 257_386,
    ansible_interfaces: ['lo', 'eno1np0', 'br-ex'],
    ansible_eno1np0: {
      device: 'eno1np0',
      macaddress: macOf(n),
      active: true,
      type: 'ether',
      module: 'bnxt_en',
      pciid: '0000:81:00.0',
      speed: 25_000,
    },
    ansible_br_ex: { device: 'br-ex', type: 'bridge', macaddress: macOf(n), active: true },
    ansible_devices: {
      nvme0n1: {
        model: 'KCD6XLUL1T92',
        vendor: null,
        serial: diskSerialOf(n),
        rotational: '0',
        removable: '0',
        sectors: '3750748848',
        sectorsize: '512',
        size: '1.75 TB',
        virtual: 1,
        host: 'Non-Volatile memory controller: KIOXIA Corporation NVMe SSD Controller (rev 01)',
      },
      loop0: { model: null, sectors: '0', sectorsize: '512', size: '0.00 Bytes', virtual: 1 },
    },
    ...changes,
  };
}

export function ansibleReport(n: number, changes: Report = {}): Report {
  return { ansible_facts: ansibleFacts(n, changes), changed: false };
}
