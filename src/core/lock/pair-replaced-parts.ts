/**
 * Pairs removed and added parts that have the same model, such as a disk with a new device name. `difference` has
 * already paired parts with the same device name or serial number. The history does not contain the additional pairs.
 */
import { classesOf, difference, type FieldChange } from '../model/differences/difference.ts';
import { classSet, ruleAt } from '../model/field-classes.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import { isIndex, pointerTokens } from '../model/json-pointer.ts';
import { NODE } from '../model/kinds.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { textKey } from '../registry/fleet/equalities.ts';

interface Part {
  readonly change: FieldChange;
  readonly body: JsonObject;
}

interface Alike {
  readonly removed: Part[];
  readonly added: Part[];
}

export interface PairedChange extends FieldChange {
  /**
   * The pointer of an added field, as if the removed part contained this field. The field label then contains the
   * removed part's name.
   */
  readonly removedAt?: string;
}

/** Replaces the removed and the added part of each pair with the field changes between the two parts. */
export function pairReplacedParts(changes: readonly FieldChange[]): PairedChange[] {
  const byModel = new Map<string, Alike>();
  for (const change of changes) {
    const { at, from, to } = change;
    const list = listOf(at);
    const body = from ?? to;
    if (list === undefined || !isJsonObject(body) || (from === undefined) === (to === undefined)) continue;
    const model = body['model'];
    if (typeof model !== 'string' || model.trim() === '') continue;
    const key = JSON.stringify([list, textKey(model, 'model')]);
    const alike = getOrCreate(byModel, key, (): Alike => ({ removed: [], added: [] }));
    alike[to === undefined ? 'removed' : 'added'].push({ change, body });
  }
  const paired = new Map<FieldChange, readonly PairedChange[]>();
  for (const { removed, added } of byModel.values()) {
    if (removed.length !== added.length) continue;
    if (!isInterchangeable(removed) && !isInterchangeable(added)) continue;
    for (const [i, part] of removed.entries()) {
      const other = added[i];
      if (!other) continue;
      paired.set(part.change, changesOf(part, other));
      paired.set(other.change, []);
    }
  }
  return changes.flatMap((change) => paired.get(change) ?? [change]);
}

/** Returns the pointer of the array that contains the item at the pointer `at`. Undefined if `at` is no array item. */
function listOf(at: string): string | undefined {
  const last = pointerTokens(at)?.at(-1);
  return last !== undefined && isIndex(last) ? at.slice(0, -last.length) : undefined;
}

const NAMES = classSet(['identity', 'derived']);

/** Whether the parts differ only in their names. If so, every pairing is correct. */
function isInterchangeable([first, ...others]: readonly Part[]): boolean {
  return first === undefined || others.every((part) => (classesOf(NODE, changesOf(first, part)) & ~NAMES) === 0);
}

/** Returns the field changes of a replaced part. Pointers of added fields contain the added part's position. */
function changesOf(removed: Part, added: Part): PairedChange[] {
  const changes = difference(removed.body, added.body, ruleAt(NODE, removed.change.at));
  return changes.map((change) => {
    const isAdded = change.from === undefined && change.order === undefined;
    const removedAt = `${removed.change.at}${change.at}`;
    return isAdded ? { ...change, at: `${added.change.at}${change.at}`, removedAt } : { ...change, at: removedAt };
  });
}
