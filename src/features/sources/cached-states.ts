/** Caches states, so that reading one revision needs no full replay. Verifies digests of cached states. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Graph } from '../../core/history/graph.ts';
import { stateDigest } from '../../core/history/replay.ts';
import { isJsonObject, itemsIn, parsedJson } from '../../core/model/json.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { type BodyStore, editState, type RegistryState, resourcesIn } from '../../core/model/state.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { storeBody } from '../../core/registry/registry.ts';
import { cachedNames, readCached, removeCached, writeCached } from '../../system/files/user-cache.ts';

export interface CachedStates {
  /** Returns undefined if the cache contains no valid state of the revision. */
  readonly read: (revision: RevisionHeader, store: BodyStore) => RegistryState | undefined;
  readonly write: (revision: RevisionHeader, state: RegistryState, store: BodyStore) => void;
}

const NAME = /^-([0-9a-f]{40})\.gz$/;
const FAST = { level: 1 };

/** Opens the cache of a registry. Deletes cached states of revisions that `graph` does not contain. */
export function cachedStates(registry: string, graph: Graph): CachedStates {
  const stored = lazily(() => new Set(cachedNames(registry).flatMap((name) => NAME.exec(name)?.[1] ?? [])));
  return {
    read: (revision, store) => {
      const bytes = stored().has(revision.id) ? readCached(registry, `-${revision.id}.gz`) : undefined;
      const state = bytes && stateOf(bytes, store);
      if (state && stateDigest(state) === revision.state) return state;
      stored().delete(revision.id);
      return undefined;
    },
    write: ({ id }, state, store) => {
      if (stored().has(id)) return;
      const bodies = Array.from(
        resourcesIn(state),
        ([path, { body }]) => `[${JSON.stringify(path)},${store.get(body.handle)}]`,
      );
      writeCached(registry, `-${id}.gz`, gzipSync(bodies.join('\n'), FAST));
      for (const other of stored()) if (!graph.indexOf.has(other)) removeCached(registry, `-${other}.gz`);
    },
  };
}

function stateOf(bytes: Buffer, store: BodyStore): RegistryState {
  const edits = unpacked(bytes)
    .split('\n')
    .flatMap((line) => {
      const [path, body] = itemsIn(parsedJson(line));
      return typeof path === 'string' && isJsonObject(body) ? [{ path, body: storeBody(store, body) }] : [];
    });
  return editState(null, edits);
}

/** Returns an empty text if the cached file is damaged, or if its contents are too large. */
function unpacked(bytes: Buffer): string {
  try {
    return gunzipSync(bytes, { maxOutputLength: LISTING_BYTES }).toString();
  } catch {
    return '';
  }
}
