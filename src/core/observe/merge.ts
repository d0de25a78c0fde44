/** Merges a machine from a report into the body of a node. Fields that the report does not contain stay unchanged. */
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../model/json.ts';
import {
  type Machine,
  PART_LISTS,
  type PartList,
  plain,
  type Reading,
  type Readings,
  type Weak,
  type WeakReason,
} from './format.ts';
import { GPU_FIELDS, isRaidVolume } from './observe-machine.ts';
import { isOfBmc, pairParts } from './pair-parts.ts';
import { pciId } from './pci-ids.ts';
import {
  hasOtherIdentifiers,
  hasSameMeaning,
  hasWwnOfOtherForm,
  isEmptyValue,
  isOtherProcessor,
  isOtherValue,
  isSameBios,
  isSameProcessor,
} from './same-meaning.ts';

export interface Merged {
  readonly body: JsonObject;
  /** The reasons why the merge wrote substitute values instead of exact values. */
  readonly substitutes: ReadonlySet<WeakReason>;
  /** The memory sizes in the registry and in the report, in bytes. Set if the difference exceeds `MEMORY_TOLERANCE`. */
  readonly otherMemory?: { readonly stated: number; readonly reported: number } | undefined;
}

/** A substitute memory size is reported if it differs by more than this fraction from the size in the registry. */
const MEMORY_TOLERANCE = 0.1;
const RAM_FIELD = 'main_memory.ram_size';

export function mergeMachine(body: JsonObject, machine: Machine): Merged {
  const substitutes = new Set<WeakReason>();
  const { node, omitsVolumes } = machine;
  let merged = mergeFields(
    withoutOldGpu(withoutOldDate(withoutOldProcessor(body, node), node), node),
    node,
    substitutes,
  );
  if (fieldOf(merged, 'gpu.gpu') === false && isJsonObject(merged['gpu']))
    merged = { ...merged, gpu: without(merged['gpu'], [...GPU_FIELDS.slice(1), 'gpu.gpu_name'].map(lastPart)) };
  for (const list of PART_LISTS) {
    const observed = machine[list];
    // An empty list usually means that a driver is missing, not that the machine has no disks.
    if (!observed || observed.length === 0) continue;
    const before = objectsIn(body[list]);
    const isComplete = machine.completeLists.includes(list);
    merged = { ...merged, [list]: mergeParts(list, before, observed, { isComplete, omitsVolumes, substitutes }) };
  }
  const ram = fieldOf(merged, RAM_FIELD);
  if (typeof ram === 'number' && ram !== fieldOf(body, RAM_FIELD))
    merged = withField(merged, 'main_memory.humanized_ram_size', `${Number((ram / 2 ** 30).toFixed(2))} GiB`);
  return { body: merged, substitutes, otherMemory: otherMemoryOf(body, node) };
}

function mergeFields(body: JsonObject, readings: Readings, substitutes: Set<WeakReason>): JsonObject {
  let merged = body;
  for (const [field, reading] of Object.entries(readings)) {
    const value = newValue(field, body, reading);
    if (value === undefined || (field === 'bios.version' && isSameBios(body['bios'], readings))) continue;
    if (typeof reading === 'object' && reading.why !== undefined) substitutes.add(reading.why);
    merged = withField(merged, field, value);
  }
  return merged;
}

/** The fields that describe one processor model. The values do not apply to another model. */
const OF_ONE_PROCESSOR = [
  ...['vendor', 'version', 'other_description', 'microarchitecture', 'microcode'],
  ...['clock_speed', 'cache_l1', 'cache_l1d', 'cache_l1i', 'cache_l2', 'cache_l3'],
];

function withoutOldProcessor(body: JsonObject, readings: Readings): JsonObject {
  const { processor } = body;
  const field = 'processor.model';
  if (!isJsonObject(processor) || isEmptyValue(processor['model'])) return body;
  const model = newValue(field, body, readings[field]);
  return typeof model === 'string' && isOtherProcessor(processor, model)
    ? { ...body, processor: without(processor, OF_ONE_PROCESSOR) }
    : body;
}

/** The release date does not apply to another version of the BIOS. */
function withoutOldDate(body: JsonObject, readings: Readings): JsonObject {
  const { bios } = body;
  if (!isJsonObject(bios) || isEmptyValue(bios['version']) || readings['bios.release_date'] !== undefined) return body;
  const version = newValue('bios.version', body, readings['bios.version']);
  return version === undefined ? body : { ...body, bios: without(bios, ['release_date']) };
}

/** The model does not apply to GPUs of another vendor. */
function withoutOldGpu(body: JsonObject, readings: Readings): JsonObject {
  const { gpu } = body;
  if (!isJsonObject(gpu) || isEmptyValue(gpu['gpu_vendor'])) return body;
  const vendor = newValue('gpu.gpu_vendor', body, readings['gpu.gpu_vendor']);
  return vendor === undefined ? body : { ...body, gpu: without(gpu, ['gpu_model', 'gpu_name']) };
}

/** Returns the value to write into the body. Returns undefined if the field does not change. */
function newValue(field: string, body: JsonObject, reading: Reading): Json | undefined {
  const old = fieldOf(body, field);
  if (typeof reading === 'object') return isEmptyValue(old) || isOtherId(old, reading) ? reading.weak : undefined;
  if (reading === undefined || old === undefined || isEmptyValue(old)) return reading;
  if (hasSameMeaning(lastPart(field), old, reading)) return undefined;
  if (field === 'processor.model' && isSameProcessor(body['processor'] ?? null, reading)) return undefined;
  return reading;
}

/** A PCI id is an estimate, but it replaces the id of another device. */
function isOtherId(old: Json | undefined, { weak, why }: Weak): boolean {
  if (why !== 'pci-id' || typeof old !== 'string' || !PCI_ID.test(old)) return false;
  return pciId(old) !== pciId(String(weak));
}

function lastPart(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1);
}

function fieldOf(body: JsonObject, field: string): Json | undefined {
  let here: Json | undefined = body;
  for (const name of field.split('.')) here = isJsonObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}

/** If the registry stores a list in place of a mapping such as `gpu`, the list does not change. */
function withField(body: JsonObject, field: string, value: Json): JsonObject {
  const [name = '', below] = field.split('.');
  if (below === undefined) return { ...body, [name]: value };
  const holder = body[name] ?? {};
  return isJsonObject(holder) ? { ...body, [name]: { ...holder, [below]: value } } : body;
}

function without(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** The fields that describe one specific part. The values do not apply to a replacement. */
const OF_ONE_PART = ['serial', 'wwn', 'rev', 'guid', 'firmware_version'];
/** The fields that all parts of one model share. The values do not apply to a replacement of another model. */
const OF_ONE_MODEL = ['model', 'vendor', 'interface', 'media_type', 'rate'];
/** The driver of a disk is the driver of its controller, so it applies to other disks too. */
const OF_ONE_ADAPTER = [...OF_ONE_MODEL, 'driver'];
/** An id without `0x` starts with a digit, because `A100`, `b200` and `E810` are names of models. */
const PCI_ID = /^(0x[0-9a-f]|\d)[0-9a-f]{3}$/i;
const DISK_IDENTIFIERS = ['serial', 'wwn'];
const IDENTIFIERS = [...DISK_IDENTIFIERS, 'mac'];

interface Pair {
  readonly part: JsonObject;
  readonly readings: Readings;
}

interface MergeOptions {
  readonly isComplete: boolean;
  readonly omitsVolumes: boolean;
  readonly substitutes: Set<WeakReason>;
}

function mergeParts(
  list: PartList,
  before: readonly JsonObject[],
  observed: readonly Readings[],
  { isComplete, omitsVolumes, substitutes }: MergeOptions,
): readonly JsonObject[] {
  const partners = pairParts(list, before, observed, isComplete);
  const readingsOf = new Map(
    partners.flatMap((partner, j) => (partner ? ([[partner.position, observed[j]]] as const) : [])),
  );
  // If the registry contains volumes, and the report contains the disks behind them, the recorded parts stay.
  const isHidden =
    omitsVolumes &&
    before.some((part, i) => isRaidVolume(part['model']) && !readingsOf.has(i)) &&
    !observed.some(({ model }) => isRaidVolume(plain(model)));
  const isKept = (part: JsonObject) => isHidden || isOfBmc(part) || !isComplete;
  const identified = new Set(partners.flatMap((partner) => (partner?.isIdentified ? [partner.position] : [])));
  const unidentified = {
    before: before.filter((_, i) => !identified.has(i)),
    observed: observed.filter((_, j) => !partners[j]?.isIdentified),
  };
  const known = before.flatMap((part, i) => {
    const readings = readingsOf.get(i);
    if (!readings) return isKept(part) ? [{ part, readings: {} }] : [];
    const pair = { part, readings };
    const sure = identified.has(i) ? pair : withSureIdentifiers(pair, unidentified, isComplete);
    return [{ part: mergePart(sure.part, sure.readings, substitutes), readings }];
  });
  const news = observed.flatMap((readings, j) =>
    partners[j] || isHidden ? [] : [{ part: mergePart({}, readings, substitutes), readings }],
  );
  const parts: readonly Pair[] = [...known, ...news];
  const names = parts.map(({ part }) => part['device']).filter((name) => name !== undefined);
  if (new Set(names).size === names.length) return parts.map(({ part }) => part);
  // The parts get the names of the report if two parts would have the same name.
  return parts.map(({ part, readings: { device } }) => (typeof device === 'string' ? { ...part, device } : part));
}

/**
 * Some tools report only the WWNs of disks, and others only the serial numbers. Nothing then distinguishes disks of one
 * model, because device names change when the system starts. The recorded identifiers stay, unless the number of disks
 * changed.
 */
function withSureIdentifiers(
  { part, readings }: Pair,
  unidentified: { readonly before: readonly JsonObject[]; readonly observed: readonly Readings[] },
  isComplete: boolean,
): Pair {
  const recorded = DISK_IDENTIFIERS.filter((field) => !isEmptyValue(part[field]));
  const reported = DISK_IDENTIFIERS.filter((field) => readings[field] !== undefined);
  if (recorded.length === 0 || reported.length === 0 || recorded.some((field) => reported.includes(field)))
    return { part, readings };
  const disks = unidentified.before.filter((disk) => isAlike(disk, readings)).length;
  const others = unidentified.observed.filter((disk) => isAlike(part, disk)).length;
  if (disks <= 1 && others <= 1) return { part, readings };
  if (disks !== others && isComplete) return { part: without(part, recorded), readings };
  return {
    part,
    readings: Object.fromEntries(Object.entries(readings).filter(([field]) => !reported.includes(field))),
  };
}

function isAlike(part: JsonObject, { model, size }: Readings): boolean {
  return !isOtherValue('model', part['model'], model) && !isOtherValue('size', part['size'], size);
}

function mergePart(part: JsonObject, readings: Readings, substitutes: Set<WeakReason>): JsonObject {
  if (hasOtherIdentifiers(part, readings)) return mergePart(without(part, ['wwn']), readings, substitutes);
  if (hasWwnOfOtherForm(part, readings)) return mergePart(part, { ...readings, wwn: undefined }, substitutes);
  // A known part keeps its name, because device names change when the system starts.
  const { device, ...others } = readings;
  const filled = mergeFields(part, isEmptyValue(part['device']) ? readings : others, substitutes);
  const { size } = filled;
  const isResized = typeof size === 'number' && size !== part['size'];
  const merged = isResized ? { ...filled, humanized_size: `${Math.round(size / 1e9)} GB` } : filled;
  const isReplaced = IDENTIFIERS.some((field) => !isEmptyValue(part[field]) && merged[field] !== part[field]);
  const isConfirmed = IDENTIFIERS.some(
    (field) => readings[field] !== undefined && !isEmptyValue(part[field]) && merged[field] === part[field],
  );
  // A disk cannot grow, but a RAID volume can. If an identifier is the same, the recorded size was wrong.
  const isOtherSize = isResized && !isEmptyValue(part['size']);
  const isOfOtherModel = isOtherSize || isOtherModel(part, readings);
  const isOtherDisk = readings['mac'] === undefined && isOfOtherModel;
  const isOther = (isOtherDisk || isReplaced) && !isRaidVolume(part['model']) && !isConfirmed;
  const stale = OF_ONE_PART.filter((field) => readings[field] === undefined && (isOther || field in readings));
  // The old values decide which readings are written, so the part is merged again without them.
  const ofModel = part['mac'] === undefined ? OF_ONE_MODEL : OF_ONE_ADAPTER;
  if (isOther && isOfOtherModel && ofModel.some((field) => field in part))
    return mergePart(without(part, [...ofModel, ...stale]), readings, substitutes);
  return isOther || (isReplaced && !isConfirmed) ? without(merged, stale) : merged;
}

/**
 * Whether a replacement has another model. If the report contains no model, the driver decides, or the address, which
 * is longer for InfiniBand. A PCI id is compared only with another PCI id. Otherwise, the vendor is compared.
 */
function isOtherModel(part: JsonObject, { model, vendor, driver, mac, interface: type }: Readings): boolean {
  const isChanged = (field: string, now: Reading) => isOtherValue(field, part[field], now);
  const isOnlyId = typeof model === 'object' && model.why === 'pci-id' && !PCI_ID.test(String(part['model']));
  const isOtherLength = String(mac).length !== String(part['mac']).length;
  return (
    isChanged('driver', plain(driver)) ||
    isChanged('model', isOnlyId ? undefined : plain(model)) ||
    isChanged('vendor', isOnlyId ? vendor : undefined) ||
    (isOtherLength && isChanged('interface', plain(type)))
  );
}

function otherMemoryOf(body: JsonObject, node: Readings): Merged['otherMemory'] {
  const [stated, reading] = [fieldOf(body, RAM_FIELD), node[RAM_FIELD]];
  const reported = typeof reading === 'object' ? reading.weak : undefined;
  if (typeof stated !== 'number' || typeof reported !== 'number' || stated === 0) return undefined;
  return Math.abs(stated - reported) > stated * MEMORY_TOLERANCE ? { stated, reported } : undefined;
}
