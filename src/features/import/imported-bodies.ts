/** The bodies that an import has read, in its store. */
import type { JsonObject } from '../../core/model/json.ts';
import type { Subject } from '../../core/model/resource-path.ts';
import type { BodyStore, StoredBody } from '../../core/model/state.ts';
import { storeBody, storedObject } from '../../core/registry/registry.ts';
import { type BodyUpdate, bodyUpdate, type ReadBody, type ReadUpdate, updateIn } from './file-reader.ts';

export interface ImportedBodies {
  /** Stores what a file says of the item at a path, in the order in which files were read. */
  readonly put: (path: string, read: ReadBody) => StoredBody;
  /** Stores a body that no file has. */
  readonly putOwn: (body: JsonObject) => StoredBody;
  readonly of: (body: StoredBody) => JsonObject;
  /** What makes one body of another that differs from it: as it was read, where the one was read right before the other. */
  readonly update: (before: StoredBody, after: StoredBody, item: Subject) => BodyUpdate;
  /** Whether a body was put here. */
  readonly has: (body: StoredBody) => boolean;
  /** Forgets what only the commit needs for which it was read. */
  readonly endCommit: () => void;
}

export function importedBodies(store: BodyStore): ImportedBodies {
  const handles = new Set<number>();
  /** By path, the handle of the body that was read last. */
  const latest = new Map<string, number>();
  /** By path, what makes that one of the one before it. */
  const updates = new Map<string, { readonly before: number; readonly read: ReadUpdate }>();
  const of = ({ handle }: StoredBody) => storedObject(store, handle);
  return {
    put: (path, { json, digest, update }) => {
      const handle = store.put(json);
      const before = latest.get(path);
      if (update && before !== undefined) updates.set(path, { before, read: update });
      else updates.delete(path);
      handles.add(handle);
      latest.set(path, handle);
      return { handle, digest };
    },
    putOwn: (body) => {
      const stored = storeBody(store, body);
      handles.add(stored.handle);
      return stored;
    },
    of,
    update: (before, after, item) => {
      const known = latest.get(item.path) === after.handle ? updates.get(item.path) : undefined;
      return known?.before === before.handle ? updateIn(known.read) : bodyUpdate(of(before), of(after), item);
    },
    has: ({ handle }) => handles.has(handle),
    endCommit: () => updates.clear(),
  };
}
