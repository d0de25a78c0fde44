/**
 * The bodies that an import makes, as values: of a resource that changes again and again, the fields that stay as they
 * were are the same values, which are neither written nor digested nor compared anew.
 */

import { replayedBodies } from '../../core/history/replayed-bodies.ts';
import { isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import type { BodyStore, StoredBody } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { storedObject } from '../../core/registry/registry.ts';

export interface ImportedBodies {
  /** Stores what a file says of the item at a path. */
  readonly put: (path: string, body: JsonObject) => StoredBody;
  readonly of: (body: StoredBody) => JsonObject;
  /** Whether a body was put here. */
  readonly has: (body: StoredBody) => boolean;
  /** Ends what belongs together: values that it made or used are at hand until then. */
  readonly endCommit: () => void;
}

export function importedBodies(store: BodyStore): ImportedBodies {
  const kept = replayedBodies(store);
  const handles = new Set<number>();
  /** By path, the body that was put last. */
  const latest = new Map<string, number>();
  /** The values behind the handles that the present commit has made, or stands on. */
  const values = new Map<number, JsonObject>();
  const lastAt = (path: string): JsonObject | undefined => {
    const handle = latest.get(path);
    if (handle === undefined) return undefined;
    const value = values.get(handle) ?? kept.taken(handle);
    if (value) values.set(handle, value);
    return value;
  };
  return {
    put: (path, body) => {
      const last = lastAt(path);
      const shared = last ? withFieldsOf(last, body) : body;
      const stored = kept.put(shared);
      handles.add(stored.handle);
      latest.set(path, stored.handle);
      values.set(stored.handle, shared);
      return stored;
    },
    of: ({ handle }) => values.get(handle) ?? storedObject(store, handle),
    has: ({ handle }) => handles.has(handle),
    endCommit: () => values.clear(),
  };
}

/** A body with the values of another where the two have the same text. */
function withFieldsOf(other: JsonObject, body: JsonObject): JsonObject {
  const shared: Record<string, Json> = {};
  for (const [key, value] of Object.entries(body)) {
    const held = Object.hasOwn(other, key) ? other[key] : undefined;
    setOwn(shared, key, held !== undefined && hasSameText(held, value) ? held : value);
  }
  return shared;
}

/** Whether two values are the same in JSON, the order of keys included. */
function hasSameText(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => hasSameText(item, itemAt(b, i)));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && hasSameText(a[key] ?? null, b[key] ?? null))
  );
}
