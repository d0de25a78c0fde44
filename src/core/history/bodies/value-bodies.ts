/**
 * Changed bodies as values, for a replay of which only the last state is needed: the text of such a body is stored when
 * somebody asks for it, and the body is garbage once no state has it.
 */

import { sha256 } from '../../model/digest.ts';
import { canonicalJson, type Json, type JsonObject } from '../../model/json.ts';
import type { BodyStore, StoredBody } from '../../model/state.ts';
import { itemAt } from '../../platform/certain.ts';
import { storeBody, storedObject } from '../../registry/registry.ts';
import { knownShapes } from './body-texts.ts';
import type { ReplayedBodies } from './replayed-bodies.ts';

export function valueBodies(store: BodyStore): ReplayedBodies {
  const digestOf = bodyDigests();
  return {
    of: (body) => (body instanceof ValueBody ? body.value : storedObject(store, body.handle)),
    add: (body) => storeBody(store, body),
    put: (value) => new ValueBody(value, store, digestOf),
  };
}

class ValueBody implements StoredBody {
  readonly value: JsonObject;
  readonly #store: BodyStore;
  readonly #digestOf: (value: JsonObject) => string;
  #handle: number | undefined;
  #digest: string | undefined;

  constructor(value: JsonObject, store: BodyStore, digestOf: (value: JsonObject) => string) {
    this.value = value;
    this.#store = store;
    this.#digestOf = digestOf;
  }

  get handle(): number {
    this.#handle ??= this.#store.put(JSON.stringify(this.value));
    return this.#handle;
  }

  get digest(): string {
    this.#digest ??= this.#digestOf(this.value);
    return this.#digest;
  }
}

/** `bodyDigest` for bodies that share fields: the text of a field that a patch leaves alone is made once. */
function bodyDigests(): (body: JsonObject) => string {
  const known = new WeakMap<object, string>();
  const findShape = knownShapes();
  const textOf = (value: Json): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const held = known.get(value);
    if (held !== undefined) return held;
    const text = canonicalJson(value);
    known.set(value, text);
    return text;
  };
  return (body) => {
    const { keys, names, order } = findShape(Object.keys(body));
    let text = '';
    for (let place = 0; place < keys.length; place++) {
      const at = order ? itemAt(order, place) : place;
      text += `${place === 0 ? '{' : ','}${itemAt(names, at)}${textOf(body[itemAt(keys, at)] ?? null)}`;
    }
    return sha256(keys.length === 0 ? '{}' : `${text}}`);
  };
}
