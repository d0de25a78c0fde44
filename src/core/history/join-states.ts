/** Merges states that have a common ancestor, resource by resource and field by field. */

import { difference } from '../model/differences/difference.ts';
import { type PatchConflict, patch } from '../model/differences/patch.ts';
import { fieldRules } from '../model/field-classes.ts';
import type { Kinds } from '../model/kinds.ts';
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
  /** The first field with a conflict. Undefined if one side removed the resource, or both sides added it. */
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
  const rules = fieldRules(kindAt(path, kinds));
  const own = new Set(difference(base, ours, rules).map((change) => JSON.stringify(change)));
  // Skips the changes that both sides made in the same way.
  const fields = difference(base, theirs, rules).filter((change) => !own.has(JSON.stringify(change)));
  const patched = patch(ours, fields);
  return patched.conflict ? { field: patched.conflict } : { body: storeBody(store, patched.body) };
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
