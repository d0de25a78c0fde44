/** Searches a history. A search for one resource parses only revision files that contain its name. */

import { valueBodies } from '../../core/history/bodies.ts';
import { type IsWanted, NeedsReplay } from '../../core/history/excerpt.ts';
import { firstParentLine, type Graph } from '../../core/history/graph.ts';
import { type History, stateDigest } from '../../core/history/replay.ts';
import type { ResourceChange } from '../../core/history/revision-file.ts';
import { bodyAfter, stateAfter, subsetHistory } from '../../core/history/subset-history.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import {
  isAtOrBelow,
  itemPath,
  lastSegment,
  pathAbove,
  type Subject,
  selfAndAncestors,
  subjectAt,
} from '../../core/model/resource-path.ts';
import { type BodyStore, type RegistryState, resourceAt, stateDifference } from '../../core/model/state.ts';
import { getOrCreate, itemAt } from '../../core/platform/lookups.ts';
import type { CachedStates } from './cached-states.ts';
import { EVERYTHING, mayContain, type ScannedFolder, scanFiles } from './scanned-files.ts';

export interface NamedHistory {
  readonly path: string;
  readonly history: History;
}

/** All functions throw `NeedsReplay` if they read invalid data. */
export interface HistoryScan {
  readonly graph: Graph;
  readonly kinds: Kinds;
  /** The store that contains the bodies of all results. */
  readonly store: BodyStore;
  /**
   * Returns the history of a resource or collection, and of everything below it. For a collection, includes its parent
   * item.
   */
  readonly of: (subject: Subject) => History;
  /**
   * Searches many items together, and keeps the results for `of` and `resourcesNamed`. The searches of N items would
   * read each revision file N times.
   */
  readonly prepare: (paths: readonly string[], names: readonly string[]) => void;
  /** Returns the changes of a revision in any order. Some changes have no values (see `outline`). */
  readonly outlineOf: (index: number) => readonly ResourceChange[];
  readonly changesOf: (index: number) => readonly ResourceChange[];
  readonly hadEver: (path: string) => boolean;
  /**
   * Returns the history of an item without the items below it. For a collection, includes only its items and its parent
   * item.
   */
  readonly ownOf: (subject: Subject) => History;
  /** Finds resources by uid or node name. Also finds resources that had this name earlier. */
  readonly resourcesNamed: (name: string) => readonly NamedHistory[];
  /** Returns the paths at or below `within` that may differ between two revisions. */
  readonly changedBetween: (from: number, to: number, within: string) => ReadonlySet<string>;
  /** Verifies the digest of the returned state, but not the digests of earlier states. */
  readonly stateAt: (index: number) => RegistryState;
  /** Returns a map from paths to bodies for each revision. Omits resources that do not exist at the revision. */
  readonly bodiesAt: (indexes: readonly number[], paths: ReadonlySet<string>) => ReadonlyMap<string, JsonObject>[];
}

/** The maximum number of resources that are searched one by one. More resources are searched together. */
const MOST_SINGLE_SEARCHES = 4;

/** If at most this many items are asked for, separate searches are faster, because they skip most files. */
const FEW_ITEMS = 10;

/** The number of revisions between cached states. Replaying this many revisions takes about half a second. */
const STEP = 500;

const NO_CHANGES: readonly ResourceChange[] = [];

interface ScanOptions {
  /** The path of the resource that most searches are about. */
  readonly hint?: string | undefined;
  readonly cacheOf?: ((graph: Graph) => CachedStates) | undefined;
}

/** Throws `NeedsReplay` if a revision file is invalid. */
export function scanHistory(
  folder: ScannedFolder,
  kinds: Kinds,
  { hint = '', cacheOf }: ScanOptions = {},
): HistoryScan {
  const { graph, revisions } = scanFiles(folder, kinds, hint);
  const store = memoryStore();
  const isLong = revisions.length >= STEP;
  const cache = isLong ? cacheOf?.(graph) : undefined;
  const changesOf = (index: number) => itemAt(revisions, index).changes(undefined, EVERYTHING);
  const bodies = valueBodies(store);
  const stateAt = stateReplay({ graph, changesOf, store, bodies, cache });
  const bodiesIn = (state: RegistryState, paths: ReadonlySet<string>): ReadonlyMap<string, JsonObject> => {
    const found = [...paths].flatMap((path) => {
      const held = resourceAt(state, path);
      return held ? [[path, bodies.of(held.body)] as const] : [];
    });
    return new Map(found);
  };
  const search = (needle: string | undefined, isWanted: IsWanted) =>
    revisions.map((revision) => revision.changes(needle, isWanted));
  /** The last search result: all changes of the resource `root` and of the resources below `root`. */
  let below: { readonly root: string; readonly changes: readonly (readonly ResourceChange[])[] } | undefined;
  /** The changes at or below each prepared path, by revision. Omits revisions without such changes. */
  const prepared = new Map<string, Map<number, ResourceChange[]>>();
  const preparedAt = (root: string) => {
    const found = prepared.get(root);
    return found && revisions.map((_, index) => found.get(index) ?? NO_CHANGES);
  };
  /** The paths that had each prepared name. */
  const pathsNamed = new Map<string, Set<string>>();
  const subset = (root: string, isWanted: (path: string) => boolean) => {
    const known = below?.root === root ? below.changes : preparedAt(root);
    const changes = known?.map((each) => each.filter(({ path }) => isWanted(path))) ?? search(root, isWanted);
    return subsetHistory({ graph, kinds, store, root, changes });
  };
  return {
    graph,
    kinds,
    store,
    of: (subject) => {
      const root = itemPath(subject);
      const isWanted: IsWanted = root === '' ? EVERYTHING : (path) => isAtOrBelow(path, root);
      below = { root, changes: preparedAt(root) ?? search(root, isWanted) };
      return subsetHistory({ graph, kinds, store, ...below });
    },
    prepare: (paths, names) => {
      if (paths.length + names.length <= FEW_ITEMS) return;
      for (const name of names) pathsNamed.set(name, new Set());
      for (const revision of names.length === 0 ? [] : revisions)
        for (const change of revision.changes(undefined, EVERYTHING))
          for (const name of namesIn(change)) pathsNamed.get(name)?.add(change.path);
      for (const path of [paths, ...pathsNamed.values()].flatMap((each) => [...each])) prepared.set(path, new Map());
      const rootsOf = (path: string) => [...selfAndAncestors(path)].flatMap((root) => prepared.get(root) ?? []);
      for (const [index, changes] of search(undefined, (path) => rootsOf(path).length > 0).entries())
        for (const change of changes)
          for (const root of rootsOf(change.path)) getOrCreate(root, index, () => []).push(change);
    },
    outlineOf: (index) => itemAt(revisions, index).outline(),
    changesOf,
    hadEver: (path) => revisions.some((revision) => revision.changes(path, (each) => each === path).length > 0),
    ownOf: (subject) => {
      const root = itemPath(subject);
      const { path: own, isCollection } = subject;
      return subset(root, (path) => path === root || (isCollection && path !== '' && pathAbove(path) === own));
    },
    resourcesNamed: (name) => {
      const known = pathsNamed.get(name);
      if (known) return Array.from(known, (path) => ({ path, history: subset(path, (each) => each === path) }));
      const needle = plainPart(name);
      const isHit: IsWanted = (path, change) =>
        lastSegment(path) === name || needle === undefined || mayContain(change(), needle);
      const found = search(needle, isHit).flatMap((changes) => changes.filter((change) => isCalled(change, name)));
      const paths = [...new Set(found.map(({ path }) => path))];
      if (paths.length <= MOST_SINGLE_SEARCHES)
        return paths.map((path) => ({ path, history: subset(path, (each) => each === path) }));
      const wanted = new Set(paths);
      const all = search(undefined, (path) => wanted.has(path));
      return paths.map((root) => {
        const changes = all.map((each) => each.filter(({ path }) => path === root));
        return { path: root, history: subsetHistory({ graph, kinds, store, root, changes }) };
      });
    },
    changedBetween: (from, to, within) => {
      const { kind, isCollection } = subjectAt(within, kinds);
      if (isLong && (isCollection || kind.children.length > 0)) {
        const differing = Array.from(stateDifference(stateAt(from), stateAt(to)), ({ path }) => path);
        return new Set(differing.filter((path) => isAtOrBelow(path, within)));
      }
      const [old, now] = [new Set(firstParentLine(graph, from)), new Set(firstParentLine(graph, to))];
      const apart = [...old, ...now].filter((index) => !(old.has(index) && now.has(index)));
      const paths = new Set<string>();
      for (const index of apart)
        itemAt(revisions, index).changes(within, (path) => {
          if (isAtOrBelow(path, within)) paths.add(path);
          return false;
        });
      return paths;
    },
    stateAt,
    bodiesAt: (indexes, paths) => {
      if (isLong && paths.size > MOST_SINGLE_SEARCHES) return indexes.map((index) => bodiesIn(stateAt(index), paths));
      const [only] = paths;
      const needle = paths.size === 1 ? only : undefined;
      const known = new Map<number, ReadonlyMap<string, JsonObject>>();
      return indexes.map((index) => {
        const line = firstParentLine(graph, index);
        const from = line.findIndex((each) => known.has(each));
        const bodies = new Map(known.get(line[from] ?? -1));
        const rest = from < 0 ? line : line.slice(0, from);
        for (const each of rest.reverse()) {
          for (const change of itemAt(revisions, each).changes(needle, (path) => paths.has(path))) {
            const body = bodyAfter(change, bodies.get(change.path));
            if (body) bodies.set(change.path, body);
            else bodies.delete(change.path);
          }
        }
        known.set(index, bodies);
        return bodies;
      });
    },
  };
}

interface StateReplay extends Pick<HistoryScan, 'graph' | 'changesOf' | 'store'> {
  readonly bodies: ReturnType<typeof valueBodies>;
  readonly cache: CachedStates | undefined;
}

/** Replays the first-parent line of a revision. Starts at the last state that is in memory or in the cache. */
function stateReplay({ graph, changesOf, store, bodies, cache }: StateReplay): HistoryScan['stateAt'] {
  const states = new Map<number, RegistryState>();
  return (index) => {
    const line = firstParentLine(graph, index).reverse();
    const headerAt = (place: number) => itemAt(graph.revisions, itemAt(line, place));
    let place = line.length - 1;
    let state: RegistryState | undefined;
    for (; place >= 0; place--) {
      state = states.get(itemAt(line, place)) ?? cache?.read(headerAt(place), store);
      if (state !== undefined) break;
    }
    state ??= null;
    for (place++; place < line.length; place++) {
      state = stateAfter(state, changesOf(itemAt(line, place)), bodies);
      const isStep = (place + 1) % STEP === 0;
      const isLast = place === line.length - 1;
      if ((isStep || isLast) && stateDigest(state) !== headerAt(place).state) throw new NeedsReplay();
      if (isStep) cache?.write(headerAt(place), state, store);
    }
    states.set(index, state);
    return state;
  };
}

function isCalled(change: ResourceChange, name: string): boolean {
  return namesIn(change).includes(name);
}

/** Returns the uid of the resource, and the node name that the change sets. */
function namesIn(change: ResourceChange): string[] {
  const set =
    change.action === 'added'
      ? [change.value['node_name']]
      : change.action === 'updated'
        ? change.fields.map(({ at, to }) => (at === '/node_name' ? to : undefined))
        : [];
  return [lastSegment(change.path), ...set.filter((name) => typeof name === 'string')];
}

function plainPart(name: string): string | undefined {
  const parts = name.match(/[\w.~-]+/g) ?? [];
  return parts.toSorted((a, b) => b.length - a.length)[0];
}
