/** Merges the parts in a report, such as disks, into the parts of a node. */
import type { JsonObject } from '../model/json.ts';
import { type PartList, plain, type Reading, type Readings, type WeakReason } from './format.ts';
import { mergeFields, PCI_ID, without } from './merge-fields.ts';
import { isRaidVolume } from './observe-machine.ts';
import { isOfBmc, pairParts } from './pair-parts.ts';
import { hasOtherIdentifiers, hasWwnOfOtherForm, isEmptyValue, isOtherValue } from './same-meaning.ts';

/** The fields that describe one specific part. The values do not apply to a replacement. */
const OF_ONE_PART = ['serial', 'wwn', 'rev', 'guid', 'firmware_version'];
/** The fields that all parts of one model share. The values do not apply to a replacement of another model. */
const OF_ONE_MODEL = ['model', 'vendor', 'interface', 'media_type', 'rate'];
/** The driver of a disk is the driver of its controller, so it applies to other disks too. */
const OF_ONE_ADAPTER = [...OF_ONE_MODEL, 'driver'];
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

export function mergeParts(
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
