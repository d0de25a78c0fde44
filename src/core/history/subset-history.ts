/** Computes the history of some resources from their changes alone, without verifying digests. */

import { patch } from '../model/differences/patch.ts';
import type { JsonObject } from '../model/json.ts';
import type { Kinds } from '../model/kinds.ts';
import { selfAndAncestors } from '../model/resource-path.ts';
import { type BodyStore, editState, type RegistryState, resourceAt, type StateEdit } from '../model/state.ts';
import { itemAt } from '../platform/lookups.ts';
import { lazily } from '../platform/on-demand.ts';
import { type ReplayedBodies, valueBodies } from './bodies.ts';
import { NeedsReplay } from './excerpt.ts';
import type { Graph } from './graph.ts';
import { changeSummary, type History, type RecordedChange } from './replay.ts';
import type { ResourceChange } from './revision-file.ts';

export interface Subset {
  readonly graph: Graph;
  readonly kinds: Kinds;
  readonly store: BodyStore;
  /** All changes concern this path or paths below it. */
  readonly root: string;
  /** The changes of each revision relative to its first parent. */
  readonly changes: readonly (readonly ResourceChange[])[];
}

/** Most revisions do not change the resource, and an array for each of them takes much memory. */
const NONE: readonly RecordedChange[] = [];

/**
 * Resources above `root` get empty bodies. Reading `states` throws `NeedsReplay` if a change contradicts the previous
 * state.
 */
export function subsetHistory({ graph, kinds, store, root, changes }: Subset): History {
  const states = lazily(() => statesOf(graph, root, changes, valueBodies(store)));
  const recorded = lazily(() =>
    changes.map((each) => (each.length === 0 ? NONE : each.map((change) => lazilyRecorded(change, store, kinds)))),
  );
  return {
    ...graph,
    kinds,
    get states() {
      return states();
    },
    get changes() {
      return recorded();
    },
  };
}

function lazilyRecorded(change: ResourceChange, store: BodyStore, kinds: Kinds): RecordedChange {
  const { path, action, classes, successor } = changeSummary(change, kinds);
  const fields = lazily(() => (change.action === 'updated' ? store.put(JSON.stringify(change.fields)) : undefined));
  return {
    path,
    action,
    classes,
    successor,
    get fields() {
      return fields();
    },
  };
}

function statesOf(graph: Graph, root: string, changes: Subset['changes'], bodies: ReplayedBodies): RegistryState[] {
  const above = [...selfAndAncestors(root)].filter((path) => path !== root);
  const base = editState(
    null,
    above.map((path) => ({ path, body: bodies.put({}) })),
  );
  const states: RegistryState[] = [];
  for (const [index, edits] of changes.entries()) {
    const [parent] = itemAt(graph.parents, index);
    const before = parent === undefined ? base : itemAt(states, parent);
    states.push(edits.length === 0 ? before : stateAfter(before, edits, bodies));
  }
  return states;
}

/** Throws `NeedsReplay` if a change does not match the previous state. */
export function stateAfter(
  before: RegistryState,
  changes: readonly ResourceChange[],
  bodies: ReplayedBodies,
): RegistryState {
  const edits = new Map<string, StateEdit>();
  for (const change of changes) {
    const { path } = change;
    const held = resourceAt(before, path)?.body;
    if (edits.has(path)) throw new NeedsReplay();
    const body = bodyAfter(change, held && bodies.of(held));
    if (change.action !== 'touched')
      edits.set(path, {
        path,
        body: (body && (change.action === 'added' ? bodies.add(body) : bodies.put(body))) ?? null,
      });
  }
  return editState(before, [...edits.values()]);
}

/** Returns undefined for a removal. Throws `NeedsReplay` if the change does not match the previous body. */
export function bodyAfter(change: ResourceChange, before: JsonObject | undefined): JsonObject | undefined {
  if ((change.action === 'added') !== (before === undefined)) throw new NeedsReplay();
  if (change.action === 'added') return change.value;
  if (change.action === 'removed' || before === undefined) return undefined;
  if (change.action === 'touched') return before;
  const patched = patch(before, change.fields);
  if (patched.conflict) throw new NeedsReplay();
  return patched.body;
}
