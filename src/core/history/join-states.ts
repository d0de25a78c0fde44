/** Merges states that have a common ancestor, resource by resource and field by field. */

import { difference, type FieldChange } from '../model/differences/difference.ts';
import { type PatchConflict, patch } from '../model/differences/patch.ts';
import { fieldRules, ruleAt } from '../model/field-classes.ts';
import { isJsonObject, itemsIn, type JsonObject } from '../model/json.ts';
import { valueAt } from '../model/json-pointer.ts';
import type { Kind, Kinds } from '../model/kinds.ts';
import { kindAt, parentItemPath, subjectAt } from '../model/resource-path.ts';
import {
  type BodyStore,
  editState,
  type RegistryState,
  resourceAt,
  type StateDifference,
  type StateEdit,
  type StoredBody,
  stateDifference,
} from '../model/state.ts';
import { itemAt } from '../platform/lookups.ts';
import { storeBody, storedObject } from '../registry/registry.ts';
import type { History } from './replay.ts';

/** In a state conflict, both sides changed the resource in different ways. */
export interface StateConflict {
  readonly path: string;
  /**
   * The first field with a conflict. Undefined if one side removed the resource, if both sides added it, or if both
   * sides changed the items of one list.
   */
  readonly field: PatchConflict | undefined;
}

export interface HeadConflict extends StateConflict {
  /** The index of the head that conflicts with the heads merged before it. */
  readonly theirs: number;
}

/** Merges the states of all heads, one after the other. `heads` contains indexes of revisions. */
export function mergedHeads(history: History, heads: readonly number[], store: BodyStore) {
  const { states, parents, kinds } = history;
  const conflicts: HeadConflict[] = [];
  let state = itemAt(states, itemAt(heads, 0));
  for (const [i, theirs] of heads.entries()) {
    if (i === 0) continue;
    const base = itemAt(states, commonAncestor(parents, heads.slice(0, i), theirs));
    const joined = joinStates({ base, ours: state, theirs: itemAt(states, theirs) }, store, kinds);
    state = joined.state;
    conflicts.push(...joined.conflicts.map((conflict) => ({ ...conflict, theirs })));
  }
  return { state, conflicts };
}

const [OURS, THEIRS] = [1, 2];

/** Returns the newest ancestor that `theirs` shares with a revision in `ours`. All revisions share the root. */
function commonAncestor(parents: History['parents'], ours: readonly number[], theirs: number): number {
  const reached = new Uint8Array(parents.length);
  for (const index of ours) reached[index] = OURS;
  reached[theirs] = THEIRS;
  // Parents have lower indexes than their children.
  for (let index = parents.length - 1; index > 0; index--) {
    const sides = itemAt(reached, index);
    if (sides === (OURS | THEIRS)) return index;
    for (const parent of itemAt(parents, index)) reached[parent] = itemAt(reached, parent) | sides;
  }
  return 0;
}

interface Sides {
  readonly base: RegistryState;
  readonly ours: RegistryState;
  readonly theirs: RegistryState;
}

/** A resource with a conflict keeps its value from `ours`. */
export function joinStates(sides: Sides, store: BodyStore, kinds: Kinds) {
  const edits = new Map<string, StateEdit>();
  const conflicts: StateConflict[] = [];
  for (const change of stateDifference(sides.base, sides.theirs)) {
    const { path } = change;
    const held = resourceAt(sides.ours, path)?.body;
    if (held?.digest === change.after?.body.digest) continue;
    const merged = isApplicable(change, sides.ours, kinds, edits)
      ? mergedBody(change, held, store, kinds)
      : { field: undefined };
    if ('body' in merged) edits.set(path, { path, body: merged.body });
    else conflicts.push({ path, field: merged.field });
  }
  return { state: editState(sides.ours, [...edits.values()]), conflicts };
}

type MergedBody = { readonly body: StoredBody | null } | Pick<StateConflict, 'field'>;

/** Merges the changes of both sides into one body. The body is null if the merge removes the resource. */
function mergedBody(
  { path, before, after }: StateDifference,
  held: StoredBody | undefined,
  store: BodyStore,
  kinds: Kinds,
): MergedBody {
  if (held?.digest === before?.body.digest) return { body: after?.body ?? null };
  if (!held || !before || !after) return { field: undefined };
  const bodyOf = ({ handle }: StoredBody) => storedObject(store, handle);
  const [base, ours, theirs] = [bodyOf(before.body), bodyOf(held), bodyOf(after.body)];
  const kind = kindAt(path, kinds);
  const rules = fieldRules(kind);
  const [own, other] = [difference(base, ours, rules), difference(base, theirs, rules)];
  const texts = new Set(own.map((change) => JSON.stringify(change)));
  // Skips the changes that both sides made in the same way.
  const fields = other.filter((change) => !texts.has(JSON.stringify(change)));
  const moved = movedItems(own, base, ours);
  if (fields.some((change) => isMoved(change, moved) || isAddedTwice(change, own, kind))) return { field: undefined };
  const patched = patch(ours, fields);
  return patched.conflict ? { field: patched.conflict } : { body: storeBody(store, patched.body) };
}

/** Maps the pointers of lists to the lowest position whose item has another position in `ours`. */
function movedItems(own: readonly FieldChange[], base: JsonObject, ours: JsonObject): ReadonlyMap<string, number> {
  const moved = new Map<string, number>();
  const add = (list: string, place: number) => moved.set(list, Math.min(place, moved.get(list) ?? place));
  for (const { at, from, to, order } of own) {
    if (order !== undefined) add(at, 0);
    if (order !== undefined || (from !== undefined && to !== undefined)) continue;
    const list = pointerAbove(at);
    const place = Number(at.slice(list.length + 1));
    const isAppended = to !== undefined && place >= itemsIn(valueAt(base, list)).length;
    if (Array.isArray(valueAt(to === undefined ? base : ours, list)) && !isAppended) add(list, place);
  }
  return moved;
}

/** Whether a change would reach another item of a list, because its position is not the position in `ours`. */
function isMoved({ at, from, order }: FieldChange, moved: ReadonlyMap<string, number>): boolean {
  return [...moved].some(([list, first]) => {
    if (at === list) return order !== undefined;
    if (!at.startsWith(`${list}/`)) return false;
    const [place, ...below] = at.slice(list.length + 1).split('/');
    // A new item moves no other value. The position of a new field counts the items after the change.
    return from === undefined && order === undefined ? below.length > 0 : Number(place) >= first;
  });
}

/** Whether both sides add the same part to a list, with different values or at different positions. */
function isAddedTwice({ at, from, to }: FieldChange, own: readonly FieldChange[], kind: Kind): boolean {
  if (from !== undefined || !isJsonObject(to)) return false;
  const list = pointerAbove(at);
  const { keys } = ruleAt(kind, list);
  return own.some(
    (other) =>
      other.from === undefined &&
      isJsonObject(other.to) &&
      pointerAbove(other.at) === list &&
      haveSameKey(to, other.to, keys),
  );
}

function haveSameKey(one: JsonObject, other: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => one[key] !== undefined && one[key] === other[key]);
}

function pointerAbove(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** A changed resource needs its parent in `ours`. A removed resource must not contain items that `ours` added. */
function isApplicable(
  { path, before, after }: StateDifference,
  ours: RegistryState,
  kinds: Kinds,
  edits: ReadonlyMap<string, StateEdit>,
): boolean {
  if (!after) return resourceAt(ours, path)?.digest === before?.digest;
  if (path === '') return true;
  const parent = parentItemPath(subjectAt(path, kinds));
  const edit = edits.get(parent);
  return edit ? edit.body !== null : resourceAt(ours, parent) !== undefined;
}
