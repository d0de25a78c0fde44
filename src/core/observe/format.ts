/** A report format is a table with a function for each field. The function reads the field from a report. */
import type { Json } from '../model/json.ts';
import type { PciNames } from './pci-ids.ts';

export type Value = string | number | boolean;

/** The reason why a value in a report is only a substitute for the real value. */
export type WeakReason = 'kernel' | 'configured' | 'pci-id';

/** A weak reading fills an empty field of the registry, but never replaces a recorded value. */
export interface Weak {
  readonly weak: Value;
  readonly why: WeakReason | undefined;
}

/** An undefined reading is unknown, so the registry field does not change. */
export type Reading = Value | Weak | undefined;
/** Readings by dotted field name, such as `chassis.serial`. */
export type Readings = Readonly<Record<string, Reading>>;

export interface Hints {
  readonly pci: PciNames | undefined;
}

/** Throws a finding if the value has the wrong type. */
export type Reader = (part: Json, hints: Hints) => Reading;
export type Fields = Readonly<Record<string, Reader>>;

export const PART_LISTS = ['storage_devices', 'network_adapters'] as const;
export type PartList = (typeof PART_LISTS)[number];

interface Parts {
  /** Returns the parts of one kind, such as the disks. Returns undefined if the report does not list these parts. */
  readonly of: (machine: Json) => readonly Json[] | undefined;
  readonly fields: Fields;
  /** Whether a report lists all parts of the machine. If so, an unlisted part was removed from the machine. */
  readonly isComplete: boolean | ((machine: Json) => boolean);
  /** Whether a report lists the disks behind a RAID controller in place of its volumes. */
  readonly omitsVolumes?: boolean;
}

export interface Format extends Partial<Readonly<Record<PartList, Parts>>> {
  readonly name: string;
  readonly recognises: (report: Json) => boolean;
  /** Splits a report into machines. The functions below read one of these machines. */
  readonly machines: (report: Json) => Iterable<Json>;
  /** The functions that read a uid from a machine, in order of reliability. */
  readonly uids?: readonly Reader[];
  readonly serials?: readonly Reader[];
  readonly names: readonly Reader[];
  /** The functions that read the fields of a node. Parts and GPUs have their own functions. */
  readonly node: Fields;
  /** Returns the GPUs of a machine. Fields such as the number and the model of the GPUs are computed from this list. */
  readonly gpus?: (machine: Json, hints: Hints) => readonly Gpu[] | undefined;
}

export interface Gpu {
  readonly vendor: string | undefined;
  readonly model: Reading;
}

export interface Machine extends Readonly<Partial<Record<PartList, readonly Readings[]>>> {
  readonly uids: readonly string[];
  readonly serials: readonly string[];
  readonly names: readonly string[];
  readonly node: Readings;
  /** The lists that contain every part of their kind in the machine. */
  readonly completeLists: readonly PartList[];
  /** Whether reports of this format list the disks behind a RAID controller in place of its volumes. */
  readonly omitsVolumes: boolean;
  /** Whether reports of this format list all network adapters. In a bond, a list can still lack MAC addresses. */
  readonly listsAdapters: boolean;
}

/** Returns the reading that all GPUs share, because one field describes all GPUs. Undefined if readings differ. */
export function common<T extends Reading>(readings: readonly T[]): T | undefined {
  const [first] = readings;
  return readings.every((each) => plain(each) === plain(first)) ? first : undefined;
}

export function plain(reading: Reading): Value | undefined {
  return typeof reading === 'object' ? reading.weak : reading;
}

export function weak(value: Reading, why?: WeakReason): Weak | undefined {
  return value === undefined || typeof value === 'object' ? value : { weak: value, why };
}
