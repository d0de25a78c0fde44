/**
 * The bodies that a replay changes, as values: of a resource that is changed again and again, neither the body before
 * nor the texts of its unchanged fields are made anew. It keeps the latest ones, up to a bound.
 */

import { sha256 } from '../../model/digest.ts';
import type { JsonObject } from '../../model/json.ts';
import type { BodyStore, StoredBody } from '../../model/state.ts';
import { storeBody, storedObject } from '../../registry/registry.ts';
import { bodyTexts } from './body-texts.ts';

/** Characters of JSON text; as values they take some ten times as many bytes. */
const MOST_KEPT = 1 << 23;

export interface ReplayedBodies {
  readonly of: (body: StoredBody) => JsonObject;
  /** The body of a resource that is new. */
  readonly add: (body: JsonObject) => StoredBody;
  /** The body that a change made. */
  readonly put: (body: JsonObject) => StoredBody;
}

/** Stores the text of every body. */
export function storedBodies(store: BodyStore): ReplayedBodies {
  const kept = new Map<number, JsonObject>();
  let keptLength = 0;
  const textsOf = bodyTexts();
  return {
    of: ({ handle }) => kept.get(handle) ?? storedObject(store, handle),
    add: (body) => storeBody(store, body),
    put: (body) => {
      const { json, canonical } = textsOf(body);
      const handle = store.put(json);
      if (keptLength > MOST_KEPT) {
        kept.clear();
        keptLength = 0;
      }
      kept.set(handle, body);
      keptLength += json.length;
      return { handle, digest: sha256(canonical) };
    },
  };
}
