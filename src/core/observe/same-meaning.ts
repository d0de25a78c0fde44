/** The registry keeps its spelling of a value if the reported value has the same meaning. */
import { cpuModel, cpuNames, gpuModel, isSameGpu, nominalRamSize } from '../labels/hardware-names.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { isPlaceholder } from '../registry/fleet/placeholders.ts';
import type { Reading, Readings, Value } from './format.ts';
import { biosVersion, chassisName, platformOf } from './observe-machine.ts';
import { dateOf, ethernetMacOf } from './read-values.ts';
import { vendorOf, withoutVendor } from './vendors.ts';

/** Tools round the sizes of disks. */
const DISK_TOLERANCE = 0.01;
/** SCSI cuts model names to 16 characters, and the last character can be a space. */
const SCSI_MODEL = [15, 16];

/** Whether a registry value is missing, null, zero or a placeholder. */
export function isEmptyValue(value: Json | undefined): boolean {
  return value === undefined || value === null || value === 0 || (typeof value === 'string' && isPlaceholder(value));
}

/** `field` is the last name in the path of a field, such as `size`. */
export function hasSameMeaning(field: string, old: Json, now: Value): boolean {
  if (old === now) return true;
  if (typeof old === 'number' && typeof now === 'number') return isSameNumber(field, old, now);
  if (typeof old === 'object') return false;
  const [one, other] = [String(old).trim(), String(now).trim()];
  return one.toLowerCase() === other.toLowerCase() || (TEXTS[field]?.(one, other) ?? false);
}

/** Whether both values are known and have different meanings. */
export function isOtherValue(field: string, old: Json | undefined, now: Reading): boolean {
  const isKnown = old !== undefined && !isEmptyValue(old) && now !== undefined && typeof now !== 'object';
  return isKnown && !hasSameMeaning(field, old, now);
}

function isSameNumber(field: string, old: number, now: number): boolean {
  if (field === 'size') return Math.abs(old - now) <= Math.max(old, now) * DISK_TOLERANCE;
  // A link can run below the rate of its adapter, so a lower reported rate is not a change.
  if (field === 'rate') return now <= old;
  const nominal = field === 'ram_size' ? nominalRamSize(old) : undefined;
  return nominal !== undefined && nominal === nominalRamSize(now);
}

type SameText = (one: string, other: string) => boolean;

function sameBy(normalized: (text: string) => string | undefined): SameText {
  return (one, other) => {
    const text = normalized(one);
    return text !== undefined && text === normalized(other);
  };
}

const sameVendor = sameBy((text) => vendorOf(text).toLowerCase());
const samePlatform = sameBy((text) => platformOf(text.toLowerCase()));
/** Older versions of lsblk write underscores in place of spaces: `Samsung_SSD_860_EVO_500GB`. */
const plainModel = (text: string) => withoutVendor(text.replaceAll('_', ' ')).replace(/ \(rev \w+\)$/, '');

function isSameModel(one: string, other: string): boolean {
  const [cpu, otherCpu] = [cpuModel(one), cpuModel(other)];
  if (cpu !== undefined && otherCpu !== undefined) return cpu === otherCpu;
  const [a, b] = [plainModel(one), plainModel(other)];
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const isCut = [one, other].some(({ length }) => SCSI_MODEL.includes(length));
  const isNumber = long.startsWith(`${short} `) && /\d{4}/.test(short);
  return a === b || ((isCut || isNumber) && long.startsWith(short));
}

function isSameGpuModel(one: string, other: string): boolean {
  const areKnown = [one, other].every((name) => gpuModel(name) !== undefined);
  return areKnown ? isSameGpu(one, other) : isSameModel(one, other);
}

/**
 * RAID controllers report the first 8 characters of the serial numbers of Seagate disks: `ZA18K1280000R751ZZND`. Other
 * disks count upwards: `AA000000000000003422`.
 */
const shortSerial = (text: string) => text.toUpperCase().replace(/^(\w{8})0000[A-Z]\w{7}$/, '$1');

/** For a SATA disk, SCSI reports the second half of the 8 characters of its firmware version: `DL2D` of `G201DL2D`. */
function isSameRevision(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length <= 4 && long.length <= 8 && short === long.padEnd(8).slice(4).trim();
}

/**
 * Linux also reports other versions of an adapter, and Redfish only one of them: `22.0.9` of `9.20 0x8000d95e 22.0.9`.
 * Mellanox adapters have `16.35.2000 (MT_0000000080)` in Linux, and `16.35.20.00` in Redfish. Dell adapters have
 * `FFV21.80.9 bc 5720-v1.39` in Linux.
 */
function isSameFirmware(one: string, other: string): boolean {
  const [short = [], long = []] = [one, other]
    .map((text) => text.replace(/^FFV/, '').split(/[\s/]+/))
    .map((words) => words.map((word) => word.replace(/\.(\d\d)\.(\d\d)$/, '.$1$2')))
    .sort((a, b) => a.length - b.length);
  return short.length === 1 && long.includes(short[0] ?? '');
}

const plainWwn = (text: string) => text.toLowerCase().replace(/^(0x|naa\.|eui\.|wwn-)/, '');

/**
 * Redfish can report the address of a port in place of the WWN of a SAS disk. A disk of Seagate, HGST or Toshiba and its
 * ports have successive numbers, which differ only in the last two bits. Redfish on HPE systems can reverse the bytes of
 * an EUI: `01cf5321e28ee38c` in place of `8ce38ee22153cf01`.
 */
function canonicalWwn(text: string): string {
  const plain = plainWwn(text);
  const [whole, start, last = ''] = /^(5000(?:c50|cca|039)[0-9a-f]{8})([0-9a-f])$/.exec(plain) ?? [];
  if (whole !== undefined) return `${start}${Number.parseInt(last, 16) >> 2}`;
  const bytes = plain.match(/[0-9a-f]{2}/g) ?? [];
  const reversed = bytes.toReversed().join('');
  return plain.length === 16 && reversed.length === 16 && reversed < plain ? reversed : plain;
}

/** Whether the serial number and the WWN differ. Two disks of one batch can have successive WWNs, as ports have. */
export function hasOtherIdentifiers({ serial, wwn }: JsonObject, readings: Readings): boolean {
  const now = readings['wwn'];
  const isOtherWwn = typeof wwn === 'string' && typeof now === 'string' && plainWwn(wwn) !== plainWwn(now);
  return isOtherWwn && isOtherValue('serial', serial, readings['serial']);
}

/**
 * Whether a disk with the same serial number reports a WWN of another length. Linux reports the NGUID of an NVMe disk,
 * and Redfish reports its EUI, which is shorter.
 */
export function hasWwnOfOtherForm({ serial, wwn }: JsonObject, readings: Readings): boolean {
  const [now, nowSerial] = [readings['wwn'], readings['serial']];
  if (typeof wwn !== 'string' || typeof now !== 'string' || typeof nowSerial !== 'string') return false;
  const isSameDisk = typeof serial === 'string' && hasSameMeaning('serial', serial, nowSerial);
  return isSameDisk && plainWwn(wwn).length !== plainWwn(now).length && !isEmptyValue(wwn);
}

const TEXTS: Readonly<Record<string, SameText>> = {
  vendor: sameVendor,
  manufacturer: sameVendor,
  gpu_vendor: sameVendor,
  board_vendor: sameVendor,
  platform_type: samePlatform,
  instruction_set: samePlatform,
  serial: sameBy(shortSerial),
  rev: isSameRevision,
  firmware_version: isSameFirmware,
  version: sameBy(biosVersion),
  release_date: sameBy(dateOf),
  mac: sameBy(ethernetMacOf),
  name: sameBy(chassisName),
  wwn: sameBy(canonicalWwn),
  media_type: sameBy((text) => (/^(hdd|rotational)$/i.test(text) ? 'Rotational' : text)),
  model: isSameModel,
  gpu_model: isSameGpuModel,
};

/** Linux reports the core of an ARM processor in place of its model, such as `Neoverse-N1` for an Ampere Altra. */
const CORE = /^(Neoverse|Cortex)-/;

/**
 * Compares the reported name with all names of the recorded processor, because the model can be only a family. A
 * reported family, such as `Intel(R) Xeon(R) processor`, does not contradict a recorded model.
 */
export function isSameProcessor(processor: Json, now: Value): boolean {
  const name = String(now);
  if (CORE.test(name)) return true;
  const known = cpuNames(processor).flatMap((each) => cpuModel(each) ?? []);
  const model = cpuModel(name);
  return model === undefined ? known.length > 0 && !/\d/.test(name) : known.includes(model);
}

/** Returns false if the reported name or all recorded names are families, such as `Intel Xeon`. */
export function isOtherProcessor(processor: Json, now: Value): boolean {
  const hasModel = cpuNames(processor).some((name) => cpuModel(name) !== undefined);
  return hasModel && cpuModel(String(now)) !== undefined && !isSameProcessor(processor, now);
}

/** DMI reports only `U30` for the BIOS that Redfish on HPE systems calls `U30 v2.76 (03/22/2023)`. */
export function isSameBios(bios: Json | undefined, readings: Readings): boolean {
  const version = isJsonObject(bios) ? bios['version'] : undefined;
  const [, family, date] = /^(\w+) v\S+ \((.+)\)$/.exec(String(version)) ?? [];
  return date !== undefined && family === readings['bios.version'] && dateOf(date) === readings['bios.release_date'];
}
