/** Writes the values of a report into the fields of a node or a part. */
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Reading, Readings, Weak, WeakReason } from './format.ts';
import { pciId } from './pci-ids.ts';
import { hasSameMeaning, isEmptyValue, isSameBios, isSameProcessor } from './same-meaning.ts';

/** An id without `0x` starts with a digit, because `A100`, `b200` and `E810` are names of models. */
export const PCI_ID = /^(0x[0-9a-f]|\d)[0-9a-f]{3}$/i;

export function mergeFields(body: JsonObject, readings: Readings, substitutes: Set<WeakReason>): JsonObject {
  let merged = body;
  for (const [field, reading] of Object.entries(readings)) {
    const value = newValue(field, body, reading);
    if (value === undefined || (field === 'bios.version' && isSameBios(body['bios'], readings))) continue;
    if (typeof reading === 'object' && reading.why !== undefined) substitutes.add(reading.why);
    merged = withField(merged, field, value);
  }
  return merged;
}

/** Returns the value to write into the body. Returns undefined if the field does not change. */
export function newValue(field: string, body: JsonObject, reading: Reading): Json | undefined {
  const old = fieldOf(body, field);
  if (typeof reading === 'object') return isEmptyValue(old) || isOtherId(old, reading) ? reading.weak : undefined;
  if (reading === undefined || old === undefined || isEmptyValue(old)) return reading;
  if (hasSameMeaning(lastPart(field), old, reading)) return undefined;
  if (field === 'processor.model' && isSameProcessor(body['processor'] ?? null, reading)) return undefined;
  return reading;
}

/** A PCI id is an estimate, but it replaces the id of another device. */
function isOtherId(old: Json | undefined, { weak, why }: Weak): boolean {
  if (why !== 'pci-id' || typeof old !== 'string' || !PCI_ID.test(old)) return false;
  return pciId(old) !== pciId(String(weak));
}

export function lastPart(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1);
}

export function fieldOf(body: JsonObject, field: string): Json | undefined {
  let here: Json | undefined = body;
  for (const name of field.split('.')) here = isJsonObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}

/** If the registry stores a list in place of a mapping such as `gpu`, the list does not change. */
export function withField(body: JsonObject, field: string, value: Json): JsonObject {
  const [name = '', below] = field.split('.');
  if (below === undefined) return { ...body, [name]: value };
  const holder = body[name] ?? {};
  return isJsonObject(holder) ? { ...body, [name]: { ...holder, [below]: value } } : body;
}

export function without(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
