/** Reads inventories from ironic (`baremetal node inventory save`), and data from ironic-inspector. */
import { isJsonObject, itemsIn, type Json, setOwn } from '../../model/json.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import { cacheSize } from '../caches.ts';
import type { Format, Hints, Reading } from '../format.ts';
import { busInPath, isGpu } from '../observe-machine.ts';
import { pciId } from '../pci-ids.ts';
import * as read from '../read-values.ts';

const { first, number, serial, text, textAt } = read;

const MIB = 2 ** 20;
const MODEL = text('inventory.cpu.model_name', 'cpu.Version');
const SERIAL = serial('inventory.system_vendor.serial_number');
/** The volumes of one RAID controller have the same `wwn`. Only the extension differs. */
const WWN = first(serial('part.wwn_with_extension'), serial('part.wwn'));
const cache = (level: 'l1d' | 'l1i' | 'l2' | 'l3') => (machine: Json) =>
  cacheSize(text(`extra.cpu.physical_0.${level} cache`, `extra.cpu.physical_0.${level}`)(machine), level);

export const ironic: Format = {
  name: 'ironic',
  recognises: (report) => isInventory(report) || (isJsonObject(report) && isInventory(report['inventory'])),
  machines: (report) => [machineIn(report)],
  serials: [SERIAL],
  // Ignores the default host names of the agent's own operating system, such as `host-10-0-0-5`.
  names: [
    (machine) =>
      textAt(machine, 'inventory.hostname')?.replace(
        /^(host(-[0-9a-f]*){4,}(\.|$)|ubuntu$|tinyipa|ironic-python-agent).*/,
        '',
      ) || undefined,
  ],
  node: {
    'architecture.platform_type': text('inventory.cpu.architecture'),
    'architecture.smp_size': first(
      number('inventory.cpu.socket_count'),
      number('sockets'),
      number('extra.cpu.physical.number'),
    ),
    'architecture.smt_size': number('inventory.cpu.count'),
    'processor.vendor': text('cpu.Manufacturer', 'extra.cpu.physical_0.vendor'),
    'processor.model': MODEL,
    'processor.instruction_set': text('inventory.cpu.architecture'),
    'processor.clock_speed': first((machine) => read.quantityAt(machine, 'cpu.Current Speed'), read.clockInName(MODEL)),
    'processor.cache_l1d': cache('l1d'),
    'processor.cache_l1i': cache('l1i'),
    'processor.cache_l2': cache('l2'),
    'processor.cache_l3': cache('l3'),
    'main_memory.ram_size': first(
      number('inventory.memory.physical_mb', MIB),
      number('extra.memory.total.size'),
      read.weakly(number('inventory.memory.total'), 'kernel'),
    ),
    'fpga.board_vendor': text('fpga.vendor'),
    'fpga.board_model': read.pciModel('fpga.vendor_id', 'fpga.product_id'),
    'chassis.manufacturer': text('inventory.system_vendor.manufacturer'),
    'chassis.name': text('inventory.system_vendor.product_name'),
    'chassis.serial': SERIAL,
    'bios.vendor': text('inventory.system_vendor.firmware.vendor', 'bios.Vendor'),
    'bios.version': text('inventory.system_vendor.firmware.version', 'bios.Version'),
    'bios.release_date': text('inventory.system_vendor.firmware.build_date', 'bios.Release Date'),
    boot_mode: text('inventory.boot.current_boot_mode'),
  },
  gpus: (machine, hints) =>
    read
      .itemsAt(machine, 'pci')
      ?.filter((device) =>
        isGpu(textAt(device, 'class') ?? '', textAt(device, 'vendor_id') ?? '', textAt(device, 'bus')),
      )
      .map((device) => ({
        vendor: textAt(device, 'vendor_id'),
        model: read.pciModel('vendor_id', 'product_id')(device, hints),
      })),
  storage_devices: {
    isComplete: true,
    of: (machine) => withDetails(machine, 'disk', 'inventory.disks'),
    fields: {
      device: text('part.name'),
      size: number('part.size'),
      interface: (disk) => textAt(disk, 'part.tran') ?? busInPath(textAt(disk, 'part.by_path')),
      media_type: read.flag('part.rotational'),
      model: text('part.model'),
      vendor: text('part.vendor'),
      serial: serialOfDisk,
      wwn: WWN,
      rev: text('detail.SMART/firmware_version', 'detail.rev'),
    },
  },
  network_adapters: {
    isComplete: true,
    of: (machine) => withDetails(machine, 'network', 'inventory.interfaces'),
    fields: {
      device: text('part.name'),
      mac: addressOf,
      interface: () => undefined,
      rate: read.largest(number('part.speed_mbps', 1e6), number('detail.capacity')),
      vendor: first(text('detail.vendor'), read.pciVendor('part.vendor')),
      model: first(text('detail.product'), read.pciModel('part.vendor', 'part.product')),
      driver: text('part.driver', 'detail.driver'),
    },
  },
};

function isInventory(value: Json | undefined): boolean {
  return isJsonObject(value) && Array.isArray(value['disks']) && Array.isArray(value['interfaces']);
}

/** The agent reports the WWN of a SCSI disk also as its serial number. Other tools report the real serial number. */
function serialOfDisk(disk: Json, hints: Hints): Reading {
  const stated = read.serialAt(disk, 'part.serial');
  return WWN(disk, hints) === `0x${stated}` ? undefined : stated;
}

/** The agent shortens the address of an InfiniBand adapter. The client id of the adapter ends in the GUID of its port. */
function addressOf(part: Json): string | undefined {
  return read.macOf(textAt(part, 'part.client_id')) ?? textAt(part, 'part.mac_address');
}

/** Converts all forms of the inventory to one form. The key of a collector that did not run is omitted. */
function machineIn(report: Json): Json {
  const plugins = read.valueAt(report, 'plugin_data') ?? report;
  const cpus = read
    .itemsAt(plugins, 'dmi.cpu')
    ?.filter((each) => /^populated/i.test(textAt(each, 'Status') ?? 'populated'));
  const pci = read.itemsAt(plugins, 'pci_devices');
  const fpga = pci?.find(
    (each) => textAt(each, 'class')?.startsWith('1200') && pciId(textAt(each, 'vendor_id') ?? '') === '10ee',
  );
  return {
    inventory: read.valueAt(report, 'inventory') ?? report,
    extra: read.valueAt(plugins, 'extra') ?? nested(read.valueAt(plugins, 'data')),
    bios: read.valueAt(plugins, 'dmi.bios') ?? null,
    ...(cpus?.[0] ? { cpu: cpus[0], sockets: cpus.length } : {}),
    // An empty list means that the collector found nothing, not that the machine has no GPUs.
    ...(pci && pci.length > 0 ? { pci } : {}),
    ...(fpga ? { fpga: { ...fpga, vendor: 'Xilinx' } } : {}),
  };
}

/** Converts the raw list of the collector to nested mappings. A list item is `[section, item, key, value]`. */
function nested(data: Json | undefined): Json {
  const sections = new Map<string, Map<string, Record<string, Json>>>();
  for (const row of itemsIn(data)) {
    const [section, item, key, value = null] = itemsIn(row);
    if (typeof section !== 'string' || typeof item !== 'string' || typeof key !== 'string') continue;
    const items = getOrCreate(sections, section, () => new Map<string, Record<string, Json>>());
    setOwn(
      getOrCreate(items, item, () => ({})),
      key,
      value,
    );
  }
  return Object.fromEntries([...sections].map(([section, items]) => [section, Object.fromEntries(items)]));
}

/** Adds the details of the collector `extra-hardware` to each part of an inventory list. */
function withDetails(machine: Json, section: string, list: string): readonly Json[] | undefined {
  const details = new Map(read.entriesAt(machine, `extra.${section}`));
  return read.itemsAt(machine, list)?.map((part) => {
    const name = textAt(part, 'name')?.replace(/^\/dev\//, '') ?? '';
    return { part, detail: details.get(name) ?? null };
  });
}
