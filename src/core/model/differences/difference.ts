/**
 * A difference of two bodies is an unordered list of field changes. Each field change has a JSON pointer (RFC 6901),
 * the value before (`from`) and the value after (`to`). A missing `from` or `to` means that the field did not exist. A
 * null value is different from a missing value.
 *
 * Array items are paired by their key field, or by position if their kind has no key field. Pointers contain array
 * positions before the change. Pointers of added fields contain array positions after the change. If paired items
 * change places, the list also contains a field change with the `order` of the array.
 */
import {
  type ClassedKind,
  type ClassSet,
  classesAt,
  classesBelow,
  classSet,
  type FieldRule,
  ruleAt,
} from '../field-classes.ts';
import { isJsonObject, itemsIn, type Json, type JsonObject, sameJson, textOf } from '../json.ts';
import { escapeToken } from '../json-pointer.ts';
import { pairItems } from './pair-items.ts';

export interface FieldChange {
  readonly at: string;
  readonly from?: Json;
  readonly to?: Json;
  /** The old positions among the paired items, in the new order. Set only if the order changed. */
  readonly order?: readonly number[];
}

/** Returns an empty list if the value is not a mapping. */
export function fieldChangesFrom(source: Json): FieldChange[] {
  if (!isJsonObject(source)) return [];
  const { at, from, to, order } = source;
  return [
    {
      at: textOf(at),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(order === undefined ? {} : { order: itemsIn(order).map(Number) }),
    },
  ];
}

interface Pointers {
  readonly old: string;
  readonly now: string;
}

export function difference(before: JsonObject, after: JsonObject, rule: FieldRule): FieldChange[] {
  const changes: FieldChange[] = [];
  compareObjects(before, after, rule, { old: '', now: '' }, changes);
  return changes;
}

/** Returns the classes of all changed fields. A changed order of array items counts as a change of class `derived`. */
export function classesOf(kind: ClassedKind, changes: readonly FieldChange[]): ClassSet {
  const fields = changes.filter(({ order }) => order === undefined).map(({ at }) => at);
  return classesAt(kind, fields) | (fields.length < changes.length ? DERIVED : 0);
}

/** Returns the classes of changed fields and their subfields. A disk with a serial number adds `component`. */
export function classesWithin(kind: ClassedKind, changes: readonly FieldChange[]): ClassSet {
  let set: ClassSet = 0;
  for (const { at, from, to, order } of changes) {
    if (order !== undefined) continue;
    for (const side of [from, to]) if (side !== undefined) set |= classesBelow(side, ruleAt(kind, at));
  }
  return set;
}

/** Whether each change replaces one identifier of a part, such as a serial number, with another identifier. */
export function isReplacement(kind: ClassedKind, changes: readonly FieldChange[]): boolean {
  const isFilled = (value: Json | undefined) => value !== undefined && value !== null && value !== '';
  return (
    changes.length > 0 &&
    changes.every(({ at, from, to }) => isFilled(from) && isFilled(to) && classesAt(kind, [at]) === COMPONENT)
  );
}

export function updateAction(kind: ClassedKind, fields: readonly FieldChange[]): 'updated' | 'replaced' {
  return isReplacement(kind, fields) ? 'replaced' : 'updated';
}

const COMPONENT = classSet(['component']);
const DERIVED = classSet(['derived']);

function compare(before: Json, after: Json, rule: FieldRule, at: Pointers, changes: FieldChange[]): void {
  if (isJsonObject(before) && isJsonObject(after)) compareObjects(before, after, rule, at, changes);
  else if (Array.isArray(before) && Array.isArray(after)) compareArrays(before, after, rule, at, changes);
  else if (!sameJson(before, after)) changes.push({ at: at.old, from: before, to: after });
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  rule: FieldRule,
  at: Pointers,
  changes: FieldChange[],
): void {
  for (const key of Object.keys(before)) {
    const from = before[key] ?? null;
    if (from === after[key] && Object.hasOwn(after, key)) continue;
    const token = escapeToken(key);
    if (!Object.hasOwn(after, key)) changes.push({ at: `${at.old}/${token}`, from });
    else compare(from, after[key] ?? null, rule.below(key), below(at, token, token), changes);
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ at: `${at.now}/${escapeToken(key)}`, to: after[key] ?? null });
  }
}

function compareArrays(
  before: readonly Json[],
  after: readonly Json[],
  rule: FieldRule,
  at: Pointers,
  changes: FieldChange[],
): void {
  const item = rule.below('0');
  const partners = pairItems(before, after, rule.keys);
  const places = new Map(partners.flatMap((i, j) => (i === undefined ? [] : [[i, j] as const])));
  for (const [i, from] of before.entries()) {
    const j = places.get(i);
    if (j === undefined) changes.push({ at: `${at.old}/${i}`, from });
    else compare(from, after[j] ?? null, item, below(at, i, j), changes);
  }
  const staying = [...places.keys()].sort((a, b) => a - b);
  const ranks = new Map(staying.map((i, rank) => [i, rank]));
  const order = partners.flatMap((i) => (i === undefined ? [] : [ranks.get(i) ?? 0]));
  if (order.some((rank, i) => rank !== i)) changes.push({ at: at.old, order });
  for (const [j, to] of after.entries()) {
    if (partners[j] === undefined) changes.push({ at: `${at.now}/${j}`, to });
  }
}

function below(at: Pointers, old: string | number, now: string | number): Pointers {
  return { old: `${at.old}/${old}`, now: `${at.now}/${now}` };
}
