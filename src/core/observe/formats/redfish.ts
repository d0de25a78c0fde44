/**
 * Redfish (DMTF DSP0266): resources by `@odata.id`, as one mapping of paths, as resources within resources, or as the
 * folder of a mockup, which the reader turns into a mapping.
 */
import { fail, finding } from '../../diagnostics/finding.ts';
import { byCodeUnit, isJsonObject, itemsIn, type Json, type JsonObject } from '../../model/json.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import type { Format, Gpu, Hints, Reader } from '../format.ts';
import { isGpu } from '../observe-machine.ts';
import {
  clockInName,
  first,
  itemsAt,
  macOf,
  number,
  numberAt,
  pciModel,
  serialAt,
  text,
  textAt,
  textOf,
  valueAt,
  weakly,
} from '../read-values.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;
const MODEL = text('cpu.Model', 'system.ProcessorSummary.Model');
const VERSION = text('system.BiosVersion');

export const redfish: Format = {
  name: 'redfish',
  recognises: (report) => {
    for (const resource of resourcesIn(report)) if (typeOf(resource) === 'ComputerSystem') return true;
    return false;
  },
  machines: machinesIn,
  uids: [text('system.UUID')],
  serials: [serialOf, text('system.SerialNumber')],
  names: [text('system.HostName')],
  node: {
    'architecture.platform_type': text('cpu.InstructionSet'),
    'architecture.smp_size': first(
      (machine) => cpusIn(machine).length || undefined,
      number('system.ProcessorSummary.Count'),
    ),
    'architecture.smt_size': first(
      (machine) => sumOf(cpusIn(machine), 'TotalThreads'),
      number('system.ProcessorSummary.LogicalProcessorCount'),
    ),
    'processor.vendor': text('cpu.Manufacturer', 'cpu.ProcessorId.VendorID'),
    'processor.model': MODEL,
    'processor.instruction_set': text('cpu.InstructionSet'),
    'processor.clock_speed': first(
      weakly(number('cpu.Oem.Dell.DellProcessor.CurrentClockSpeedMhz', 1e6)),
      clockInName(MODEL),
    ),
    'main_memory.ram_size': first(
      (machine) => sumOf(present(machine, 'Memory').filter(isRam), 'CapacityMiB', MIB),
      number('system.MemorySummary.TotalSystemMemoryGiB', GIB),
    ),
    'chassis.manufacturer': text('system.Manufacturer'),
    'chassis.name': text('system.Model'),
    'chassis.serial': serialOf,
    'bios.version': first(VERSION, weakly(installed(/^(bios|system bios|system rom)\b/i))),
    'bios.release_date': (machine) =>
      text('system.Oem.Dell.DellSystem.BIOSReleaseDate')(machine) ??
      /\((\d\d\/\d\d\/\d{4})\)$/.exec(VERSION(machine) ?? '')?.[1],
    bmc_version: first(text('manager.FirmwareVersion'), weakly(installed(/^(bmc|idrac|ilo|integrated dell remote)/i))),
    boot_mode: weakly(
      (machine) => ({ UEFI: 'uefi', Legacy: 'bios' })[textAt(machine, 'system.Boot.BootSourceOverrideMode') ?? ''],
    ),
    // Somebody typed the place into the BMC. It fills empty fields only.
    'placement.rack': weakly(place('Placement.Rack', 'RackName')),
    'placement.node': weakly(place('Placement.RackOffset', 'RackSlot')),
  },
  gpus: gpusIn,
  storage_devices: {
    isComplete: true,
    of: (machine) => {
      const drives = present(machine, 'Drive');
      return drives.length > 0 ? drives : undefined;
    },
    fields: {
      device: text('Id'),
      size: number('CapacityBytes'),
      interface: text('Protocol'),
      media_type: text('MediaType'),
      model: text('Model'),
      vendor: text('Manufacturer'),
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
      interface: (part) =>
        /infiniband/i.test(textAt(part, 'port.ActiveLinkTechnology') ?? '') ? 'InfiniBand' : undefined,
      rate: number('rate'),
      // Resellers write their own names.
      vendor: weakly(text('owner.Manufacturer')),
      model: weakly(text('owner.Model')),
      firmware_version: (part) => textAt(itemsAt(part, 'owner.Controllers')?.[0], 'FirmwarePackageVersion'),
      management: (part) => valueAt(part, 'isManagement') === true || undefined,
    },
  },
};

/** `#ComputerSystem.v1_20_1.ComputerSystem` is of the type `ComputerSystem`. */
function typeOf(resource: JsonObject): string {
  const type = resource['@odata.type'];
  return typeof type === 'string' ? (/^#(\w+)\./.exec(type)?.[1] ?? '') : '';
}

function idOf(resource: Json): string {
  const id = isJsonObject(resource) ? resource['@odata.id'] : undefined;
  return typeof id === 'string' ? id.replace(/\/$/, '') : '';
}

/** The resources in a report, at any depth. In a mapping by path, a resource can lack its id. */
function* resourcesIn(value: Json, path = ''): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of itemsIn(value)) yield* resourcesIn(item);
  if (!isJsonObject(value)) return;
  if (typeOf(value) !== '') yield idOf(value) === '' ? { ...value, '@odata.id': path } : value;
  for (const [name, below] of Object.entries(value))
    if (typeof below === 'object' && below !== null) yield* resourcesIn(below, name);
}

/** The limits of a report and of a machine, which has some hundred resources. */
const MOST_SYSTEMS = 200;
const MOST_RESOURCES = 5000;

/** A machine is its system, with all resources that belong to it by type. Empty slots are left out. */
function* machinesIn(report: Json): Generator<Json> {
  const byId = new Map(Array.from(resourcesIn(report), (resource) => [idOf(resource), resource] as const));
  const all = [...byId.values()].sort((a, b) => byCodeUnit(idOf(a), idOf(b)));
  const systems = all.filter((resource) => typeOf(resource) === 'ComputerSystem');
  rejectMore('systems', systems.length, MOST_SYSTEMS);
  for (const system of systems) {
    const links = ['Chassis', 'ManagedBy'].flatMap((name) => (itemsAt(system, `Links.${name}`) ?? []).map(idOf));
    const roots = systems.length === 1 ? [''] : [idOf(system), ...links];
    const own = all.filter((each) => roots.some((root) => `${idOf(each)}/`.startsWith(`${root}/`)));
    rejectMore('resources', own.length, MOST_RESOURCES);
    const types = new Map<string, JsonObject[]>();
    for (const each of own)
      if (textAt(each, 'Status.State') !== 'Absent') getOrCreate(types, typeOf(each), () => []).push(each);
    const machine = { system, manager: types.get('Manager')?.[0] ?? null, types: Object.fromEntries(types) };
    yield { ...machine, cpu: cpusIn(machine)[0] ?? null };
  }
}

function rejectMore(field: string, count: number, most: number): void {
  if (count > most) fail(finding('observe-value', { field, expected: `at most ${most}`, found: String(count) }));
}

function present(machine: Json, ...types: readonly string[]): JsonObject[] {
  return types.flatMap((type) => itemsIn(valueAt(machine, `types.${type}`))).filter(isJsonObject);
}

function cpusIn(machine: Json): JsonObject[] {
  return present(machine, 'Processor').filter((each) => textAt(each, 'ProcessorType') === 'CPU');
}

/** Undefined if one of the resources lacks the number. */
function sumOf(resources: readonly Json[], field: string, factor = 1): number | undefined {
  const sum = resources.reduce<number>((all, each) => all + (numberAt(each, field, factor) ?? Number.NaN), 0);
  return sum > 0 ? sum : undefined;
}

function isRam(module: Json): boolean {
  return ['DRAM', undefined].includes(textAt(module, 'MemoryType'));
}

/** On systems of Dell, the serial number is that of the board, and the SKU is the service tag. */
function serialOf(machine: Json): string | undefined {
  const tag = /^dell/i.test(textAt(machine, 'system.Manufacturer') ?? '') ? serialAt(machine, 'system.SKU') : undefined;
  return tag ?? serialAt(machine, 'system.SerialNumber');
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
      const stated = valueAt(chassis, `Location.${path}`);
      if (stated !== undefined) return typeof stated === 'number' ? String(stated) : textOf(stated, path);
      const at = textAt(chassis, 'Location.InfoFormat')?.split(';').indexOf(name) ?? -1;
      if (at >= 0) return textOf(textAt(chassis, 'Location.Info')?.split(';')[at], 'Location.Info');
    }
    return undefined;
  };
}

/** GPUs are processors, or functions of PCIe devices. Some BMCs list neither, so no GPU does not mean none. */
function gpusIn(machine: Json, hints: Hints): readonly Gpu[] | undefined {
  const processors = present(machine, 'Processor').filter((each) => textAt(each, 'ProcessorType') === 'GPU');
  const displays = present(machine, 'PCIeFunction').filter(
    (each) =>
      textAt(each, 'DeviceClass') === 'DisplayController' &&
      textAt(each, 'FunctionType') !== 'Virtual' &&
      isGpu('0300', textAt(each, 'VendorId') ?? ''),
  );
  const gpus = processors.map((each) => ({ vendor: textAt(each, 'Manufacturer'), model: textAt(each, 'Model') }));
  if (gpus.length > 0) return gpus;
  const found = displays.map((each) => ({
    vendor: textAt(each, 'VendorId'),
    model: pciModel('VendorId', 'DeviceId')(each, hints),
  }));
  return found.length > 0 ? found : undefined;
}

function durableName(drive: Json): string | undefined {
  for (const each of itemsAt(drive, 'Identifiers') ?? []) {
    const prefix = { NAA: '0x', EUI: 'eui.' }[textAt(each, 'DurableNameFormat') ?? ''];
    const name = serialAt(each, 'DurableName');
    if (prefix !== undefined && name !== undefined) return prefix + name.replace(/^(0x|eui\.|naa\.)/i, '');
  }
  return undefined;
}

/** Ports, functions and host interfaces can describe the same adapter. Those of a NetworkAdapter have its model. */
function portsIn(machine: Json): readonly Json[] {
  const owners = new Map(present(machine, 'NetworkAdapter').map((each) => [idOf(each), each]));
  const rates = new Map<string, number>();
  const parts = present(machine, 'NetworkPort', 'Port', 'NetworkDeviceFunction', 'EthernetInterface').flatMap(
    (port) => {
      const mac = macIn(port);
      if (mac === undefined) return [];
      rates.set(mac, Math.max(rates.get(mac) ?? 0, rateOf(port)));
      const owner = owners.get(idOf(port).split('/').slice(0, -2).join('/')) ?? null;
      return [{ port, mac, owner, isManagement: /^\/redfish\/v1\/Managers\//.test(idOf(port)) }];
    },
  );
  const ordered = parts.toSorted((a, b) => Number(a.owner === null) - Number(b.owner === null));
  return ordered.map((part) => ({ ...part, rate: rates.get(part.mac) ?? 0 }));
}

function rateOf(port: Json): number {
  const supported = (itemsAt(port, 'SupportedLinkCapabilities') ?? []).map(
    (each) => numberAt(each, 'LinkSpeedMbps', 1e6) ?? 0,
  );
  const own = [number('MaxSpeedGbps', 1e9), number('CurrentSpeedGbps', 1e9), number('SpeedMbps', 1e6)].map(
    (read) => read(port) ?? 0,
  );
  return Math.max(...supported, ...own);
}

function macIn(port: Json): string | undefined {
  const listed = itemsIn(
    valueAt(port, 'AssociatedNetworkAddresses') ?? valueAt(port, 'Ethernet.AssociatedMACAddresses'),
  );
  const own = text('PermanentMACAddress', 'MACAddress', 'Ethernet.PermanentMACAddress', 'Ethernet.MACAddress')(port);
  return macOf(textOf(listed[0], 'AssociatedNetworkAddresses') ?? own);
}
