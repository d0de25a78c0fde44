/** Values that different tools write for the same hardware. */
import {
  CPU_FIELDS,
  cpuModel,
  GPU_FIELDS,
  gpuModel,
  nominalDiskSize,
  nominalRamSize,
  standardRate,
} from '../../labels/hardware-names.ts';
import type { Json } from '../../model/json.ts';

/** Tools round sizes, confuse units, or exclude reserved memory. One missing module of 24 is more than 3 %. */
const SIZE_TOLERANCE = 0.03;
const TOLERANT = /(^|_)size$/;
/** Numbers in `size` fields are sizes in bytes from this value on. Smaller ones are counts, such as `smp_size`. */
export const LEAST_BYTES = 1_000_000;

const COMPANY = /[,.]?\s+(inc|corp|corporation|co|ltd|llc|gmbh|and subsidiaries)\b\.?/g;
const IS_COMPANY = /(^|_)(vendor|manufacturer)$/;
/** PCI tools append a revision to the names of models. */
const PCI_REVISION = /\s*\(rev [0-9a-f]+\)$/;
const SYNONYMS: ReadonlyMap<string, string> = new Map([['rotational', 'hdd']]);

export function isToleratedSize(name: string): boolean {
  return TOLERANT.test(name);
}

export function areNearSizes(size: number, other: number): boolean {
  return Math.abs(size - other) <= SIZE_TOLERANCE * Math.max(size, other);
}

/** Returns the same key for texts of a field that differ only in spelling. */
export function textKey(text: string, name: string): string {
  const plain = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(PCI_REVISION, '');
  return IS_COMPANY.test(name) ? plain.replace(COMPANY, '') : (SYNONYMS.get(plain) ?? plain);
}

/** Whether two different values of a field describe the same hardware. `path` contains no array indexes. */
export function isSameSpelling(path: readonly string[], from: Json | undefined, to: Json | undefined): boolean {
  const [top = '', name = ''] = [path[0], path.at(-1)];
  if (typeof from === 'string' && typeof to === 'string')
    return textKey(from, name) === textKey(to, name) || areSameModels(top, name, from, to);
  if (typeof from !== 'number' || typeof to !== 'number') return false;
  if (isToleratedSize(name) && Math.min(from, to) >= LEAST_BYTES && areNearSizes(from, to)) return true;
  const nominal = NOMINAL.get(`${top}.${name}`);
  const size = nominal?.(from);
  return size !== undefined && size === nominal?.(to);
}

const NOMINAL: ReadonlyMap<string, (value: number) => number | undefined> = new Map([
  ['main_memory.ram_size', nominalRamSize],
  ['storage_devices.size', nominalDiskSize],
  ['network_adapters.rate', standardRate],
]);

/** Matches the memory of a GPU in its name. The label of a model omits it, but it is hardware. */
const GPU_MEMORY = /(\d+) ?gi?b\b/i;

function areSameModels(top: string, name: string, from: string, to: string): boolean {
  if (top === 'processor' && CPU_FIELDS.some((field) => field === name)) return isSame(cpuModel(from), cpuModel(to));
  if (!['gpu', 'gpu_devices'].includes(top) || !GPU_FIELDS.some((field) => field === name)) return false;
  const [before, after] = [from, to].map((model) => GPU_MEMORY.exec(model)?.[1]);
  return isSame(gpuModel(from), gpuModel(to)) && (before === undefined || after === undefined || before === after);
}

function isSame(model: string | undefined, other: string | undefined): boolean {
  return model !== undefined && model === other;
}
