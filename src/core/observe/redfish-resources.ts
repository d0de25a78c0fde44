import { fail, finding } from '../diagnostics/finding.ts';
import { byCodeUnit, isJsonObject, itemsIn, type Json, type JsonObject, objectsIn } from '../model/json.ts';
import { getOrCreate, groupBy } from '../platform/lookups.ts';
import { itemsAt, sumAt, textAt, valueAt } from './read-values.ts';

export function isRedfish(report: Json): boolean {
  for (const resource of resourcesIn(report)) if (typeOf(resource) === 'ComputerSystem') return true;
  return false;
}

/** The type of `#ComputerSystem.v1_20_1.ComputerSystem` is `ComputerSystem`. */
function typeOf(resource: JsonObject): string {
  const type = resource['@odata.type'];
  return typeof type === 'string' ? (/^#(\w+)\./.exec(type)?.[1] ?? '') : '';
}

/** Returns the path of an id, because some services write absolute URLs. */
export function idOf(resource: Json): string {
  const id = isJsonObject(resource) ? resource['@odata.id'] : undefined;
  return typeof id === 'string' ? id.replace(/^https?:\/\/[^/]+/i, '').replace(/\/$/, '') : '';
}

/** Yields all resources of a report, at any depth. A resource without an id gets its path in the report as the id. */
function* resourcesIn(value: Json, path = ''): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of itemsIn(value)) yield* resourcesIn(item);
  if (!isJsonObject(value)) return;
  if (typeOf(value) !== '') yield idOf(value) === '' ? { ...value, '@odata.id': path } : value;
  for (const [name, below] of Object.entries(value))
    if (typeof below === 'object' && below !== null) yield* resourcesIn(below, name);
}

/** The maximum number of systems in a report, and of resources in a machine. */
const MOST_SYSTEMS = 200;
const MOST_RESOURCES = 5000;

/** Yields one machine per system, with all its resources by type. Empty slots are omitted. */
export function* machinesIn(report: Json): Generator<Json> {
  const byId = new Map(Array.from(resourcesIn(report), (resource) => [idOf(resource), resource] as const));
  const all = [...byId.values()].sort((a, b) => byCodeUnit(idOf(a), idOf(b)));
  const systems = all.filter((resource) => typeOf(resource) === 'ComputerSystem');
  rejectMore('systems', systems.length, MOST_SYSTEMS);
  const ownOf = systems.length === 1 ? () => all : ownResources(systems, all);
  const hosts = systems.filter((system) => !isBaseboard(system));
  const gpus = hosts.length === 1 ? systems.filter(isBaseboard).flatMap(ownOf).filter(isGpuProcessor) : [];
  for (const system of hosts.length > 0 ? hosts : systems) {
    const listed = ownOf(system);
    const own = listed.some(isGpuProcessor) ? listed : [...listed, ...gpus];
    rejectMore('resources', own.length, MOST_RESOURCES);
    const filled = own.filter((each) => textAt(each, 'Status.State') !== 'Absent');
    yield machineOf(system, groupBy(filled, typeOf), new Set(own.map(idOf)));
  }
}

/** NVIDIA HGX machines list the baseboard of their GPUs as a second system. */
function isBaseboard(system: Json): boolean {
  return /\/HGX_Baseboard_\d+$/.test(idOf(system));
}

export function isGpuProcessor(resource: Json): boolean {
  return textAt(resource, 'ProcessorType') === 'GPU';
}

/** Returns a function that lists the resources at or below a system, its chassis and its managers. */
function ownResources(
  systems: readonly JsonObject[],
  all: readonly JsonObject[],
): (system: JsonObject) => readonly JsonObject[] {
  const linksOf = (system: Json, name: string) =>
    new Set((itemsAt(system, `Links.${name}`) ?? []).map(idOf).filter((id) => id !== ''));
  const inChassis = new Map<string, JsonObject[]>();
  for (const system of systems)
    for (const id of linksOf(system, 'Chassis')) getOrCreate(inChassis, id, () => []).push(system);
  const owners = new Map<string, JsonObject[]>();
  for (const system of systems) {
    // It is unknown which system contains a drive of a shared chassis. The place of the chassis applies to all systems.
    const unshared = [...linksOf(system, 'Chassis')].filter((id) => inChassis.get(id)?.length === 1);
    for (const id of [idOf(system), ...unshared, ...linksOf(system, 'ManagedBy')])
      getOrCreate(owners, id, () => []).push(system);
  }
  const own = new Map<JsonObject, JsonObject[]>();
  for (const resource of all) {
    const id = idOf(resource);
    const holders = [...(inChassis.get(id) ?? []), ...idsAbove(id).flatMap((above) => owners.get(above) ?? [])];
    for (const system of new Set(holders)) getOrCreate(own, system, () => []).push(resource);
  }
  return (system) => own.get(system) ?? [];
}

/** The maximum number of steps in an id that are compared with other ids. */
const MOST_STEPS = 32;

/** Returns the id, and the ids of the resources that contain it. */
function idsAbove(id: string): string[] {
  const steps = id.split('/', MOST_STEPS);
  return steps.map((_, i) => steps.slice(0, i + 1).join('/'));
}

/** `ids` contains the ids of all resources of the machine, so that links to missing resources are found. */
function machineOf(system: Json, types: ReadonlyMap<string, readonly JsonObject[]>, ids: ReadonlySet<string>): Json {
  const hasAll = (type: string, links: string) =>
    (types.get(type) ?? []).every((holder) => objectsIn(holder[links]).every((link) => ids.has(idOf(link))));
  const hasAllProcessors = hasAll('ProcessorCollection', 'Members');
  const cpus = types.get('Processor')?.filter((each) => textAt(each, 'ProcessorType') === 'CPU') ?? [];
  const modules = types.get('Memory')?.filter((each) => (textAt(each, 'MemoryType') ?? 'DRAM') === 'DRAM') ?? [];
  return {
    system,
    manager: types.get('Manager')?.[0] ?? null,
    cpu: cpus[0] ?? null,
    sockets: hasAllProcessors ? cpus.length : 0,
    threads: hasAllProcessors ? (sumAt(cpus, 'TotalThreads') ?? null) : null,
    hasAllProcessors,
    hasAllFunctions:
      ['PCIeDevices', 'PCIeFunctions'].every((links) => hasAll('ComputerSystem', links)) &&
      ['PCIeDeviceCollection', 'PCIeFunctionCollection'].every((type) => hasAll(type, 'Members')),
    ram_mib: hasAll('MemoryCollection', 'Members') ? (sumAt(modules, 'CapacityMiB') ?? null) : null,
    hasAllDrives:
      hasAll('Storage', 'Drives') && hasAll('StorageCollection', 'Members') && hasAll('DriveCollection', 'Members'),
    types: Object.fromEntries(types),
  };
}

function rejectMore(field: string, count: number, most: number): void {
  if (count > most) fail(finding('observe-value', { field, expected: `at most ${most}`, found: String(count) }));
}

export function present(machine: Json, ...types: readonly string[]): JsonObject[] {
  return types.flatMap((type) => itemsIn(valueAt(machine, `types.${type}`))).filter(isJsonObject);
}
