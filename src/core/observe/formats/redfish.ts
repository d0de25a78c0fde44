/** Reads Redfish resources (DMTF DSP0266) by `@odata.id`: a mapping of paths, nested resources, or a mockup folder. */
import { itemsIn, type Json } from '../../model/json.ts';
import type { Format, Gpu, Hints, Reader } from '../format.ts';
import { isGpu } from '../observe-machine.ts';
import * as read from '../read-values.ts';
import { idOf, isGpuProcessor, isRedfish, machinesIn, present } from '../redfish-resources.ts';

const { first, number, serialAt, text, textAt, weakly } = read;

const GIB = 2 ** 30;
const MIB = 2 ** 20;
const MODEL = text('cpu.Model', 'system.ProcessorSummary.Model');
const VERSION = text('system.BiosVersion');
/** The form in which Supermicro writes the version of the BIOS. */
const DATE_AND_VERSION = /^BIOS Date: (\d\d\/\d\d\/\d{4}) Ver:? (.+)$/;
const BOOT_MODES: Readonly<Record<string, string>> = { UEFI: 'uefi', Legacy: 'bios' };
const DELL_CLOCK = weakly(number('cpu.Oem.Dell.DellProcessor.CurrentClockSpeedMhz', 1e6));

export const redfish: Format = {
  name: 'redfish',
  recognises: isRedfish,
  machines: machinesIn,
  uids: [text('system.UUID')],
  serials: [serialOf, read.serial('system.SerialNumber')],
  names: [text('system.HostName')],
  node: {
    'architecture.platform_type': text('cpu.InstructionSet'),
    'architecture.smp_size': first(number('sockets'), number('system.ProcessorSummary.Count')),
    'architecture.smt_size': first(number('threads'), number('system.ProcessorSummary.LogicalProcessorCount')),
    'processor.vendor': text('cpu.Manufacturer', 'cpu.ProcessorId.VendorID'),
    'processor.model': MODEL,
    'processor.instruction_set': text('cpu.InstructionSet'),
    'processor.clock_speed': first(DELL_CLOCK, read.clockInName(MODEL)),
    'main_memory.ram_size': first(number('ram_mib', MIB), memoryOf),
    'chassis.manufacturer': text('system.Manufacturer'),
    'chassis.name': text('system.Model'),
    'chassis.serial': serialOf,
    'bios.version': first(
      (machine) => VERSION(machine)?.replace(DATE_AND_VERSION, '$2'),
      weakly(installed(/^(bios|system bios|system rom)\b/i)),
    ),
    'bios.release_date': (machine) =>
      text('system.Oem.Dell.DellSystem.BIOSReleaseDate')(machine) ??
      (DATE_AND_VERSION.exec(VERSION(machine) ?? '') ?? /\((\d\d\/\d\d\/\d{4})\)$/.exec(VERSION(machine) ?? ''))?.[1],
    bmc_version: first(text('manager.FirmwareVersion'), weakly(installed(/^(bmc|idrac|ilo|integrated dell remote)/i))),
    boot_mode: weakly((machine) => BOOT_MODES[textAt(machine, 'system.Boot.BootSourceOverrideMode') ?? '']),
    // People type the place into the BMC by hand, so the place only fills empty fields.
    'placement.rack': weakly(place('Placement.Rack', 'RackName')),
    'placement.node': weakly(place('Placement.RackOffset', 'RackSlot')),
  },
  gpus: gpusIn,
  storage_devices: {
    // HPE systems up to Gen10 list the disks of Smart Array controllers in resources outside the standard.
    isComplete: (machine) =>
      read.valueAt(machine, 'hasAllDrives') === true &&
      ['Hpe.Links', 'Hp.Links', 'Hp.links'].every(
        (links) => read.valueAt(machine, `system.Oem.${links}.SmartStorage`) === undefined,
      ),
    omitsVolumes: true,
    of: (machine) => {
      const drives = present(machine, 'Drive');
      return drives.length > 0 ? drives : undefined;
    },
    fields: {
      device: text('Id'),
      size: number('CapacityBytes'),
      interface: text('Protocol'),
      media_type: text('MediaType'),
      // The vendor and the model only fill empty fields, because resellers write their own names.
      model: weakly(text('Model')),
      vendor: weakly(text('Manufacturer')),
      serial: (drive) => serialAt(drive, 'SerialNumber'),
      wwn: durableName,
      rev: text('Revision'),
    },
  },
  network_adapters: {
    isComplete: false,
    of: portsIn,
    fields: {
      device: text('port.Id'),
      mac: text('mac'),
      interface: (part) => (isInfiniBand(read.valueAt(part, 'port') ?? null) ? 'InfiniBand' : undefined),
      rate: number('rate'),
      vendor: weakly(text('owner.Manufacturer')),
      model: weakly(text('owner.Model')),
      firmware_version: (part) => textAt(read.itemsAt(part, 'owner.Controllers')?.[0], 'FirmwarePackageVersion'),
      management: (part) => read.valueAt(part, 'isManagement') === true || undefined,
    },
  },
};

/** Dell systems store the service tag in SKU, and the serial number of the board in SerialNumber. */
function serialOf(machine: Json): string | undefined {
  const tag = /^dell/i.test(textAt(machine, 'system.Manufacturer') ?? '') ? serialAt(machine, 'system.SKU') : undefined;
  return tag ?? serialAt(machine, 'system.SerialNumber');
}

/** Older versions of iDRAC convert the size as if it were decimal: 119.209344 means 128 GiB. */
function memoryOf(machine: Json): number | undefined {
  const size = number('system.MemorySummary.TotalSystemMemoryGiB', GIB)(machine) ?? 0;
  const gigabytes = Math.round(size / 1e9);
  const isDecimal = size % GIB !== 0 && Math.abs(size / 1e9 - gigabytes) < 0.001;
  return (isDecimal ? gigabytes * GIB : size) || undefined;
}

function installed(name: RegExp): Reader {
  return (machine) =>
    textAt(
      present(machine, 'SoftwareInventory').find((each) => name.test(textAt(each, 'Name') ?? '')),
      'Version',
    );
}

function place(path: string, name: string): Reader {
  return (machine) => {
    for (const chassis of present(machine, 'Chassis')) {
      const stated = read.valueAt(chassis, `Location.${path}`);
      if (stated !== undefined) return typeof stated === 'number' ? String(stated) : read.textOf(stated, path);
      const at = textAt(chassis, 'Location.InfoFormat')?.split(';').indexOf(name) ?? -1;
      if (at >= 0) return read.textOf(textAt(chassis, 'Location.Info')?.split(';')[at], 'Location.Info');
    }
    return undefined;
  };
}

/** Some BMCs list no GPUs, so an empty result does not prove that the machine has no GPU. */
function gpusIn(machine: Json, hints: Hints): readonly Gpu[] | undefined {
  const processors = present(machine, 'Processor').filter(isGpuProcessor);
  const displays = present(machine, 'PCIeFunction').filter(
    (each) =>
      textAt(each, 'DeviceClass') === 'DisplayController' &&
      textAt(each, 'FunctionType') !== 'Virtual' &&
      isGpu('0300', textAt(each, 'VendorId') ?? ''),
  );
  const gpus = processors.map((each) => ({ vendor: textAt(each, 'Manufacturer'), model: textAt(each, 'Model') }));
  if (gpus.length > 0) return read.valueAt(machine, 'hasAllProcessors') === true ? gpus : undefined;
  const found = displays.map((each) => ({
    vendor: textAt(each, 'VendorId'),
    model: read.pciModel('VendorId', 'DeviceId')(each, hints),
  }));
  return found.length > 0 && read.valueAt(machine, 'hasAllFunctions') === true ? found : undefined;
}

function durableName(drive: Json): string | undefined {
  for (const each of read.itemsAt(drive, 'Identifiers') ?? []) {
    const prefix = { NAA: '0x', EUI: 'eui.' }[textAt(each, 'DurableNameFormat') ?? ''];
    const name = serialAt(each, 'DurableName');
    if (prefix !== undefined && name !== undefined) return prefix + name.replace(/^(0x|eui\.|naa\.)|[:-]/gi, '');
  }
  return undefined;
}

/** Ports, functions and host interfaces can describe the same adapter. A port gets the model of its NetworkAdapter. */
function portsIn(machine: Json): readonly Json[] {
  const owners = new Map(present(machine, 'NetworkAdapter').map((each) => [idOf(each), each]));
  const rates = new Map<string, number>();
  const parts = present(machine, 'NetworkPort', 'Port', 'NetworkDeviceFunction', 'EthernetInterface').flatMap(
    (port) => {
      const mac = isNetworkPort(port) ? macIn(port) : undefined;
      if (mac === undefined) return [];
      rates.set(mac, Math.max(rates.get(mac) ?? 0, rateOf(port)));
      const owner = owners.get(adapterOf(port)) ?? null;
      return [{ port, mac, owner, isManagement: /^\/redfish\/v1\/Managers\//.test(idOf(port)) }];
    },
  );
  const functions = parts.filter(({ port }) => /\/NetworkDeviceFunctions\/[^/]+$/.test(idOf(port)));
  // The functions of an adapter have the addresses that the host uses. The ports of a Cisco VIC have other addresses.
  const isUsed = ({ port, mac }: (typeof parts)[number]) => {
    const siblings = functions.filter((each) => adapterOf(each.port) === adapterOf(port));
    return siblings.length === 0 || isInfiniBand(port) || siblings.some((each) => each.mac === mac);
  };
  const ordered = parts.filter(isUsed).toSorted((a, b) => Number(a.owner === null) - Number(b.owner === null));
  return ordered.map((part) => ({ ...part, rate: rates.get(part.mac) ?? 0 }));
}

function adapterOf(port: Json): string {
  return idOf(port).split('/').slice(0, -2).join('/');
}

function isInfiniBand(port: Json): boolean {
  return /infiniband/i.test(textAt(port, 'ActiveLinkTechnology') ?? '');
}

/**
 * The address of a Fibre Channel port is no MAC address. `ToManager`, `ToHost` and `usb0` are ends of the connection
 * between a machine and its BMC.
 */
function isNetworkPort(port: Json): boolean {
  const technology =
    textAt(port, 'ActiveLinkTechnology') ??
    textAt(read.itemsAt(port, 'SupportedLinkCapabilities')?.[0], 'LinkNetworkTechnology') ??
    textAt(port, 'NetDevFuncType');
  return !technology?.startsWith('FibreChannel') && !/\/(ToManager|ToHost|usb\d+)$/.test(idOf(port));
}

function rateOf(port: Json): number {
  const supported = (read.itemsAt(port, 'SupportedLinkCapabilities') ?? []).map(
    (each) => read.numberAt(each, 'LinkSpeedMbps', 1e6) ?? 0,
  );
  const own = [number('MaxSpeedGbps', 1e9), number('CurrentSpeedGbps', 1e9), number('SpeedMbps', 1e6)].map(
    (read) => read(port) ?? 0,
  );
  return Math.max(...supported, ...own);
}

function macIn(port: Json): string | undefined {
  const listed = itemsIn(
    read.valueAt(port, 'AssociatedNetworkAddresses') ?? read.valueAt(port, 'Ethernet.AssociatedMACAddresses'),
  );
  const own = text('PermanentMACAddress', 'MACAddress', 'Ethernet.PermanentMACAddress', 'Ethernet.MACAddress')(port);
  return read.macOf(read.textOf(listed[0], 'AssociatedNetworkAddresses') ?? own);
}
