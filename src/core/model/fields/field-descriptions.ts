/** Describes fields for schemas, the data dictionary and exports. The keys are paths without array positions. */
import { unitOfField } from '../units.ts';

export interface FieldDescription {
  readonly text: string;
  readonly unit?: string;
  /** The standard or the program that defines the field. */
  readonly source?: string;
}

type Row = string | readonly [text: string, source: string];
type Rows = Readonly<Record<string, Row>>;

const SPECIFICATION = 'the specification of the API';
const SMBIOS = {
  firmware: 'SMBIOS, type 0 (firmware)',
  system: 'SMBIOS, type 1 (system)',
  memory: 'SMBIOS, type 17 (memory device)',
} as const;
const LSPCI = 'lspci';
const LSCPU = 'lscpu';
const ETHTOOL = 'ethtool';
const LSBLK = 'lsblk';
const OPENSTACK = 'OpenStack Compute';

const identity = (kind: string): Rows => ({
  type: [`The kind of the resource: \`${kind}\`.`, SPECIFICATION],
  uid: [`The identifier of the ${kind}, used in paths.`, SPECIFICATION],
});

const GRID: Rows = { ...identity('grid'), uid: ['The identifier of the testbed.', SPECIFICATION] };

const SITE: Rows = {
  ...identity('site'),
  name: ['The name of the site.', SPECIFICATION],
  description: ['A description of the site.', SPECIFICATION],
  location: ['The city and country of the site.', SPECIFICATION],
  latitude: ['The latitude in decimal degrees. South is negative.', 'WGS 84'],
  longitude: ['The longitude in decimal degrees. West is negative.', 'WGS 84'],
  web: ['The URL of the web page of the site.', SPECIFICATION],
  email_contact: ['The general contact address.', SPECIFICATION],
  security_contact: ['The contact for security incidents.', SPECIFICATION],
  sys_admin_contact: ['The contact of the system administrators.', SPECIFICATION],
  user_support_contact: ['The contact for user support.', SPECIFICATION],
  site_class: ['The class of the site: `baremetal` (nodes in one cluster), edge or kvm.', SPECIFICATION],
};

const CLUSTER: Rows = {
  ...identity('cluster'),
  created_at: 'The date on which the cluster entered service.',
  model: 'The model of the nodes.',
  queues: 'The scheduler queues through which users can reserve the cluster.',
  exotic: 'Whether the cluster is unusual, so that users must request it explicitly.',
};

const FLAVOR: Rows = {
  ...identity('flavor'),
  type: ['The kind of the resource: `flavor` or `vm_flavor`.', SPECIFICATION],
  name: 'The name of the flavor.',
  description: 'The intended use of the flavor.',
  vcpus: ['The number of virtual processors.', OPENSTACK],
  ram: ['The size of the memory.', OPENSTACK],
  ram_size: ['The size of the memory.', OPENSTACK],
  humanized_ram_size: 'The size of the memory as text with a unit.',
  disk: ['The size of the disk.', OPENSTACK],
  disk_size: ['The size of the disk.', OPENSTACK],
  humanized_disk_size: 'The size of the disk as text with a unit.',
  gpu: 'The graphics processors (GPUs) of a virtual machine.',
  'gpu.gpu': 'Whether the virtual machine has GPUs.',
  'gpu.gpu_count': 'The number of GPUs.',
  'gpu.gpu_allocation': 'Whether the virtual machine gets whole GPUs or parts of GPUs.',
  'gpu.gpu_mig_profile': ['The profile of a part of a GPU.', 'NVIDIA Multi-Instance GPU'],
  openstack_properties: ['The properties that the scheduler requires of a host (extra specs), by name.', OPENSTACK],
  su_cost_per_hour: 'The price of one hour, in service units of the testbed.',
};

const NODE: Rows = {
  ...identity('node'),
  uid: ['The identifier of the node in reservations, paths and metrics.', SPECIFICATION],
  node_name: 'The name of the node. A replacement node can get the same name.',
  node_type: 'The type of the node. Nodes of one type have the same hardware, except after repairs.',
  admin_note: 'A note from the operators to users.',
  boot_mode: 'The boot mode of the firmware: `uefi` or `bios`.',
  infiniband: 'Whether the node has an InfiniBand connection.',

  architecture: 'A summary of the processors.',
  'architecture.platform_type': ['The instruction set, such as `x86_64` or `aarch64`.', 'uname -m'],
  'architecture.smp_size': ['The number of processors (sockets).', LSCPU],
  'architecture.smt_size': ['The number of hardware threads of all processors.', LSCPU],
  'architecture.nb_procs': ['The number of processors (sockets).', LSCPU],
  'architecture.nb_cores': ['The number of cores of all processors.', LSCPU],
  'architecture.nb_threads': ['The number of hardware threads of all processors.', LSCPU],

  bios: 'The system firmware.',
  'bios.vendor': ['The vendor of the firmware.', SMBIOS.firmware],
  'bios.version': ['The version of the firmware.', SMBIOS.firmware],
  'bios.release_date': ['The release date of the firmware version, in the format of its vendor.', SMBIOS.firmware],
  bmc_version: ['The firmware version of the baseboard management controller.', 'ipmitool mc info'],

  chassis: 'The machine as a product.',
  'chassis.manufacturer': ['The manufacturer of the machine.', SMBIOS.system],
  'chassis.name': ['The model of the machine.', SMBIOS.system],
  'chassis.product_name': ['The model of the machine.', SMBIOS.system],
  'chassis.serial': ['The serial number of the machine.', SMBIOS.system],
  'chassis.serial_number': ['The serial number of the machine.', SMBIOS.system],
  'chassis.manufactured_at': 'The date of manufacture.',
  'chassis.warranty_end': 'The last day of the warranty.',

  main_memory: 'The main memory.',
  'main_memory.ram_size': 'The size of the memory. Some tools exclude memory that the firmware reserves.',
  'main_memory.humanized_ram_size': 'The size of the memory as text with a unit.',
  'main_memory.humanized_ram_size.value': 'The number of the size, without its unit.',
  'main_memory.humanized_ram_size.unit': 'The unit of the size.',
  'main_memory.pmem_size': 'The size of the persistent memory.',
  memory_devices: ['The memory modules.', SMBIOS.memory],
  'memory_devices.size': ['The capacity of the module.', SMBIOS.memory],
  'memory_devices.technology': ['The technology of the module, such as `dram`.', SMBIOS.memory],
  'memory_devices.firmware': ['The firmware version of the module.', SMBIOS.memory],

  processor: 'The processor model. All processors of a node are identical.',
  'processor.vendor': ['The vendor of the processor.', LSCPU],
  'processor.model': ['The model or, in some registries, the processor family.', LSCPU],
  'processor.version': ['The model number.', LSCPU],
  'processor.other_description': ['The full name of the model.', LSCPU],
  'processor.microarchitecture': 'The name of the processor generation.',
  'processor.microcode': ['The version of the microcode.', '/proc/cpuinfo'],
  'processor.instruction_set': ['The instruction set.', LSCPU],
  'processor.clock_speed': ['The nominal clock frequency.', LSCPU],
  'processor.ht_capable': ['Whether a core can run several threads.', LSCPU],
  'processor.cache_l1': ['The size of the level 1 cache.', LSCPU],
  'processor.cache_l1d': ['The size of the level 1 data cache.', LSCPU],
  'processor.cache_l1i': ['The size of the level 1 instruction cache.', LSCPU],
  'processor.cache_l2': ['The size of the level 2 cache.', LSCPU],
  'processor.cache_l3': ['The size of the level 3 cache.', LSCPU],

  gpu: 'The graphics processors (GPUs).',
  'gpu.gpu': 'Whether the node has GPUs.',
  'gpu.gpu_count': 'The number of GPUs.',
  'gpu.gpu_model': ['The GPU model: the chip, followed by the product name in brackets.', LSPCI],
  'gpu.gpu_name': ['The product name of the GPUs.', LSPCI],
  'gpu.gpu_vendor': ['The vendor of the GPUs.', LSPCI],
  gpu_devices: 'The graphics processors (GPUs), by device name.',
  fpga: 'The programmable card (FPGA).',
  'fpga.board_model': 'The model of the card.',
  'fpga.board_vendor': 'The vendor of the card.',
  'fpga.fpga_model': 'The model of the chip.',
  'fpga.fpga_vendor': 'The vendor of the chip.',

  network_adapters: 'The network interfaces.',
  'network_adapters.device': ['The name of the interface in the operating system.', 'ip link'],
  'network_adapters.name': ['An alternative name of the interface.', 'ip link'],
  'network_adapters.driver': ['The kernel driver.', ETHTOOL],
  'network_adapters.enabled': 'Whether the interface is connected and usable.',
  'network_adapters.bridged': 'Whether virtual machines on the node can use the interface.',
  'network_adapters.management': 'Whether the interface is reserved for the management controller.',
  'network_adapters.mounted': 'Whether the standard operating system uses the interface.',
  'network_adapters.mountable': 'Whether an operating system can use the interface.',
  'network_adapters.interface': 'The network technology, such as Ethernet or InfiniBand.',
  'network_adapters.mac': ['The MAC address.', 'IEEE 802 (EUI-48)'],
  'network_adapters.guid': ['The InfiniBand GUID.', 'InfiniBand Architecture (EUI-64)'],
  'network_adapters.ip': ['The IPv4 address.', 'RFC 791'],
  'network_adapters.ip6': ['The IPv6 address.', 'RFC 4291'],
  'network_adapters.model': ['The model of the adapter.', LSPCI],
  'network_adapters.vendor': ['The vendor of the adapter.', LSPCI],
  'network_adapters.version': ['The model number.', LSPCI],
  'network_adapters.firmware_version': ['The firmware version of the adapter.', ETHTOOL],
  'network_adapters.rate': ['The maximum data rate.', ETHTOOL],
  'network_adapters.switch': 'The switch at the other end of the cable.',
  'network_adapters.switch_port': 'The port of the switch.',
  'network_adapters.network_address': 'The DNS name of the interface.',

  storage_devices: 'The disks.',
  'storage_devices.device': ['The name of the disk in the operating system.', LSBLK],
  'storage_devices.by_id': ['The persistent device name by identifier.', 'udev'],
  'storage_devices.by_path': ['The persistent device name by connection.', 'udev'],
  'storage_devices.driver': ['The kernel driver.', 'lshw'],
  'storage_devices.interface': 'The interface of the disk, such as SATA, SAS or PCIe.',
  'storage_devices.media_type': 'The type of the disk: SSD, or HDD (also written Rotational).',
  'storage_devices.storage': 'The type of the disk: SSD or HDD.',
  'storage_devices.model': ['The model of the disk.', 'smartctl'],
  'storage_devices.vendor': ['The vendor of the disk.', 'smartctl'],
  'storage_devices.rev': ['The firmware version of the disk.', 'smartctl'],
  'storage_devices.firmware_version': ['The firmware version of the disk.', 'smartctl'],
  'storage_devices.serial': ['The serial number of the disk.', 'smartctl'],
  'storage_devices.wwn': [
    'The World Wide Name, a globally unique identifier.',
    'INCITS T10 (NAA), NVM Express (EUI-64)',
  ],
  'storage_devices.size': ['The capacity of the disk.', LSBLK],
  'storage_devices.humanized_size': 'The capacity of the disk as text with a unit.',
  'storage_devices.humanized_size.value': 'The number of the size, without its unit.',
  'storage_devices.humanized_size.unit': 'The unit of the size.',
  'storage_devices.reservation': 'Whether users can reserve the disk separately.',

  monitoring: 'The measurements of the node.',
  'monitoring.wattmeter': 'Whether a wattmeter measures the power consumption.',
  'monitoring.metric': 'The name of the metric.',
  operating_system: 'The operating system at the time of the inspection.',
  'operating_system.name': ['The name of the distribution.', 'os-release'],
  'operating_system.version': ['The version of the distribution.', 'os-release'],
  'operating_system.kernel': ['The version of the kernel.', 'uname -r'],
  placement: 'The position of the node.',
  'placement.rack': 'The rack.',
  'placement.node': 'The position in the rack.',
  supported_job_types: 'The job types that the node supports.',
  'supported_job_types.deploy': 'Whether users can install their own operating system.',
  'supported_job_types.besteffort': 'Whether the node accepts best-effort jobs, which yield to all other jobs.',
  'supported_job_types.virtual': 'The hardware virtualization of the processors: `ivt` (Intel) or `amd-v` (AMD).',
  'supported_job_types.queues': 'The scheduler queues through which users can reserve the node.',
  'supported_job_types.max_walltime': 'The maximum duration of a reservation in seconds. 0 means unlimited.',
  nodeset: 'The group of nodes in the cluster that were purchased together.',
  exotic: 'Whether the node is unusual, so that users must request it explicitly.',
  'performance.core_flops': ['Floating-point operations per second of one core.', 'HPL'],
  'performance.node_flops': ['Floating-point operations per second of the node.', 'HPL'],
  pdu: 'The power distribution units that supply the node.',
  'pdu.uid': 'The identifier of the power distribution unit.',
  'pdu.port': 'The outlet of the power distribution unit.',
};

const ROWS: Readonly<Record<string, Rows>> = {
  grid: GRID,
  site: SITE,
  cluster: CLUSTER,
  node: NODE,
  flavor: FLAVOR,
  server: identity('server'),
  pdu: identity('pdu'),
  network_equipment: identity('network_equipment'),
  environment: identity('environment'),
};

function rowsOf(kind: string): Rows {
  return (Object.hasOwn(ROWS, kind) ? ROWS[kind] : undefined) ?? {};
}

const UNITS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  site: { latitude: 'deg', longitude: 'deg' },
  flavor: { ram: 'MiB', ram_size: 'B', disk: 'GiB', disk_size: 'B' },
};

export function describedField(kind: string, path: readonly string[]): Partial<FieldDescription> | undefined {
  const name = path.join('.');
  const rows = rowsOf(kind);
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  const [text, source] = typeof row === 'string' ? [row] : (row ?? []);
  const unit = kind === 'node' ? unitOfField(path) : UNITS[kind]?.[name];
  if (text === undefined && unit === undefined) return undefined;
  return {
    ...(text === undefined ? {} : { text }),
    ...(unit === undefined ? {} : { unit }),
    ...(source === undefined ? {} : { source }),
  };
}

export function describedFields(kind: string): string[] {
  return Object.keys(rowsOf(kind));
}

export function describedBelow(kind: string, path: readonly string[]): string[] {
  const paths = Object.keys(rowsOf(kind)).map((name) => name.split('.'));
  return paths
    .filter((each) => each.length === path.length + 1 && path.every((name, i) => each[i] === name))
    .flatMap((each) => each.slice(-1));
}
