/**
 * The history without private values. States and changes are recomputed from public bodies, so digests cannot contain
 * private values. An update of private fields alone becomes `touched`.
 */

import { difference } from '../model/differences/difference.ts';
import { fieldRules } from '../model/field-classes.ts';
import type { Kinds } from '../model/kinds.ts';
import type { PublicBodies } from '../model/private-fields.ts';
import { kindAt } from '../model/resource-path.ts';
import {
  type BodyStore,
  editState,
  type RegistryState,
  resourceAt,
  resourcesIn,
  type StoredBody,
} from '../model/state.ts';
import { getOrCreate, itemAt } from '../platform/lookups.ts';
import { storeBody, storedObject } from '../registry/registry.ts';
import { type History, type RecordedChange, recordedChange } from './replay.ts';

export type PublicBodyOf = (body: StoredBody, path: string) => StoredBody;

/** Returns a function that stores a copy of a body without its private fields. The original body stays in the store. */
export function publicBodyOf(bodies: PublicBodies, store: BodyStore, kinds: Kinds): PublicBodyOf {
  const known = new Map<string, Map<number, StoredBody>>();
  return (body, path) => {
    const kind = kindAt(path, kinds);
    return getOrCreate(
      getOrCreate(known, kind.name, () => new Map()),
      body.handle,
      () => {
        const whole = storedObject(store, body.handle);
        const shown = bodies.of(whole, kind);
        return shown === whole ? body : storeBody(store, shown);
      },
    );
  };
}

export function publicState(state: RegistryState, bodyOf: PublicBodyOf): RegistryState {
  const edits = Array.from(resourcesIn(state), ([path, { body }]) => ({ path, body: bodyOf(body, path) }));
  return editState(null, edits);
}

/** Removes private values from states and changes. The headers of revisions stay unchanged. */
export function publicHistory(history: History, store: BodyStore, bodyOf: PublicBodyOf): History {
  const states: RegistryState[] = [];
  const changes = history.changes.map((recorded, index) => {
    const [parent] = itemAt(history.parents, index);
    const state = itemAt(history.states, index);
    const before = parent === undefined ? null : itemAt(states, parent);
    const edits = recorded.map(({ path }) => {
      const held = resourceAt(state, path);
      return { path, body: held ? bodyOf(held.body, path) : null };
    });
    const after = parent === undefined ? publicState(state, bodyOf) : editState(before, edits);
    states.push(after);
    return recorded.map((change) => publicChange(change, before, after, { store, kinds: history.kinds }));
  });
  return { ...history, states, changes };
}

function publicChange(
  change: RecordedChange,
  before: RegistryState,
  after: RegistryState,
  { store, kinds }: { readonly store: BodyStore; readonly kinds: Kinds },
): RecordedChange {
  const { path, action } = change;
  if (action !== 'updated' && action !== 'replaced') return change;
  const [old, now] = [resourceAt(before, path)?.body, resourceAt(after, path)?.body];
  if (!old || !now) throw new Error(`an update of ${path} has no body`);
  if (old.digest === now.digest) return recordedChange({ path, action: 'touched' }, store, kinds);
  const rules = fieldRules(kindAt(path, kinds));
  const fields = difference(storedObject(store, old.handle), storedObject(store, now.handle), rules);
  return recordedChange({ path, action: 'updated', fields }, store, kinds);
}
