/**
 * What an import needs of files and states: which blobs it reads for a commit, and what it may forget once that is done:
 * states on which no other stands, what files said that no other commit has, and the bodies that are in neither. A
 * long history is held no longer than it is needed.
 */

import type { Subject } from '../../core/model/resource-path.ts';
import { type BodyStore, type RegistryState, resourcesIn, type StoredBody } from '../../core/model/state.ts';
import { certain, itemAt } from '../../core/platform/certain.ts';
import type { GitCommit } from '../../system/git/git-log.ts';
import { contentsKey, contentsKeyOf, type PlannedCommit, type SourceFile, sourceOf } from './import-plan.ts';

export interface Needs {
  /**
   * The blobs to read for each commit, in this order: those that no commit before it has needed in the same place. The
   * children of commits that were imported before need those of their parents too.
   */
  readonly blobs: readonly (readonly string[])[];
  /** What may be forgotten after the commit at a place. */
  readonly lastUses: (at: number, planned: PlannedCommit) => LastUses;
}

export interface LastUses {
  /** The commits whose states no later one stands on. */
  readonly states: readonly string[];
  /** The keys of the contents that no later one has. */
  readonly contents: readonly string[];
}

/** What commits need, which are planned in their order: `isNew` tells them from those that were imported before. */
export function needsOf(plan: Iterable<PlannedCommit>, isNew: (id: string) => boolean): Needs {
  const blobs: string[][] = [];
  /** Files that hold whole collections, and those of commits that were imported before. */
  const read = new Set<string>();
  const states = new Map<string, number>();
  const lastByKey = new Map<string, number>();
  /** Of each commit, the contents that a later one has too. */
  const kept: (Set<string> | undefined)[] = [];
  for (const planned of plan) {
    if (!isNew(planned.commit.id)) continue;
    const isRead = !isParentNew(planned.commit, isNew);
    const fresh = neededFiles(planned, isNew).filter(({ source }) => {
      const key = contentsKey(source);
      const isFresh = !read.has(key) && !lastByKey.has(key);
      if (source.collection || isRead) read.add(key);
      return isFresh;
    });
    const at = blobs.push([...new Set(fresh.map(({ source }) => source.blob))]) - 1;
    for (const id of planned.commit.parents) states.set(id, at);
    for (const key of contentsOf(planned)) {
      const before = lastByKey.get(key);
      if (before !== undefined && before < at) {
        kept[before] ??= new Set();
        kept[before].add(key);
      }
      lastByKey.set(key, at);
    }
  }
  const endingAt: string[][] = blobs.map(() => []);
  for (const [id, at] of states) itemAt(endingAt, at).push(id);
  return {
    blobs,
    lastUses: (at, planned) => ({
      states: itemAt(endingAt, at),
      contents: [...contentsOf(planned)].filter((key) => !kept[at]?.has(key)),
    }),
  };
}

/** A file that a commit needs, and one of the items that it describes. */
export interface NeededFile {
  readonly source: SourceFile;
  readonly item: Subject;
}

/**
 * The files that a commit needs, each once: those of its items and, before them, those of the same in a first parent that
 * was imported before.
 */
export function neededFiles(
  { commit, files, parentFiles, items }: PlannedCommit,
  isNew: (id: string) => boolean,
): NeededFile[] {
  const needed = new Map<string, NeededFile>();
  const earlier = isParentNew(commit, isNew) ? undefined : parentFiles[0];
  for (const item of items)
    for (const source of [sourceOf(earlier, item.path), sourceOf(files, item.path)])
      if (source) needed.set(contentsKey(source), { source, item });
  return [...needed.values()];
}

/** Whether what a commit stands on is imported with it. */
function isParentNew({ parents }: GitCommit, isNew: (id: string) => boolean): boolean {
  return parents.slice(0, 1).every(isNew);
}

/** The keys of what files say of the items of a commit. */
function* contentsOf({ files, items }: PlannedCommit): Generator<string> {
  for (const item of items) {
    const source = sourceOf(files, item.path);
    if (source) yield contentsKeyOf(source, item);
  }
}

export interface ForgetfulStore extends BodyStore {
  /** Forgets all but these bodies, once so many have come that it is worth looking for them. */
  readonly keepOnly: (bodies: () => Iterable<StoredBody>) => void;
}

const FEWEST_SOUGHT = 2_000;

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
