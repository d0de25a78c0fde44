/**
 * What a registry is once new commits are imported beside revisions that were recorded in it: what is here, with what the
 * commits changed since the last import. Where both changed the same, what is here stays, and is reported.
 */
import { difference } from '../../core/model/differences/difference.ts';
import { patch } from '../../core/model/differences/patch.ts';
import { fieldRules } from '../../core/model/field-classes.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { kindAt, parentItemPath, subjectAt } from '../../core/model/resource-path.ts';
import {
  type BodyStore,
  editState,
  type RegistryState,
  resourceAt,
  type StateDifference,
  type StateEdit,
  type StoredBody,
  stateDifference,
} from '../../core/model/state.ts';
import { storeBody, storedObject } from '../../core/registry/registry.ts';

export interface Sides {
  /** What the last import left. */
  readonly base: RegistryState;
  /** What is here. */
  readonly ours: RegistryState;
  /** What the new commits say. */
  readonly theirs: RegistryState;
}

export interface Joined {
  readonly state: RegistryState;
  /** The paths of resources that both sides changed otherwise. */
  readonly conflicts: readonly string[];
}

export function joinStates(sides: Sides, store: BodyStore, kinds: Kinds): Joined {
  const edits = new Map<string, StateEdit>();
  const conflicts: string[] = [];
  for (const change of stateDifference(sides.base, sides.theirs)) {
    const { path } = change;
    const held = resourceAt(sides.ours, path)?.body;
    if (held?.digest === change.after?.body.digest) continue;
    const body = isPlaced(change, { sides, kinds, edits }) ? joined(change, held, store, kinds) : undefined;
    if (body === undefined) conflicts.push(path);
    else edits.set(path, { path, body });
  }
  return { state: editState(sides.ours, [...edits.values()]), conflicts };
}

/** The body that both sides make of one; undefined where they contradict each other. */
function joined(
  { path, before, after }: StateDifference,
  held: StoredBody | undefined,
  store: BodyStore,
  kinds: Kinds,
): StoredBody | null | undefined {
  if (held?.digest === before?.body.digest) return after?.body ?? null;
  if (!held || !before || !after) return undefined;
  const bodyOf = ({ handle }: StoredBody) => storedObject(store, handle);
  const fields = difference(bodyOf(before.body), bodyOf(after.body), fieldRules(kindAt(path, kinds)));
  const patched = patch(bodyOf(held), fields);
  return patched.conflict ? undefined : storeBody(store, patched.body);
}

interface Placing {
  readonly sides: Sides;
  readonly kinds: Kinds;
  readonly edits: ReadonlyMap<string, StateEdit>;
}

/** Whether what a resource lies in is there, and nothing of ours goes with one that goes. */
function isPlaced({ path, before, after }: StateDifference, { sides: { ours }, kinds, edits }: Placing): boolean {
  if (!after) return resourceAt(ours, path)?.digest === before?.digest;
  if (path === '') return true;
  const parent = parentItemPath(subjectAt(path, kinds));
  const edit = edits.get(parent);
  return edit ? edit.body !== null : resourceAt(ours, parent) !== undefined;
}
