/**
 * What a processor is called: `Intel(R) Xeon(R) Gold 6240R CPU @ 2.40GHz` is a `Xeon Gold 6240R`, whether the model says so or only
 * the description beside it.
 */

import { isJsonObject, itemsIn, type Json, type JsonObject } from '../model/json.ts';

/** What a description says, and the name of the processor in it; the first that fits. */
const RULES: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/\bXeon (?:CPU )?(Platinum|Gold|Silver|Bronze|Max) (\d{4}\w*\+?)/, ([, line, number]) => `Xeon ${line} ${number}`],
  [
    /\bXeon (?:CPU )?((?:E[357]-|[DEW]-|w\d-)?[A-Z]?\d{4}\w*)(?: (v\d))?/,
    ([, number, version]) => ['Xeon', number, version].filter(Boolean).join(' '),
  ],
  [/\bEPYC (\d\w{2,4})/, ([, number]) => `EPYC ${number}`],
  [/\bOpteron (?:CPU )?(\d{3,4}\w*)/, ([, number]) => `Opteron ${number}`],
  [/\b(Core|Ryzen|Atom|Threadripper) (?:CPU )?((?:\w+ )?[\w-]*\d{3,5}\w*)/, ([, line, number]) => `${line} ${number}`],
  [/\bThunderX2\b.{0,80}?\b(CN\d{4})/, ([, number]) => `ThunderX2 ${number}`],
  [/\bA64FX\b|\b461F0010\b/, () => 'A64FX'],
  [/\bAltra (?:Max )?([QM]\d+-\d+)/, ([, number]) => `Altra ${number}`],
  [/\bPOWER ?(\d+\w*)/i, ([, generation]) => `POWER${generation}`],
  [/\b(Neoverse)[ -](\w\d)/, ([, line, number]) => `${line} ${number}`],
  [/\bX-Gene\b(?: (\d))?/, ([, generation]) => ['X-Gene', generation].filter(Boolean).join(' ')],
];

/** Marks, and words that say nothing. */
const MARKS = /\((?:R|TM|C)\)|[®™]|\bProcessor\b/gi;

export const CPU_FIELDS = ['model', 'other_description', 'version'] as const;

/** How a node names its processors: by the model, or by what stands beside one that names a whole family. */
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

/** The processor that a name means; undefined for one of which no rule knows. */
export function cpuModel(name: string): string | undefined {
  const plain = name.replace(MARKS, '').replace(/\s+/g, ' ');
  for (const [pattern, told] of RULES) {
    const found = pattern.exec(plain);
    if (found) return told(found);
  }
  return undefined;
}

/** Names by which a node tells that it has a GPU, the best first. */
export const GPU_FIELDS = ['gpu_model', 'gpu_name', 'model'] as const;

const IN_BRACKETS = /\[([^[\]]+)\]/;
/** Who makes it, for what, in which form, with how much memory. */
const PASSED_OVER = new RegExp(
  `^(${[
    ...['nvidia', 'amd', 'ati', 'intel', 'corporation', 'corp\\.?', 'inc\\.?', 'tesla', 'instinct'],
    ...['data', 'center', 'gpu', 'accelerator', 'pcie', 'sxm\\d?', 'nvl', 'oam', 'hbm\\w*', '\\d+(gb|gib)'],
  ].join('|')})$`,
  'i',
);
/** `A100`, `MI250X`, `L40S`; and the families whose names have several words. */
const MODEL = /^([A-Z]{1,3}\d{1,4}[A-Za-z]{0,2}|(Quadro|GeForce|Radeon|TITAN|Titan|RTX|GTX|Max|Flex|Arc) \S.*)$/;

export function gpuNames(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(gpuNames);
  if (!isJsonObject(value)) return [];
  const name = GPU_FIELDS.map((field) => (Object.hasOwn(value, field) ? value[field] : undefined)).find(
    (said) => typeof said === 'string' && said.trim() !== '',
  );
  if (typeof name === 'string') return [name];
  return Object.values(value).flatMap((device) => (isJsonObject(device) ? gpuNames(device) : []));
}

/** The model that a name means; undefined for one of which no rule knows. */
export function gpuModel(name: string): string | undefined {
  const [, marketed = name] = IN_BRACKETS.exec(name) ?? [];
  const words = marketed
    .replace(/\bRadeon (?=Instinct\b)/, '')
    .replace(/\bPCI-E\b/, '')
    .split(/[\s-]+/)
    .filter((word) => word !== '' && !PASSED_OVER.test(word));
  const model = words.join(' ');
  return MODEL.test(model) ? model : undefined;
}

/**
 * Sizes as they are sold: tools round them, take decimal units for binary ones, or leave out what the firmware keeps for
 * itself. `192 GiB` of memory stand in registries as 206158430208, 200789721088 and 192000000000 bytes.
 */
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
