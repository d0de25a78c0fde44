/**
 * The difference of two bodies: the one engine behind records, version documents, `gridpress diff` and locks.
 *
 * A difference is a list of fields, each named by a JSON pointer (RFC 6901) with what was there (`from`) and what is
 * there now (`to`). A side that is left out means that there was nothing, so null and absent differ. The order of the
 * list carries no meaning.
 *
 * The items of an array are compared with those that have the same key, where their kind has one, else by position.
 * So positions may shift: a pointer counts in the array as it was, but in the array as it is now where there is only
 * a `to`. Items that stay and change places are one more field, with their `order`.
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
import { escapeToken, isJsonObject, itemsIn, type Json, type JsonObject, sameJson } from '../json.ts';
import { pairItems } from './pair-items.ts';

export interface FieldChange {
  readonly at: string;
  readonly from?: Json;
  readonly to?: Json;
  /** For each item that stays, as they stand now: its former place among the items that stay. */
  readonly order?: readonly number[];
}

/** A change of a field as documents and files tell it; nothing where they tell something else. */
export function fieldOf(source: Json): FieldChange[] {
  if (!isJsonObject(source)) return [];
  const { at, from, to, order } = source;
  return [
    {
      at: typeof at === 'string' ? at : '',
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

/** Every field in which `after` differs from `before`, in the order of `before`, then what `after` adds. */
export function difference(before: JsonObject, after: JsonObject, rule: FieldRule): FieldChange[] {
  const changes: FieldChange[] = [];
  compareObjects(before, after, rule, { old: '', now: '' }, changes);
  return changes;
}

/** The classes of all fields of a difference. The order of items says nothing that the items do not: it is `derived`. */
export function classesOf(kind: ClassedKind, changes: readonly FieldChange[]): ClassSet {
  const fields = changes.filter(({ order }) => order === undefined).map(({ at }) => at);
  return classesAt(kind, fields) | (fields.length < changes.length ? DERIVED : 0);
}

/**
 * The classes of all fields of a difference and of all that came, went or was exchanged below them: a disk that comes is
 * `hardware`, as `classesOf` says, and brings fields of other classes too. The order of items is in none.
 */
export function classesWithin(kind: ClassedKind, changes: readonly FieldChange[]): ClassSet {
  let set: ClassSet = 0;
  for (const { at, from, to, order } of changes) {
    if (order !== undefined) continue;
    for (const side of [from, to]) if (side !== undefined) set |= classesBelow(side, ruleAt(kind, at));
  }
  return set;
}

/**
 * Whether a difference is the exchange of parts for others of their kind: it touches only what says which specimens
 * they are, and says so of those before and of those now.
 */
export function isReplacement(kind: ClassedKind, changes: readonly FieldChange[]): boolean {
  const isSaid = (value: Json | undefined) => value !== undefined && value !== null && value !== '';
  return classesOf(kind, changes) === COMPONENT && changes.every(({ from, to }) => isSaid(from) && isSaid(to));
}

/** An update in which only the identity of parts changed is a replacement: the hardware is another, its kind the same. */
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
