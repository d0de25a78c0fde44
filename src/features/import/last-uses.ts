/**
 * What a first import may forget once a commit is done: states on which no other stands, what files said that no other
 * commit has, and the bodies that are in neither. A long history is held no longer than it is needed.
 */

import { type BodyStore, type RegistryState, resourcesIn, type StoredBody } from '../../core/model/state.ts';
import { certain, itemAt } from '../../core/platform/certain.ts';
import { contentsKeyOf, type PlannedCommit, sourceOf } from './import-plan.ts';

export interface LastUses {
  /** The commits whose states no later one stands on. */
  readonly states: readonly string[];
  /** The keys of the contents that no later one has. */
  readonly contents: readonly string[];
}

/** For each commit of a plan that begins with the first, what it is the last to need. */
export function lastUses(planned: readonly PlannedCommit[]): readonly LastUses[] {
  const states = new Map<string, number>();
  const contents = new Map<string, number>();
  for (const [at, { commit, files, items }] of planned.entries()) {
    for (const id of commit.parents) states.set(id, at);
    for (const item of items) {
      const source = sourceOf(files, item.path);
      if (source) contents.set(contentsKeyOf(source, item), at);
    }
  }
  const uses = planned.map((): Record<keyof LastUses, string[]> => ({ states: [], contents: [] }));
  for (const [id, at] of states) itemAt(uses, at).states.push(id);
  for (const [key, at] of contents) itemAt(uses, at).contents.push(key);
  return uses;
}

export interface ForgetfulStore extends BodyStore {
  /** Forgets all but these bodies, once so many have come that it is worth looking for them. */
  readonly keepOnly: (bodies: () => Iterable<StoredBody>) => void;
}

const FEWEST_SOUGHT = 10_000;

export function forgetfulStore(): ForgetfulStore {
  let texts = new Map<number, string>();
  let next = 0;
  let enough = FEWEST_SOUGHT;
  return {
    put: (json) => {
      texts.set(next, json);
      return next++;
    },
    get: (handle) => certain(texts.get(handle)),
    keepOnly: (bodies) => {
      if (texts.size < enough) return;
      const kept = new Map<number, string>();
      for (const { handle } of bodies()) kept.set(handle, certain(texts.get(handle)));
      texts = kept;
      enough = Math.max(FEWEST_SOUGHT, 2 * kept.size);
    },
  };
}

/** The bodies in states. */
export function* bodiesIn(states: Iterable<RegistryState>): Generator<StoredBody> {
  for (const state of states) for (const [, { body }] of resourcesIn(state)) yield body;
}
