/**
 * Pairs the parts in a report with the parts in the registry: network adapters by MAC address, disks by serial number
 * or WWN. The remaining parts are paired by weaker properties, such as the device name. A replacement often has the
 * device name of the old part.
 */
import type { JsonObject } from '../model/json.ts';
import { type PartList, plain, type Readings } from './format.ts';
import { isRaidVolume } from './observe-machine.ts';
import { hasSameMeaning, isEmptyValue } from './same-meaning.ts';

type Pairs = (part: JsonObject, readings: Readings) => boolean;

function sameField(field: string): Pairs {
  return (part, readings) => {
    const [old, now] = [part[field], plain(readings[field])];
    return old !== undefined && !isEmptyValue(old) && now !== undefined && hasSameMeaning(field, old, now);
  };
}

const every =
  (...tests: readonly Pairs[]): Pairs =>
  (part, readings) =>
    tests.every((test) => test(part, readings));

const STEPS: Readonly<Record<PartList, readonly Pairs[]>> = {
  storage_devices: [
    // The namespaces of an NVMe disk, and the volumes of some RAID controllers, have the same serial number.
    every(sameField('serial'), sameField('wwn')),
    every(sameField('serial'), sameField('size')),
    sameField('serial'),
    sameField('wwn'),
    every(sameField('device'), sameField('model'), sameField('size')),
    every(sameField('model'), sameField('size')),
    every(sameField('device'), sameField('size')),
    every((part) => isEmptyValue(part['model']), sameField('size')),
    sameField('device'),
  ],
  network_adapters: [sameField('mac'), sameField('device')],
};

/** The number of steps at the start of `STEPS` that compare identifiers. The steps after them are less reliable. */
const IDENTIFYING: Readonly<Record<PartList, number>> = { storage_devices: 4, network_adapters: 1 };

export interface Partner {
  /** The position of the recorded part. */
  readonly position: number;
  /** Whether an identifier is the same. If not, weaker properties are the same. */
  readonly isIdentified: boolean;
}

/** Returns, for each reported part, its recorded part, or undefined for a new part. */
export function pairParts(
  list: PartList,
  before: readonly JsonObject[],
  observed: readonly Readings[],
  isComplete: boolean,
): (Partner | undefined)[] {
  const partners: (Partner | undefined)[] = observed.map(() => undefined);
  const free = new Set(before.keys());
  const pair = (isPartner: Pairs, isIdentified = false) => {
    for (const [j, readings] of observed.entries()) {
      if (partners[j] !== undefined) continue;
      const found = [...free].find((i) => isPartner(before[i] ?? {}, readings));
      if (found === undefined) continue;
      partners[j] = { position: found, isIdentified };
      free.delete(found);
    }
  };
  const steps = STEPS[list];
  for (const step of steps.slice(0, IDENTIFYING[list])) pair(step, true);
  for (const step of steps.slice(IDENTIFYING[list])) pair(every(isOfSameSort, step));
  const left = partners.filter((partner) => partner === undefined).length;
  const sameSort = observed.flatMap((readings, j) => (partners[j] === undefined ? [readings] : []));
  const [only] = sameSort;
  // If one part remains on each side, the new part replaced the old part. An incomplete report can omit the old part.
  if (isComplete && left === 1 && only && [...free].filter((i) => isOfSameSort(before[i] ?? {}, only)).length === 1)
    pair(isOfSameSort);
  return partners;
}

/** Pairs only parts of the same sort. A RAID volume is not a disk. A BMC adapter is not an adapter of the host. */
function isOfSameSort(part: JsonObject, readings: Readings): boolean {
  const isVolume = isRaidVolume(part['model']) === isRaidVolume(plain(readings['model']));
  return isVolume && isOfBmc(part) === (readings['management'] === true);
}

/** Inventory tools also write booleans as texts. */
export function isOfBmc({ management }: JsonObject): boolean {
  return management === true || management === 'true';
}
