/** Missing values and placeholders such as `To Be Filled By O.E.M.` are undefined. Wrong types fail with a finding. */
import { fail, finding } from '../diagnostics/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { quantityOf } from '../model/units.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { CONTROL_CHARACTERS } from '../platform/text.ts';
import { isPlaceholder } from '../registry/fleet/placeholders.ts';
import { type Reader, type WeakReason, weak } from './format.ts';
import { vendorOf } from './vendors.ts';

/** The maximum length of a list of parts. The time to pair parts grows with the square of this length. */
export const MOST_PARTS = 2000;
const LONGEST_TEXT = 500;

/** The option `-sanitize` of lshw replaces texts with `[REMOVED]`. BlueField writes `Unspecified System Serial Number`. */
const MORE_PLACEHOLDERS = /^(no module installed|not ?provided|no dimm|::\/0|\[removed\]|unspecified .*|not set|\.+)$/i;

function failValue(field: string, expected: string, found: Json): never {
  const type = Array.isArray(found) ? 'a list' : isJsonObject(found) ? 'a mapping' : JSON.stringify(found).slice(0, 60);
  return fail(finding('observe-value', { field, expected, found: type }));
}

/**
 * Caches the names in each path. Without this cache, splitting paths would take 10 % of the time for reading reports.
 */
const namesByPath = new Map<string, readonly string[]>();

/** `path` joins names with dots. Callers pass only paths from format tables, because all paths stay in the cache. */
export function valueAt(holder: Json | undefined, path: string): Json | undefined {
  let here: Json | undefined = holder;
  const names = getOrCreate(namesByPath, path, () => path.split('.'));
  for (let depth = 0; depth < names.length; depth++) {
    if (here === undefined || here === null) return undefined;
    if (!isJsonObject(here)) return failValue(names.slice(0, depth).join('.'), 'a mapping', here);
    const name = names[depth] ?? '';
    here = Object.hasOwn(here, name) ? here[name] : undefined;
  }
  // Ansible wraps untrusted text in a mapping.
  if (isJsonObject(here) && Object.hasOwn(here, '__ansible_unsafe')) return here['__ansible_unsafe'];
  return here ?? undefined;
}

export function textAt(holder: Json | undefined, path: string): string | undefined {
  return textOf(valueAt(holder, path), path);
}

/** Merges repeated spaces. Returns undefined for numbers, because leading or trailing zeros may be lost. */
export function textOf(value: Json | undefined, field: string): string | undefined {
  if (value === undefined || value === null || typeof value === 'number') return undefined;
  // The collectors of ironic-python-agent write an empty list for an empty text.
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (typeof value !== 'string') return failValue(field, 'a text', value);
  if (value.length > LONGEST_TEXT) return failValue(field, `at most ${LONGEST_TEXT} characters`, value);
  const text = value.trim().replace(/\s+/g, ' ');
  if (text.search(CONTROL_CHARACTERS) >= 0) return failValue(field, 'a text without control characters', text);
  return isPlaceholder(text) || MORE_PLACEHOLDERS.test(text) ? undefined : text;
}

/** Returns the serial number of a part. Zeros and `0123456789` count as placeholders. */
export function serialAt(holder: Json | undefined, path: string): string | undefined {
  const text = textAt(holder, path);
  return text === undefined || isPlaceholder(text, true) ? undefined : text;
}

/** Returns a positive whole number in the base unit, multiplied by `factor`. Accepts numbers in texts. */
export function numberAt(holder: Json | undefined, path: string, factor = 1): number | undefined {
  const value = valueAt(holder, path);
  const given = typeof value === 'string' ? textOf(value, path) : value;
  if (given === undefined || given === null) return undefined;
  const number = typeof given === 'string' && /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : given;
  if (typeof number !== 'number') return failValue(path, 'a number', given);
  const whole = Math.round(number * factor);
  if (!Number.isSafeInteger(whole)) return failValue(path, 'a number within ±9007199254740991', given);
  return whole > 0 ? whole : undefined;
}

/** Returns the sum of a field over all parts. Returns undefined if a part has no number in this field. */
export function sumAt(parts: readonly Json[], path: string): number | undefined {
  const sum = parts.reduce<number>((all, part) => all + (numberAt(part, path) ?? Number.NaN), 0);
  return sum > 0 ? sum : undefined;
}

/** Parses a text with a unit, such as `2400 MHz`, to a number in the base unit. */
export function quantityAt(holder: Json | undefined, path: string): number | undefined {
  const text = textAt(holder, path);
  const quantity = text === undefined ? undefined : quantityOf(text);
  return quantity && quantity.value > 0 ? Math.round(quantity.value) : undefined;
}

export function flagAt(holder: Json | undefined, path: string): boolean | undefined {
  const value = valueAt(holder, path);
  if (value === true || value === 'true' || value === '1' || value === 1) return true;
  if (value === false || value === 'false' || value === '0' || value === 0) return false;
  return value === undefined ? undefined : failValue(path, 'true or false', value);
}

/** Returns the mappings in a list. Returns undefined if there is no list. */
export function itemsAt(holder: Json | undefined, path: string): readonly JsonObject[] | undefined {
  const value = valueAt(holder, path);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return failValue(path, 'a list', value);
  if (value.length > MOST_PARTS) return failValue(path, `at most ${MOST_PARTS} items`, value);
  const items: readonly Json[] = value;
  return items.map((item, i) => (isJsonObject(item) ? item : failValue(`${path}.${i}`, 'a mapping', item)));
}

/** Returns the items of a mapping with their names. Returns undefined if there is no mapping. */
export function entriesAt(holder: Json | undefined, path: string): readonly (readonly [string, Json])[] | undefined {
  const value = valueAt(holder, path);
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return failValue(path, 'a mapping', value);
  const entries = Object.entries(value);
  return entries.length > MOST_PARTS ? failValue(path, `at most ${MOST_PARTS} items`, value) : entries;
}

/** Returns a MAC address in lower case. An InfiniBand address ends in the port's GUID, which has eight octets. */
export function macOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^(0x)?[0-9a-f:.-]+$/i.test(text)) return undefined;
  const digits = text.toLowerCase().replace(/^0x|[:.-]/g, '');
  const own = digits.length === 40 ? digits.slice(-16) : digits;
  if (![12, 16].includes(own.length) || /^(0+|f+)$/.test(own)) return undefined;
  return own.replace(/..(?=.)/g, '$&:');
}

/** Returns the Ethernet address of an adapter. The GUID of an InfiniBand port contains this address. */
export function ethernetMacOf(text: string | undefined): string | undefined {
  return macOf(text)?.replace(/^(.{9})03:00:(.{8})$/, '$1$2');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Converts the date of a firmware, such as `03/09/2015` or `Jan 13 2022`, to the form `2015-03-09`. */
export function dateOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:T.*)?$/.exec(text) ?? [];
  if (year !== undefined) return isoDate(year, Number(month), Number(day));
  const [, us, usDay, usYear = ''] = /^0?(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (us !== undefined) return isoDate(usYear, Number(us), Number(usDay));
  const [, name = '', namedDay, namedYear = ''] = /^([a-z]{3}) +(\d{1,2}) +(\d{4})$/i.exec(text) ?? [];
  return isoDate(namedYear, MONTHS.indexOf(name.toLowerCase()) + 1, Number(namedDay));
}

function isoDate(year: string, month: number, day: number): string | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The functions below create the readers in the tables of formats. */

export function text(...paths: readonly string[]): (part: Json) => string | undefined {
  return (part) => firstOf(paths, (path) => textAt(part, path));
}

export function serial(path: string): Reader {
  return (part) => serialAt(part, path);
}

export function number(path: string, factor = 1): (part: Json) => number | undefined {
  return (part) => numberAt(part, path, factor);
}

export function flag(path: string): Reader {
  return (part) => flagAt(part, path);
}

export function first(...readers: readonly Reader[]): Reader {
  return (part, hints) => firstOf(readers, (read) => read(part, hints));
}

export function weakly(reader: Reader, why?: WeakReason): Reader {
  return (part, hints) => weak(reader(part, hints), why);
}

export function largest(...readers: readonly ((part: Json) => number | undefined)[]): Reader {
  return (part) => Math.max(0, ...readers.map((read) => read(part) ?? 0)) || undefined;
}

function firstOf<T, R>(all: readonly T[], read: (each: T) => R | undefined): R | undefined {
  for (const each of all) {
    const value = read(each);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Reads the base clock from the name of an Intel processor, such as `@ 2.40GHz`. The reading is a substitute. */
export function clockInName(name: Reader): Reader {
  return (part, hints) => {
    const model = name(part, hints);
    const [, digits] = /@ (\d+(?:\.\d+)?) ?GHz/.exec(String(model)) ?? [];
    return weak(digits === undefined ? undefined : Math.round(Number(digits) * 1e9));
  };
}

/** Returns the name of a PCI device, or its id as a substitute. An id has four hexadecimal digits. */
export function pciModel(vendor: string, device: string): Reader {
  return (part, { pci }) => {
    const [vendorId, deviceId] = [textAt(part, vendor), textAt(part, device)];
    if (vendorId === undefined || deviceId === undefined) return undefined;
    return pci?.device(vendorId, deviceId) ?? weak(deviceId, 'pci-id');
  };
}

/** Returns the name of a PCI vendor, or its id as a substitute. */
export function pciVendor(path: string): Reader {
  return (part, { pci }) => {
    const id = textAt(part, path);
    if (id === undefined) return undefined;
    const name = pci?.vendor(id) ?? vendorOf(id);
    return name === id ? weak(id, 'pci-id') : name;
  };
}
