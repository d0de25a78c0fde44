/** Normalizes hardware names and sizes: `Intel(R) Xeon(R) Gold 6240R CPU @ 2.40GHz` becomes `Xeon Gold 6240R`. */

import { isJsonObject, itemsIn, type Json, type JsonObject } from '../model/json.ts';
import { CPU_FIELDS, GPU_FIELDS } from './label-fields.ts';

/** Patterns for descriptions that contain the name of the processor. The first matching pattern applies. */
const RULES: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/\bXeon (?:CPU )?(Platinum|Gold|Silver|Bronze|Max) (\d{4}\w*\+?)/, ([, line, number]) => `Xeon ${line} ${number}`],
  [
    /\bXeon (?:CPU )?((?:E[357]-|[DEW]-|w\d-)?[A-Z]?\d{4}\w*)(?: (v\d))?/,
    ([, number, version]) => ['Xeon', number, version].filter(Boolean).join(' '),
  ],
  [/\bEPYC (\d\w{2,5})/, ([, number]) => `EPYC ${number}`],
  [/\bOpteron (?:CPU )?(\d{3,4}\w*)/, ([, number]) => `Opteron ${number}`],
  [/\b(Core|Ryzen|Atom|Threadripper) (?:CPU )?((?:\w+ )?[\w-]*\d{3,5}\w*)/, ([, line, number]) => `${line} ${number}`],
  [/\bThunderX2\b.{0,80}?\b(CN\d{4})/, ([, number]) => `ThunderX2 ${number}`],
  [/\bA64FX\b|\b461F0010\b/, () => 'A64FX'],
  [/\bAltra (?:Max )?([QM]\d+-\d+)/, ([, number]) => `Altra ${number}`],
  [/\bPOWER ?(\d+\w*)/i, ([, generation]) => `POWER${generation}`],
  [/\b(Neoverse)[ -](\w\d)/, ([, line, number]) => `${line} ${number}`],
  [/\bX-Gene\b(?: (\d))?/, ([, generation]) => ['X-Gene', generation].filter(Boolean).join(' ')],
];

const MARKS = /\((?:R|TM|C)\)|[®™]|\bProcessor\b/gi;

/** Returns the names of processors: the model, or another field if the model contains only the name of a family. */
export function cpuNames(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(cpuNames);
  if (!isJsonObject(value)) return [];
  const [model, description, version] = CPU_FIELDS.map((name) => textIn(value, name));
  if (model !== undefined && /\d/.test(model)) return [model];
  if (description !== undefined) return [description];
  if (model === undefined) return [];
  const isNumber = version !== undefined && /\d/.test(version) && !/^Model\b/.test(version);
  return [isNumber ? `${model} ${version}` : model];
}

function textIn(value: JsonObject, name: string): string | undefined {
  const text = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** Newer processors of Intel have names such as `INTEL(R) XEON(R) PLATINUM 8592+`. */
const CAPITALS = /\b(XEON|PLATINUM|GOLD|SILVER|BRONZE)\b/g;

export function cpuModel(name: string): string | undefined {
  const plain = name
    .replace(MARKS, '')
    .replace(CAPITALS, (word) => word[0] + word.slice(1).toLowerCase())
    .replace(/\s+/g, ' ');
  for (const [pattern, modelOf] of RULES) {
    const found = pattern.exec(plain);
    if (found) return modelOf(found);
  }
  return undefined;
}

const IN_BRACKETS = /\[([^[\]]+)\]/;
const REDUNDANT_WORDS = new RegExp(
  `^(${[
    ...['nvidia', 'amd', 'ati', 'intel', 'corporation', 'corp\\.?', 'inc\\.?', 'tesla', 'instinct'],
    ...['data', 'center', 'gpu', 'accelerator', 'pcie', 'sxm\\d?', 'nvl(?:ink)?', 'oam', 'hbm\\w*', '\\d+(gb|gib)'],
  ].join('|')})$`,
  'i',
);
/** Matches `A100`, `MI250X`, `L40S`, and names of families with several words. */
const MODEL = /^([A-Z]{1,3}\d{1,4}[A-Za-z]{0,2}|(Quadro|GeForce|Radeon|TITAN|Titan|RTX|GTX|Max|Flex|Arc) \S.*)$/;

export function gpuNames(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(gpuNames);
  if (!isJsonObject(value)) return [];
  const name = GPU_FIELDS.map((field) => (Object.hasOwn(value, field) ? value[field] : undefined)).find(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  if (typeof name === 'string') return [name];
  return Object.values(value).flatMap((device) => (isJsonObject(device) ? gpuNames(device) : []));
}

export function gpuModel(name: string): string | undefined {
  const [, marketed = name] = IN_BRACKETS.exec(name) ?? [];
  const words = marketed
    .replace(/\bRadeon (?=Instinct\b)/, '')
    .replace(/\bPCI-E\b/, '')
    .split(/[\s_-]+/)
    .filter((word) => word !== '' && !REDUNDANT_WORDS.test(word));
  const model = words.join(' ');
  return MODEL.test(model) ? model : undefined;
}

/** Matches the memory size in the name of a GPU. The memory size is hardware, but the label omits it. */
const GPU_MEMORY = /(\d+) ?gi?b\b/i;

/** Whether two names have the same label, and no different memory sizes. */
export function isSameGpu(one: string, other: string): boolean {
  const model = gpuModel(one);
  const [before, after] = [one, other].map((name) => GPU_MEMORY.exec(name)?.[1]);
  return model !== undefined && model === gpuModel(other) && (!before || !after || before === after);
}

// Inventory tools round sizes, confuse units or omit reserved memory, so the nominal size must be computed.
// 206158430208 and 192000000000 can both mean `192 GiB`.
const MiB = 2 ** 20;
const GiB = 2 ** 30;
const GB = 1e9;

/** The maximum share of memory that firmware and graphics reserve. `RESERVED_BYTES` applies to a small memory. */
const RESERVED_SHARE = 0.03;
const RESERVED_BYTES = 0.6 * GiB;
/** The maximum odd factor of a nominal size. Modules are equal, so a size is a power of two times an odd number. */
const MOST_ODD_PART = 15;

/** The maximum memory size, where the search for the next nominal size ends. */
const MOST_RAM_BYTES = 2 ** 50;

/** Registries describe devices as a list or as a mapping. */
function devicesIn(value: Json): readonly Json[] {
  return isJsonObject(value) ? Object.values(value) : itemsIn(value);
}

/** Returns a list with the number in a field, or an empty list if there is no positive number. */
function positiveNumber(value: Json, field: string): number[] {
  const number = isJsonObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return typeof number === 'number' && number > 0 ? [number] : [];
}

export function ramSizes(value: Json): number[] {
  return positiveNumber(value, 'ram_size');
}

/** Returns the nominal memory size in bytes. Returns undefined if no set of equal modules has this size. */
export function nominalRamSize(bytes: number): number | undefined {
  if (bytes > MOST_RAM_BYTES) return undefined;
  const decimal = bytes / GB;
  if (Number.isInteger(decimal) && isNominalSize(decimal)) return decimal * GiB;
  if (bytes < GiB) return isNominalSize(bytes / MiB) ? bytes : undefined;
  const most = Math.max(bytes / (1 - RESERVED_SHARE), bytes + RESERVED_BYTES) / GiB;
  for (let gib = Math.ceil(bytes / GiB); gib <= most; gib++) {
    if (isNominalSize(gib)) return gib * GiB;
  }
  return undefined;
}

function isNominalSize(size: number): boolean {
  let odd = size;
  while (odd > MOST_ODD_PART && odd % 2 === 0) odd /= 2;
  return Number.isInteger(odd) && odd <= MOST_ODD_PART;
}

/** The nominal disk sizes in GB. */
const DISKS = [
  ...[16, 20, 32, 36, 40, 60, 64, 72, 73, 80, 100, 120, 128, 146, 160, 200, 240, 250, 256, 300, 320, 375, 400],
  ...[450, 480, 500, 512, 600, 640, 750, 800, 900, 960, 1000, 1024, 1200, 1500, 1600, 1800, 1920, 2000, 2400],
  ...[3000, 3200, 3840, 4000, 5000, 6000, 6400, 7680, 8000, 10_000, 12_000, 12_800, 14_000, 15_360, 16_000],
  ...[18_000, 20_000, 22_000, 24_000, 26_000, 28_000, 30_000, 30_720, 32_000, 61_440, 122_880],
];
const DISK_TOLERANCE = 0.01;

export function diskSizes(value: Json): number[] {
  return devicesIn(value).flatMap((device) => positiveNumber(device, 'size'));
}

/** Returns the nominal disk size in bytes. Returns undefined if no nominal size is close to the given size. */
export function nominalDiskSize(bytes: number): number | undefined {
  return nearest(bytes, DISKS, DISK_TOLERANCE);
}

/** Standard rates of Ethernet, InfiniBand and Omni-Path in Gbit/s. */
const RATES = [0.01, 0.1, 1, 2.5, 5, 8, 10, 16, 20, 25, 32, 40, 50, 54, 56, 100, 200, 400, 800, 1600];
const RATE_TOLERANCE = 0.01;

/** Returns the rates of the adapters in use, or of all adapters if no adapter is in use. */
export function networkRates(value: Json): number[] {
  const adapters = devicesIn(value).filter(isJsonObject);
  const rated = adapters.flatMap((adapter) => positiveNumber(adapter, 'rate').map((rate) => ({ adapter, rate })));
  const inUse = rated.filter(
    ({ adapter }) => !isFlag(adapter['enabled'], false) && !isFlag(adapter['management'], true),
  );
  return (inUse.length > 0 ? inUse : rated).map(({ rate }) => rate);
}

/** Inventory tools also write booleans as strings. */
function isFlag(value: Json | undefined, flag: boolean): boolean {
  return value === flag || value === String(flag);
}

/** Returns the standard rate in bit/s. Returns undefined if no standard rate is close to the given rate. */
export function standardRate(rate: number): number | undefined {
  return nearest(rate, RATES, RATE_TOLERANCE);
}

/** `known` lists numbers of gigabytes, or of gigabits per second. */
function nearest(value: number, known: readonly number[], tolerance: number): number | undefined {
  let best: number | undefined;
  for (const size of known.map((each) => each * GB)) {
    const away = Math.abs(value - size);
    if (away <= size * tolerance && (best === undefined || away < Math.abs(value - best))) best = Math.round(size);
  }
  return best;
}
