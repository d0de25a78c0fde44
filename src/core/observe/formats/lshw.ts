/** Reads the output of `lshw -json`, a tree of parts. Only the user root sees all parts. */

import { isJsonObject, itemsIn, type Json, type JsonObject } from '../../model/json.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import { type Format, type Gpu, type Reading, weak } from '../format.ts';
import { busOfController, isPhysicalFunction } from '../observe-machine.ts';
import {
  clockInName,
  largest,
  number,
  numberAt,
  serial,
  serialAt,
  sumAt,
  text,
  textAt,
  textOf,
  valueAt,
} from '../read-values.ts';
import { vendorOf } from '../vendors.ts';

export const lshw: Format = {
  name: 'lshw',
  recognises: (report) => isJsonObject(report) && report['class'] === 'system' && Array.isArray(report['children']),
  machines: (report) => [machineIn(report)],
  uids: [text('root.configuration.uuid')],
  serials: [serial('root.serial')],
  names: [text('root.id')],
  node: {
    // Without DMI, lshw lists every processor that the kernel counts, not every socket.
    'architecture.smp_size': (machine) => (hasDmi(machine) ? cpusIn(machine).length || undefined : undefined),
    'architecture.smt_size': threadsOf,
    'processor.vendor': (machine) => withoutIds(textAt(cpusIn(machine)[0], 'vendor')),
    'processor.model': modelOf,
    'processor.clock_speed': clockInName(modelOf),
    'processor.cache_l3': (machine) =>
      weak(
        numberAt(
          nodesOf(machine, 'memory').find((each) => /^l3/i.test(textAt(each, 'slot') ?? '')),
          'size',
        ),
      ),
    'main_memory.ram_size': memoryIn,
    'chassis.manufacturer': text('root.vendor'),
    'chassis.name': text('root.product'),
    'chassis.serial': serial('root.serial'),
    'bios.vendor': text('firmware.vendor'),
    'bios.version': text('firmware.version'),
    'bios.release_date': text('firmware.date'),
  },
  gpus: gpusIn,
  storage_devices: {
    isComplete: (machine) => !nodesOf(machine, 'storage').some(isWithoutDisk),
    of: (machine) => partsOf(machine, 'disk').flatMap(diskIn),
    fields: {
      device: text('device'),
      size: number('disk.size'),
      interface: busOf,
      media_type: rotates,
      model: text('owner.product'),
      vendor: (part) => withoutIds(textAt(part, 'owner.vendor')),
      serial: serial('owner.serial'),
      wwn: serial('disk.configuration.wwid'),
      rev: text('owner.version'),
    },
  },
  network_adapters: {
    isComplete: true,
    of: (machine) => partsOf(machine, 'network').filter(isAdapter),
    fields: {
      device: (part) => namesOf(valueAt(part, 'node'))[0],
      mac: text('node.serial'),
      interface: () => undefined,
      // The capacity lacks the rates that this version of lshw does not know.
      rate: largest(number('node.capacity'), number('node.size')),
      vendor: (part) => withoutIds(text('node.vendor', 'parent.vendor')(part)),
      model: (part) => withoutIds(textAt(part, 'node.product')),
      driver: text('node.configuration.driver'),
    },
  },
};

/** Returns the parts of a machine by class. Each part includes its parent. */
function machineIn(root: Json): Json {
  const classes = new Map<string, Json[]>();
  let firmware: Json = null;
  const visit = (parent: JsonObject) => {
    for (const node of itemsIn(parent['children'])) {
      if (!isJsonObject(node)) continue;
      const { id, class: name } = node;
      if (id === 'firmware') firmware = node;
      if (typeof name === 'string') getOrCreate(classes, name, (): Json[] => []).push({ node, parent });
      visit(node);
    }
  };
  if (isJsonObject(root)) visit(root);
  return { root, firmware, classes: Object.fromEntries(classes) };
}

function partsOf(machine: Json, name: string): readonly Json[] {
  return itemsIn(valueAt(machine, `classes.${name}`));
}

function nodesOf(machine: Json, name: string): readonly Json[] {
  return partsOf(machine, name).map((part) => valueAt(part, 'node') ?? null);
}

function cpusIn(machine: Json): readonly Json[] {
  return nodesOf(machine, 'processor').filter((cpu) => valueAt(cpu, 'disabled') !== true);
}

/** DMI stores the threads of a processor in one byte, which is 255 if the processor has more threads. */
function threadsOf(machine: Json): number | undefined {
  const cpus = cpusIn(machine);
  return cpus.some((cpu) => numberAt(cpu, 'configuration.threads') === 255)
    ? undefined
    : sumAt(cpus, 'configuration.threads');
}

/** Below the PCI device of a virtio adapter, which has no MAC address, lshw lists the adapter with its address. */
function isAdapter(part: Json): boolean {
  const below = itemsIn(valueAt(part, 'node.children'));
  return (
    /^(pci|virtio)@/.test(textAt(part, 'node.businfo') ?? '') &&
    !below.some((each) => textAt(each, 'class') === 'network')
  );
}

function hasDmi(machine: Json): boolean {
  return text('root.vendor', 'firmware.version')(machine) !== undefined;
}

/** The lshw option -numeric appends ids to texts: `AD102GL [L40S] [10DE:26B9]`. */
function withoutIds(name: string | undefined): string | undefined {
  return name?.replace(/ \[[0-9a-f]{4}(:[0-9a-f]{4})?\]$/i, '');
}

/** The firmware of ARM servers writes the processor name into the version field. */
function modelOf(machine: Json): string | undefined {
  const [cpu] = cpusIn(machine);
  const product = textAt(cpu, 'product');
  return withoutIds(/^ARM/i.test(product ?? '') ? (textAt(cpu, 'version') ?? product) : product);
}

/**
 * Without DMI, the report lists no memory banks, and the size excludes memory that the kernel does not use. With DMI, the
 * size includes persistent memory, such as Optane modules, which is not main memory.
 */
function memoryIn(machine: Json): Reading {
  const memories = nodesOf(machine, 'memory').filter((node) =>
    /^system memory$/i.test(textAt(node, 'description') ?? ''),
  );
  const banksOf = (node: Json) => itemsIn(valueAt(node, 'children')).filter((bank) => numberAt(bank, 'size'));
  const sizeOf = (node: Json) => {
    const banks = banksOf(node);
    const volatile = banks.filter((bank) => !/non-volatile/i.test(textAt(bank, 'description') ?? ''));
    return (volatile.length === banks.length ? numberAt(node, 'size') : undefined) ?? sumAt(volatile, 'size') ?? 0;
  };
  const size = memories.reduce<number>((all, node) => all + sizeOf(node), 0) || undefined;
  return memories.some((node) => banksOf(node).length > 0) ? size : weak(size, 'kernel');
}

/** The vendor distinguishes GPUs from BMC display adapters, because lshw uses VGA in the names of both. */
const GPU_VENDORS = new Set(['NVIDIA', 'AMD', 'Intel']);

function gpusIn(machine: Json): readonly Gpu[] | undefined {
  const accelerators = nodesOf(machine, 'generic').filter(
    (node) => textAt(node, 'description') === 'Processing accelerators',
  );
  const displays = [...nodesOf(machine, 'display'), ...accelerators];
  // A report without display adapters and buses comes from a container, where lshw cannot see GPUs.
  if (displays.length + nodesOf(machine, 'bridge').length === 0) return undefined;
  return displays.flatMap((node) => {
    const vendor = vendorOf(withoutIds(textAt(node, 'vendor')) ?? '');
    const bus = textAt(node, 'businfo') ?? 'pci@0000:ff:00.0';
    const isIntegrated = vendor === 'Intel' && /^pci@\w+:00:/.test(bus);
    const isWanted = GPU_VENDORS.has(vendor) && !isIntegrated && isPhysicalFunction(bus);
    return isWanted ? [{ vendor, model: withoutIds(textAt(node, 'product')) }] : [];
  });
}

/** Matches the names of whole disks. `/dev/ng0n1`, `hwmon3` and `/dev/sr0` are not names of disks. */
const DISK_NAME = /^\/dev\/(sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|mmcblk\d+|nvme\d+n\d+)$/;

function namesOf(node: Json | undefined): string[] {
  const names = valueAt(node, 'logicalname');
  return (Array.isArray(names) ? itemsIn(names) : [names]).flatMap((name) => textOf(name, 'logicalname') ?? []);
}

/**
 * lshw lists the model of an NVMe disk at the controller, which is the parent of the disk. For a memory card, lshw
 * converts the serial number to a decimal number, and the vendor to a text such as `Unknown (21)`.
 */
function diskIn(part: Json): Json[] {
  const [disk = null, parent = null] = [valueAt(part, 'node'), valueAt(part, 'parent')];
  const device = namesOf(disk).find((name) => DISK_NAME.test(name));
  const isNamespace = /nvme/.test(device ?? '') && serialAt(disk, 'serial') === undefined;
  const ofCard = { product: valueAt(disk, 'product') ?? null };
  const owner = /mmc/.test(device ?? '') ? ofCard : isNamespace ? parent : disk;
  return device === undefined ? [] : [{ device, disk, parent, owner }];
}

/** Before version 02.19, lshw lists NVMe controllers, but not their disks. */
function isWithoutDisk(controller: Json): boolean {
  return valueAt(controller, 'capabilities.nvm_express') !== undefined && !hasDisk(controller);
}

/** Some versions of lshw list the NVMe device between the controller and its disks. */
function hasDisk(node: Json): boolean {
  return itemsIn(valueAt(node, 'children')).some((each) => textAt(each, 'class') === 'disk' || hasDisk(each));
}

/** lshw lists a USB disk below its USB device, and the medium in a removable drive below the drive. */
function busOf(part: Json): string | undefined {
  const isInRemovable = valueAt(part, 'parent.capabilities.removable') !== undefined;
  if (isInRemovable || textAt(part, 'parent.businfo')?.startsWith('usb@')) return 'usb';
  const bus = busOfController(textAt(part, 'parent.description') ?? '');
  return bus === 'sas' && textAt(part, 'disk.description') === 'ATA Disk' ? 'sata' : bus;
}

/** Whether a capability such as `7200rpm` shows that the disk rotates. Undefined without this capability. */
function rotates(part: Json): boolean | undefined {
  const capabilities = valueAt(part, 'disk.capabilities');
  return isJsonObject(capabilities) && Object.keys(capabilities).some((name) => /^\d+rpm$/.test(name))
    ? true
    : undefined;
}
