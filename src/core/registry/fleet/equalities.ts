/** Different tools write different values for the same hardware. */
import { cpuModel, isSameGpu, nominalDiskSize, nominalRamSize, standardRate } from '../../labels/hardware-names.ts';
import { CPU_FIELDS, GPU_FIELDS } from '../../labels/label-fields.ts';
import { isJsonObject, type Json } from '../../model/json.ts';

/**
 * Sizes that differ by at most this share count as equal, because tools round sizes. If one of 24 modules is missing,
 * the difference is larger.
 */
const SIZE_TOLERANCE = 0.03;
const TOLERANT = /(^|_)size$/;
/**
 * A number in a `size` field is a number of bytes if it is not smaller than this value. Otherwise, it is a count, as in
 * `smp_size`.
 */
export const LEAST_BYTES = 1_000_000;

/**
 * Disks of the same model differed in size by at most 0.06 % in a registry with 21 disk models, with one exception. A
 * disk of 500 GB and a disk of 512 GB differ by 2 %.
 */
const DISK_SIZE_TOLERANCE = 0.001;

const COMPANY_WORDS = [
  ...['inc', 'corp', 'corporation', 'co', 'ltd', 'llc', 'gmbh', 'and subsidiaries'],
  ...['technology', 'technologies', 'electronics'],
];
const COMPANY = new RegExp(`[,.]?\\s+(${COMPANY_WORDS.join('|')})\\b\\.?`, 'g');
const IS_COMPANY = /(^|_)(vendor|manufacturer)$/;
/** PCI tools append a revision to model names. */
const PCI_REVISION = /\s*\(rev [0-9a-f]+\)$/;
const SYNONYMS: ReadonlyMap<string, string> = new Map([['rotational', 'hdd']]);

export function isToleratedSize(name: string): boolean {
  return TOLERANT.test(name);
}

export function areNearSizes(size: number, other: number, tolerance = SIZE_TOLERANCE): boolean {
  return Math.abs(size - other) <= tolerance * Math.max(size, other);
}

/** Returns a key for a text of a field. Texts that differ only in spelling have equal keys. */
export function textKey(text: string, name: string): string {
  const plain = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(PCI_REVISION, '').replaceAll('_', '-');
  return IS_COMPANY.test(name) ? plain.replace(COMPANY, '') : (SYNONYMS.get(plain) ?? plain);
}

/** Whether two different values of a field describe the same hardware. `path` contains no array indexes. */
export function isSameSpelling(path: readonly string[], from: Json | undefined, to: Json | undefined): boolean {
  const [top = '', name = ''] = [path[0], path.at(-1)];
  if (typeof from === 'string' && typeof to === 'string')
    return textKey(from, name) === textKey(to, name) || areSameModels(top, name, from, to);
  if (typeof from !== 'number' || typeof to !== 'number') return areBothAbsent(path, from, to);
  const tolerance = top === 'storage_devices' ? DISK_SIZE_TOLERANCE : SIZE_TOLERANCE;
  if (isToleratedSize(name) && Math.min(from, to) >= LEAST_BYTES && areNearSizes(from, to, tolerance)) return true;
  const nominal = NOMINAL.get(`${top}.${name}`);
  const size = nominal?.(from);
  return size !== undefined && size === nominal?.(to);
}

/** Whether one value is missing, and the other value describes an absent or disabled part. */
function areBothAbsent(path: readonly string[], from: Json | undefined, to: Json | undefined): boolean {
  if (path.length !== 1 || (from === undefined) === (to === undefined)) return false;
  const part = from ?? to;
  if (!isJsonObject(part)) return false;
  const hasOnly = (names: readonly string[]) =>
    Object.entries(part).every(([name, value]) => names.includes(name) || value === null || value === '');
  if (path[0] === 'gpu') return part['gpu'] === false && hasOnly(['gpu']);
  // Firmware can list disabled ports. A disabled port without an address, a model or a rate is no hardware.
  return path[0] === 'network_adapters' && part['enabled'] === false && hasOnly(DISABLED_PORT_FIELDS);
}

const DISABLED_PORT_FIELDS = ['device', 'name', 'enabled', 'management', 'interface'];

const NOMINAL: ReadonlyMap<string, (value: number) => number | undefined> = new Map([
  ['main_memory.ram_size', nominalRamSize],
  ['storage_devices.size', nominalDiskSize],
  ['network_adapters.rate', standardRate],
]);

function areSameModels(top: string, name: string, from: string, to: string): boolean {
  if (top === 'processor' && CPU_FIELDS.some((field) => field === name)) return isSame(cpuModel(from), cpuModel(to));
  return ['gpu', 'gpu_devices'].includes(top) && GPU_FIELDS.some((field) => field === name) && isSameGpu(from, to);
}

function isSame(model: string | undefined, other: string | undefined): boolean {
  return model !== undefined && model === other;
}
