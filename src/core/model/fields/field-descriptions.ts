/**
 * What the fields of resources say, in words: those of the specification of the API, and those that the registries of its
 * family have. Schemas, the data dictionary and the exports take their words from here. A field is named by the way to
 * it, without positions in arrays.
 */
import { unitOfField } from '../units.ts';

export interface FieldDescription {
  readonly text: string;
  readonly unit?: string;
  /** The standard, or the program, whose term it is. */
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
  uid: [`What the ${kind} is known by; it stands in paths.`, SPECIFICATION],
});

const GRID: Rows = { ...identity('grid'), uid: ['What the testbed is known by.', SPECIFICATION] };

const SITE: Rows = {
  ...identity('site'),
  name: ['What the site is called.', SPECIFICATION],
  description: ['What there is at the site.', SPECIFICATION],
  location: ['Where it is, in words.', SPECIFICATION],
  latitude: ['How far north it is, in decimal degrees; south is negative.', 'WGS 84'],
  longitude: ['How far east it is, in decimal degrees; west is negative.', 'WGS 84'],
  web: ['Its page on the web.', SPECIFICATION],
  email_contact: ['Whom to write to.', SPECIFICATION],
  security_contact: ['Whom to tell of security incidents.', SPECIFICATION],
  sys_admin_contact: ['Who runs it.', SPECIFICATION],
  user_support_contact: ['Who helps its users.', SPECIFICATION],
  site_class: ['`baremetal` has nodes behind one cluster; also seen: edge, kvm.', SPECIFICATION],
};

const CLUSTER: Rows = {
  ...identity('cluster'),
  created_at: 'When it was taken into service.',
  model: 'The model that its nodes have.',
  queues: 'The queues of the scheduler through which it can be reserved.',
  exotic: 'Whether it is so unlike others that it must be asked for.',
};

const FLAVOR: Rows = {
  ...identity('flavor'),
  type: ['The kind of the resource: `flavor`, or `vm_flavor`.', SPECIFICATION],
  name: 'What the flavor is called.',
  description: 'What it is for.',
  vcpus: ['How many virtual processors a machine has.', OPENSTACK],
  ram: ['How much memory a machine has.', OPENSTACK],
  ram_size: ['How much memory a machine has.', OPENSTACK],
  humanized_ram_size: 'How much memory a machine has, for people.',
  disk: ['How much disk a machine has.', OPENSTACK],
  disk_size: ['How much disk a machine has.', OPENSTACK],
  humanized_disk_size: 'How much disk a machine has, for people.',
  gpu: 'What a machine has of graphics processors (GPUs).',
  'gpu.gpu': 'Whether it has any.',
  'gpu.gpu_count': 'How many it has.',
  'gpu.gpu_allocation': 'Whether it has them whole, or parts of them.',
  'gpu.gpu_mig_profile': ['Which part of a GPU it has.', 'NVIDIA Multi-Instance GPU'],
  openstack_properties: ['What the scheduler looks for in hosts, by names (extra specs).', OPENSTACK],
  su_cost_per_hour: 'What an hour of a machine costs, in the service units of the testbed.',
};

const NODE: Rows = {
  ...identity('node'),
  uid: ['What the node is known by: it is needed to reserve it, and names it in metrics.', SPECIFICATION],
  node_name: 'What people call it. It can pass to another node when hardware is replaced.',
  node_type: 'Nodes of one type have the same hardware, but for repairs.',
  admin_note: 'What operators tell users about it.',
  boot_mode: 'How its firmware starts systems: `uefi` or `bios`.',
  infiniband: 'Whether it has a connection to InfiniBand.',

  architecture: 'Its processors in short.',
  'architecture.platform_type': ['The instruction set: `x86_64`, `aarch64`.', 'uname -m'],
  'architecture.smp_size': ['How many processors (sockets) it has.', LSCPU],
  'architecture.smt_size': ['How many threads all its processors run at once.', LSCPU],
  'architecture.nb_procs': ['How many processors (sockets) it has.', LSCPU],
  'architecture.nb_cores': ['How many cores all its processors have.', LSCPU],
  'architecture.nb_threads': ['How many threads all its processors run at once.', LSCPU],

  bios: 'The firmware that starts it.',
  'bios.vendor': ['Who made the firmware.', SMBIOS.firmware],
  'bios.version': ['The version of the firmware.', SMBIOS.firmware],
  'bios.release_date': ['When that version was released, as its maker writes dates.', SMBIOS.firmware],
  bmc_version: ['The version of the firmware of its management controller.', 'ipmitool mc info'],

  chassis: 'The machine as it was sold.',
  'chassis.manufacturer': ['Who made the machine.', SMBIOS.system],
  'chassis.name': ['The model of the machine.', SMBIOS.system],
  'chassis.product_name': ['The model of the machine.', SMBIOS.system],
  'chassis.serial': ['The serial number of the machine.', SMBIOS.system],
  'chassis.serial_number': ['The serial number of the machine.', SMBIOS.system],
  'chassis.manufactured_at': 'When it was made.',
  'chassis.warranty_end': 'Until when its maker repairs it.',

  main_memory: 'Its memory.',
  'main_memory.ram_size': 'How much memory there is; some tools leave out what the firmware keeps for itself.',
  'main_memory.humanized_ram_size': 'The same in words.',
  'main_memory.humanized_ram_size.value': 'The number of its size in words.',
  'main_memory.humanized_ram_size.unit': 'The unit of its size in words.',
  'main_memory.pmem_size': 'How much persistent memory there is.',
  memory_devices: ['The memory modules.', SMBIOS.memory],
  'memory_devices.size': ['How much the module holds.', SMBIOS.memory],
  'memory_devices.technology': ['What the module is made of, such as `dram`.', SMBIOS.memory],
  'memory_devices.firmware': ['The version of its firmware.', SMBIOS.memory],

  processor: 'A processor; all of a node are alike.',
  'processor.vendor': ['Who made it.', LSCPU],
  'processor.model': ['The model, in some registries only its family.', LSCPU],
  'processor.version': ['The number of the model.', LSCPU],
  'processor.other_description': ['The whole name of the model.', LSCPU],
  'processor.microarchitecture': 'The name that its maker has for the generation.',
  'processor.microcode': ['The version of its microcode.', '/proc/cpuinfo'],
  'processor.instruction_set': ['The instruction set.', LSCPU],
  'processor.clock_speed': ['The clock that its maker states.', LSCPU],
  'processor.ht_capable': ['Whether its cores can run several threads.', LSCPU],
  'processor.cache_l1': ['The size of its first cache.', LSCPU],
  'processor.cache_l1d': ['The size of its first cache for data.', LSCPU],
  'processor.cache_l1i': ['The size of its first cache for instructions.', LSCPU],
  'processor.cache_l2': ['The size of its second cache.', LSCPU],
  'processor.cache_l3': ['The size of its third cache.', LSCPU],

  gpu: 'Its graphics processors (GPUs).',
  'gpu.gpu': 'Whether it has any.',
  'gpu.gpu_count': 'How many it has.',
  'gpu.gpu_model': ['Their model: chip, and in brackets the name under which it is sold.', LSPCI],
  'gpu.gpu_name': ['The name under which they are sold.', LSPCI],
  'gpu.gpu_vendor': ['Who made them.', LSPCI],
  gpu_devices: 'Its graphics processors by device.',
  fpga: 'Its programmable card (FPGA).',
  'fpga.board_model': 'The model of the card.',
  'fpga.board_vendor': 'Who made the card.',
  'fpga.fpga_model': 'The model of the chip.',
  'fpga.fpga_vendor': 'Who made the chip.',

  network_adapters: 'Its network interfaces.',
  'network_adapters.device': ['What the system calls the interface.', 'ip link'],
  'network_adapters.name': ['Another name of the interface.', 'ip link'],
  'network_adapters.driver': ['The driver of the kernel.', ETHTOOL],
  'network_adapters.enabled': 'Whether it is connected and can be used.',
  'network_adapters.bridged': 'Whether machines on the node reach the network through it.',
  'network_adapters.management': 'Whether it is for the management controller alone.',
  'network_adapters.mounted': 'Whether the system of the operators used it.',
  'network_adapters.mountable': 'Whether a system can use it.',
  'network_adapters.interface': 'Which kind of network it is for: Ethernet, InfiniBand.',
  'network_adapters.mac': ['Its address.', 'IEEE 802 (EUI-48)'],
  'network_adapters.guid': ['Its address in InfiniBand.', 'InfiniBand Architecture (EUI-64)'],
  'network_adapters.ip': ['Its address of IPv4.', 'RFC 791'],
  'network_adapters.ip6': ['Its address of IPv6.', 'RFC 4291'],
  'network_adapters.model': ['The model of the adapter.', LSPCI],
  'network_adapters.vendor': ['Who made the adapter.', LSPCI],
  'network_adapters.version': ['The number of the model.', LSPCI],
  'network_adapters.firmware_version': ['The version of its firmware.', ETHTOOL],
  'network_adapters.rate': ['How fast it is at most.', ETHTOOL],
  'network_adapters.switch': 'The switch that it is connected to.',
  'network_adapters.switch_port': 'The port of that switch.',
  'network_adapters.network_address': 'Its name in the domain name system.',

  storage_devices: 'Its disks.',
  'storage_devices.device': ['What the system calls the disk.', LSBLK],
  'storage_devices.by_id': ['The name that the system makes of its identifiers.', 'udev'],
  'storage_devices.by_path': ['The name that the system makes of its connection.', 'udev'],
  'storage_devices.driver': ['The driver of the kernel.', 'lshw'],
  'storage_devices.interface': 'How it is connected: SATA, SAS, PCIe.',
  'storage_devices.media_type': 'Whether it is solid (SSD) or turns (HDD, Rotational).',
  'storage_devices.storage': 'Whether it is solid (SSD) or turns (HDD).',
  'storage_devices.model': ['The model of the disk.', 'smartctl'],
  'storage_devices.vendor': ['Who made it.', 'smartctl'],
  'storage_devices.rev': ['The version of its firmware.', 'smartctl'],
  'storage_devices.firmware_version': ['The version of its firmware.', 'smartctl'],
  'storage_devices.serial': ['Its serial number.', 'smartctl'],
  'storage_devices.wwn': ['Its name in the world.', 'INCITS T10 (NAA), NVM Express (EUI-64)'],
  'storage_devices.size': ['How much it holds.', LSBLK],
  'storage_devices.humanized_size': 'The same in words.',
  'storage_devices.humanized_size.value': 'The number of its size in words.',
  'storage_devices.humanized_size.unit': 'The unit of its size in words.',
  'storage_devices.reservation': 'Whether it can be reserved by itself.',

  monitoring: 'What is measured of it.',
  'monitoring.wattmeter': 'Whether its power is measured.',
  'monitoring.metric': 'The name of what is measured.',
  operating_system: 'The system that it ran when it was inspected.',
  'operating_system.name': ['Its distribution.', 'os-release'],
  'operating_system.version': ['The version of the distribution.', 'os-release'],
  'operating_system.kernel': ['The version of the kernel.', 'uname -r'],
  placement: 'Where it stands.',
  'placement.rack': 'The rack.',
  'placement.node': 'Its place in the rack.',
  supported_job_types: 'What can be done with it.',
  'supported_job_types.deploy': 'Whether users can install a system of their own.',
  'supported_job_types.besteffort': 'Whether jobs may run that give way to any other.',
  'supported_job_types.virtual': 'The support of its processors for virtual machines: `ivt` of Intel, `amd-v` of AMD.',
  'supported_job_types.queues': 'The queues of the scheduler through which it can be reserved.',
  'supported_job_types.max_walltime': 'For how many seconds it can be reserved; 0 for any time.',
  nodeset: 'The part of the cluster that was bought together.',
  exotic: 'Whether it is so unlike others that it must be asked for.',
  'performance.core_flops': ['Operations on numbers per second, of a core.', 'HPL'],
  'performance.node_flops': ['Operations on numbers per second, of the node.', 'HPL'],
  pdu: 'The power distribution units that feed it.',
  'pdu.uid': 'The unit.',
  'pdu.port': 'Its outlet.',
};

/** By the names of kinds. The schemas of kinds that are not here say themselves what their fields are. */
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

/** The units of other kinds' numbers. */
const UNITS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  site: { latitude: 'deg', longitude: 'deg' },
  flavor: { ram: 'MiB', ram_size: 'B', disk: 'GiB', disk_size: 'B' },
};

/** What a field says, or at least its unit; undefined where neither is known. */
export function describedField(kind: string, way: readonly string[]): Partial<FieldDescription> | undefined {
  const name = way.join('.');
  const rows = rowsOf(kind);
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  const [text, source] = typeof row === 'string' ? [row] : (row ?? []);
  const unit = kind === 'node' ? unitOfField(way) : UNITS[kind]?.[name];
  if (text === undefined && unit === undefined) return undefined;
  return {
    ...(text === undefined ? {} : { text }),
    ...(unit === undefined ? {} : { unit }),
    ...(source === undefined ? {} : { source }),
  };
}

/** The names of the fields directly below one, or below the top, that are described in words. */
export function describedBelow(kind: string, way: readonly string[]): string[] {
  const ways = Object.keys(rowsOf(kind)).map((name) => name.split('.'));
  return ways
    .filter((each) => each.length === way.length + 1 && way.every((name, i) => each[i] === name))
    .flatMap((each) => each.slice(-1));
}
