/** Reads a machine with the functions of its report format. Converts the values to the form of registry files. */
import { fail, finding } from '../diagnostics/finding.ts';
import type { Json } from '../model/json.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { isPlaceholder } from '../registry/fleet/placeholders.ts';
import {
  common,
  type Fields,
  type Format,
  type Gpu,
  type Hints,
  type Machine,
  PART_LISTS,
  type PartList,
  plain,
  type Reader,
  type Reading,
  type Readings,
  weak,
} from './format.ts';
import { pciId } from './pci-ids.ts';
import { dateOf, MOST_PARTS, macOf } from './read-values.ts';
import { vendorOf } from './vendors.ts';

export function observeMachine(format: Format, report: Json, hints: Hints): Machine {
  const texts = (readers: readonly Reader[] = []) =>
    readers.map((read) => read(report, hints)).filter((value) => typeof value === 'string');
  const gpus = format.gpus?.(report, hints);
  const node = { ...readFields(format.node, report, hints), ...(gpus ? gpuFields(gpus) : {}) };
  const partsOf = (list: PartList) => {
    const parts = format[list]?.of(report);
    if (parts && parts.length > MOST_PARTS)
      fail(
        finding('observe-value', { field: list, expected: `at most ${MOST_PARTS} parts`, found: String(parts.length) }),
      );
    return parts?.map((part) => readFields(format[list]?.fields ?? {}, part, hints));
  };
  const disks = partsOf('storage_devices')?.filter(isDisk);
  const ports = partsOf('network_adapters')?.filter(isAdapter);
  const adapters = ports?.flatMap(adapterFields);
  const isComplete = (list: PartList) => {
    const complete = format[list]?.isComplete ?? false;
    return typeof complete === 'function' ? complete(report) : complete;
  };
  const isPartial = (list: PartList) =>
    list === 'network_adapters' ? ports !== undefined && lacksAddresses(ports) : disks?.some(lacksSize);
  return {
    uids: texts(format.uids).map((uid) => uid.toLowerCase()),
    serials: texts(format.serials),
    names: texts(format.names),
    node,
    completeLists: PART_LISTS.filter((list) => isComplete(list) && !isPartial(list)),
    omitsVolumes: format.storage_devices?.omitsVolumes ?? false,
    listsAdapters: isComplete('network_adapters'),
    ...(disks ? { storage_devices: distinct(disks.flatMap(diskFields), isSameDisk) } : {}),
    ...(adapters ? { network_adapters: distinct(adapters, (one, other) => one['mac'] === other['mac']) } : {}),
  };
}

function readFields(fields: Fields, part: Json, hints: Hints): Record<string, Reading> {
  const read: Record<string, Reading> = {};
  for (const [field, reader] of Object.entries(fields)) {
    const value = reader(part, hints);
    const given = plain(value);
    const normalize = NORMALIZED[field];
    const normal = typeof given === 'string' && normalize ? normalize(given) : given;
    read[field] = typeof value === 'object' ? weak(normal, value.why) : normal;
  }
  return read;
}

const NORMALIZED: Readonly<Record<string, (text: string) => string | undefined>> = {
  'architecture.platform_type': platformOf,
  'processor.instruction_set': platformOf,
  'processor.vendor': vendorOf,
  'bios.version': biosVersion,
  'bios.release_date': dateOf,
  'chassis.name': chassisName,
  device: (name) => name.replace(/^\/dev\//, ''),
  vendor: vendorOf,
  wwn: wwnOf,
  mac: macOf,
};

/** Normalizes architecture names: `x86-64` becomes `x86_64`, `ARM-A64` becomes `aarch64`. */
export function platformOf(text: string): string | undefined {
  if (/^(x86[-_]64|amd64)$/i.test(text)) return 'x86_64';
  // Redfish does not report whether a POWER system is `ppc64` or `ppc64le`.
  if (/^(powerisa|oem)$/i.test(text)) return undefined;
  return /^(arm-a64|arm64|armv8.*)$/i.test(text) ? 'aarch64' : text;
}

/**
 * Removes appended details: `PowerEdge R7515 (SKU=0A11;ModelName=PowerEdge R7515)` becomes `PowerEdge R7515`, and
 * `ThinkSystem SR650 -[7X06CTO1WW]-` becomes `ThinkSystem SR650`. lshw appends the SKU: `ProLiant DL380 (868703-B21)`.
 */
export function chassisName(product: string): string | undefined {
  const [name = ''] = product.split(/ \(SKU=/);
  const [whole, plain, sku = ''] = /^(.+) \(([^()]+)\)$/.exec(name) ?? [];
  const isSku = whole !== undefined && (!sku.includes(' ') || isPlaceholder(sku));
  return (isSku ? plain : name)?.replace(/:? -\[.*/, '').trim() || undefined;
}

/** Lenovo writes `-[IVE172V-3.11]-` to DMI, and `IVE172V-3.11` to Redfish. */
export function biosVersion(version: string): string {
  return version.replace(/^-\[(.+)\]-$/, '$1');
}

/** Some disks, such as Kingston A400, have no WWN of their own, but report `0x5000000000000000`. */
function wwnOf(text: string): string | undefined {
  const plain = text.toLowerCase().replace(/^(\/dev\/disk\/by-id\/)?(wwn|nvme)-/, '');
  return /^(0x|naa\.|eui\.)?5?0+$/.test(plain) ? undefined : plain.replace(/^naa\./, '0x');
}

export const GPU_FIELDS = ['gpu.gpu', 'gpu.gpu_count', 'gpu.gpu_vendor', 'gpu.gpu_model'];

function gpuFields(gpus: readonly Gpu[]): Readings {
  if (gpus.length === 0) return { 'gpu.gpu': false };
  const vendor = common(gpus.map((gpu) => (gpu.vendor === undefined ? undefined : vendorOf(gpu.vendor))));
  const model = common(gpus.map((gpu) => gpu.model));
  return { 'gpu.gpu': true, 'gpu.gpu_count': gpus.length, 'gpu.gpu_vendor': vendor, 'gpu.gpu_model': model };
}

/** Display adapters of these vendors belong to BMCs or virtual machines, so they do not count as GPUs. */
const NO_GPU_VENDORS = new Set(['102b', '1a03', '19e5', '1234', '1b36', '1013', '15ad', '1af4']);

/**
 * Whether an address belongs to a physical PCI device. A virtual function has a function number other than 0, or, outside
 * of bus 0, a device number other than 0.
 */
export function isPhysicalFunction(bus: string): boolean {
  return /\b(00:[0-9a-f]{2}|[0-9a-f]{2}:00)\.0$/i.test(bus);
}

/** Whether a PCI function is a GPU. `pciClass` has six hexadecimal digits. */
export function isGpu(pciClass: string, vendor: string, bus = 'ff:00.0'): boolean {
  const id = pciId(vendor);
  // Integrated GPUs of Intel are on bus 0 and do not count.
  if (!isPhysicalFunction(bus) || (id === '8086' && /^(\w+:)?00:/.test(bus))) return false;
  if (pciClass.startsWith('1200')) return id === '1002';
  return /^03(02|80)/.test(pciClass) || (pciClass.startsWith('0300') && !NO_GPU_VENDORS.has(id));
}

/** The kernel also lists each path to an NVMe disk `nvme0n1`, such as `nvme0c0n1`, and the flash memory of firmware. */
const VIRTUAL_DISK =
  /^(md|pmem|dm-|loop|zram|ram|sr|fd|nbd|bcache|zd|rbd|drbd|nullb|mtdblock|nvme\d+c\d+n|mmcblk\d+boot)\d|^mmcblk\d+rpmb/;
/** Disks on these buses are removable, or not in the machine. */
const BUS_OF_OTHER_DISKS = /^(usb|iscsi|fc|fcoe)$/i;
/** `MR9361-8i` is a controller, and `MR000480GWFLV` is a disk. */
const RAID_VOLUME = new RegExp(
  `^(${[
    ...[
      'PERC',
      'Dell ?BOSS',
      'MR[1-9]',
      '(Serve|Mega|P)?RAID\\b',
      'SMC\\d',
      'LSI\\d',
      'LOGICAL VOLUME',
      'Virtual Disk',
    ],
    ...['HPE NS\\d+i', 'ThinkSystem M\\.2 +(VD|NVMe 2-Bay)', 'MARVELL Raid VD'],
  ].join('|')})`,
  'i',
);
const BUSES: Readonly<Record<string, string>> = { nvme: 'PCIe', pcie: 'PCIe', sata: 'SATA', ata: 'SATA', sas: 'SAS' };
/** SCSI disks and virtual disks report these bus names instead of a vendor. */
const NO_DISK_VENDOR = /^(ata|nvme|virtio|qemu|0x[0-9a-f]{4})$/i;

/** Whether the model is a RAID volume. Its interface and media type do not describe the disks behind the controller. */
export function isRaidVolume(model: unknown): boolean {
  return typeof model === 'string' && RAID_VOLUME.test(model);
}

function isDisk({ device, interface: bus }: Readings): boolean {
  return !BUS_OF_OTHER_DISKS.test(String(bus)) && !VIRTUAL_DISK.test(String(device));
}

/** A failed disk has no size in some reports. */
function lacksSize({ size }: Readings): boolean {
  return typeof size !== 'number';
}

/** `interface` is the name of a bus. `media_type` is a text, or a boolean that is true if the disk rotates. */
function diskFields(disk: Readings): Readings[] {
  const { device, model, vendor, media_type: media } = disk;
  const bus = String(disk['interface']).toLowerCase();
  if (lacksSize(disk)) return [];
  const known = isRaidVolume(plain(model))
    ? { interface: undefined, media_type: undefined }
    : {
        interface: /^nvme\d/.test(String(device)) ? 'PCIe' : interfaceOf(bus, plain(vendor)),
        media_type:
          media === undefined ? undefined : /^(true|hdd|smr|rotational)$/i.test(String(media)) ? 'Rotational' : 'SSD',
      };
  return [{ ...disk, ...known, vendor: NO_DISK_VENDOR.test(String(plain(vendor))) ? undefined : vendor }];
}

/** SATA disks at a SAS controller have the vendor `ATA`, and NVMe disks `NVMe`. Some reports lack the vendor. */
function interfaceOf(bus: string, vendor: Reading): Reading {
  if (bus !== 'sas') return BUSES[bus];
  return vendor === undefined ? weak('SAS') : (BUSES[String(vendor).toLowerCase()] ?? 'SAS');
}

/** Returns the bus in a path, such as `nvme` in `pci-0000:c1:00.0-nvme-1`. A path with `scsi` can belong to any bus. */
export function busInPath(path: string | undefined): string | undefined {
  return /-(nvme|sas|ata|usb|iscsi|fc)-/.exec(path ?? '')?.[1];
}

/** Returns the bus of a controller with a name of lspci, such as `SATA controller`. */
export function busOfController(name: string): string | undefined {
  if (/^SATA/i.test(name)) return 'sata';
  if (/^Fibre Channel/i.test(name)) return 'fc';
  return /^Serial Attached SCSI/i.test(name) ? 'sas' : undefined;
}

const VIRTUAL_ADAPTER =
  /^(lo|(veth|ifb|bond|br|vlan|virbr|docker|dummy|tap|tun|vnet|wg|tmfifo_net)([\d.-]|$).*|[a-z]\w*[.@]\d+)$/;
/** The drivers of the network adapter with which a BMC talks to its host. */
const BMC_DRIVER = /^(cdc_(ether|eem|ncm|subset)|rndis_host)$/;

function isAdapter({ device, driver }: Readings): boolean {
  return !VIRTUAL_ADAPTER.test(String(device)) && !BMC_DRIVER.test(String(driver));
}

function adapterFields(adapter: Readings): Readings[] {
  const { mac, interface: type } = adapter;
  if (typeof mac !== 'string') return [];
  const isLong = mac.length > 'xx:xx:xx:xx:xx:xx'.length;
  return [{ ...adapter, interface: type ?? (isLong ? 'InfiniBand' : weak('Ethernet')) }];
}

/**
 * Linux gives all adapters of a bond the same MAC address, so the report lacks the other addresses of these adapters.
 * An adapter that a virtual machine or DPDK uses has no address in the report.
 */
function lacksAddresses(adapters: readonly Readings[]): boolean {
  const devices = new Map<Reading, Reading>();
  return adapters.some(({ mac, device }) => mac === undefined || getOrCreate(devices, mac, () => device) !== device);
}

/**
 * Whether two parts are paths to one disk. Some reports contain the WWN for one of the paths only. The namespaces of an
 * NVMe disk have the same serial number.
 */
function isSameDisk(one: Readings, other: Readings): boolean {
  if (one['wwn'] !== undefined && other['wwn'] !== undefined) return one['wwn'] === other['wwn'];
  const isSame = one['serial'] === other['serial'] && one['size'] === other['size'];
  return one['serial'] !== undefined && isSame && namespaceOf(one) === namespaceOf(other);
}

function namespaceOf({ device }: Readings): string | undefined {
  return /^nvme\d+n(\d+)$/.exec(String(device))?.[1];
}

/** Keeps the first of several readings of the same part. */
function distinct(
  parts: readonly Readings[],
  isSame: (one: Readings, other: Readings) => boolean,
): readonly Readings[] {
  return parts.filter((part, i) => !parts.slice(0, i).some((other) => isSame(part, other)));
}
