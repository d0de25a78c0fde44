/**
 * Sizes as they are sold: tools round them, take decimal units for binary ones, or leave out what the firmware keeps for
 * itself. `192 GiB` of memory stand in registries as 206158430208, 200789721088 and 192000000000 bytes.
 */
import { isJsonObject, itemsIn, type Json } from '../model/json.ts';

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const GB = 1e9;

/** How much of the memory the firmware and the graphics keep for themselves: the larger of a share and of bytes. */
const RESERVED_SHARE = 0.03;
const RESERVED_BYTES = 0.6 * GiB;
/** Modules are of powers of two, of three times one and so on; a node has equal numbers of them. */
const MOST_ODD_PART = 15;

/** More than any node has: the steps up to the next size that is sold grow with what is asked. */
const MOST_RAM_BYTES = 2 ** 50;

export function ramSizes(value: Json): number[] {
  const size = isJsonObject(value) && Object.hasOwn(value, 'ram_size') ? value['ram_size'] : undefined;
  return typeof size === 'number' && size > 0 ? [size] : [];
}

/** The size of memory as it is sold, in bytes; undefined where no number of modules makes it. */
export function soldRamSize(bytes: number): number | undefined {
  if (bytes > MOST_RAM_BYTES) return undefined;
  const decimal = bytes / GB;
  if (Number.isInteger(decimal) && isSold(decimal)) return decimal * GiB;
  if (bytes < GiB) return isSold(bytes / MiB) ? bytes : undefined;
  const most = Math.max(bytes / (1 - RESERVED_SHARE), bytes + RESERVED_BYTES) / GiB;
  for (let gib = Math.ceil(bytes / GiB); gib <= most; gib++) {
    if (isSold(gib)) return gib * GiB;
  }
  return undefined;
}

function isSold(size: number): boolean {
  let odd = size;
  while (odd > MOST_ODD_PART && odd % 2 === 0) odd /= 2;
  return Number.isInteger(odd) && odd <= MOST_ODD_PART;
}

/** The sizes of disks in GB, as makers print them on the label. */
const DISKS = [
  ...[16, 20, 32, 36, 40, 60, 64, 72, 73, 80, 100, 120, 128, 146, 160, 200, 240, 250, 256, 300, 320, 375, 400],
  ...[450, 480, 500, 512, 600, 640, 750, 800, 900, 960, 1000, 1024, 1200, 1500, 1600, 1800, 1920, 2000, 2400],
  ...[3000, 3200, 3840, 4000, 5000, 6000, 6400, 7680, 8000, 10_000, 12_000, 12_800, 14_000, 15_360, 16_000],
  ...[18_000, 20_000, 22_000, 24_000, 26_000, 28_000, 30_000, 30_720, 32_000, 61_440, 122_880],
];
const DISK_TOLERANCE = 0.01;

export function diskSizes(value: Json): number[] {
  const devices = isJsonObject(value) ? Object.values(value) : itemsIn(value);
  return devices.flatMap((device) => {
    const size = isJsonObject(device) && Object.hasOwn(device, 'size') ? device['size'] : undefined;
    return typeof size === 'number' && size > 0 ? [size] : [];
  });
}

/** The size of a disk as it is sold, in bytes; undefined where none is sold of about that size. */
export function soldDiskSize(bytes: number): number | undefined {
  return nearest(bytes, DISKS, GB, DISK_TOLERANCE);
}

/** Rates of Ethernet, InfiniBand and Omni-Path in Gbit/s. */
const RATES = [0.01, 0.1, 1, 2.5, 5, 8, 10, 16, 20, 25, 32, 40, 50, 54, 56, 100, 200, 400, 800, 1600];
const RATE_TOLERANCE = 0.01;

/** The rates of the adapters that are in use; of all, where none is said to be. */
export function networkRates(value: Json): number[] {
  const adapters = (isJsonObject(value) ? Object.values(value) : itemsIn(value)).filter(isJsonObject);
  const rated = adapters.flatMap((adapter) => {
    const rate = Object.hasOwn(adapter, 'rate') ? adapter['rate'] : undefined;
    return typeof rate === 'number' && rate > 0 ? [{ adapter, rate }] : [];
  });
  const inUse = rated.filter(
    ({ adapter }) => !isSaid(adapter['enabled'], false) && !isSaid(adapter['management'], true),
  );
  return (inUse.length > 0 ? inUse : rated).map(({ rate }) => rate);
}

/** Inventory tools write booleans as words, too. */
function isSaid(value: Json | undefined, flag: boolean): boolean {
  return value === flag || value === String(flag);
}

/** A rate as standards name it, in bit/s; undefined where none names it. */
export function standardRate(rate: number): number | undefined {
  return nearest(rate, RATES, GB, RATE_TOLERANCE);
}

function nearest(value: number, known: readonly number[], unit: number, tolerance: number): number | undefined {
  let best: number | undefined;
  for (const each of known) {
    const away = Math.abs(value - each * unit);
    if (away <= each * unit * tolerance && (best === undefined || away < Math.abs(value - best))) {
      best = Math.round(each * unit);
    }
  }
  return best;
}
