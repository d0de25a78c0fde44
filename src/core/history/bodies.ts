/** Computes the JSON texts and digests of bodies during a replay. Texts of unchanged fields are reused. */

import { sha256 } from '../model/digest.ts';
import { byCodeUnit, canonicalFrom, canonicalJson, type Json, type JsonObject } from '../model/json.ts';
import type { BodyStore, StoredBody } from '../model/state.ts';
import { getOrCreate, itemAt } from '../platform/lookups.ts';
import { storeBody, storedObject } from '../registry/registry.ts';

interface Texts {
  readonly json: string;
  readonly canonical: string;
}

/** Callers must not modify a body after this call. */
function bodyTexts(): (body: JsonObject) => Texts {
  const textsOf = fieldTexts();
  const findShape = knownShapes();
  return (body) => {
    const shape = findShape(Object.keys(body));
    return textsOfFields(
      shape,
      shape.keys.map((key) => textsOf(body[key] ?? null)),
    );
  };
}

/** `fields` contains the texts of the values in the order of `names`. */
function textsOfFields({ names, order }: Shape, fields: readonly Texts[]): Texts {
  const json = fields.map((field, i) => itemAt(names, i) + field.json).join(',');
  const canonical = order
    ? order.map((i) => itemAt(names, i) + itemAt(fields, i).canonical).join(',')
    : fields.map((field, i) => itemAt(names, i) + field.canonical).join(',');
  return { json: `{${json}}`, canonical: `{${canonical}}` };
}

function textsOfValue(value: Json): Texts {
  const json = JSON.stringify(value);
  const canonical = canonicalJson(value);
  return { json, canonical: canonical === json ? json : canonical };
}

/** Caches texts by object identity, because a patch reuses the objects of unchanged fields. */
function fieldTexts(): (value: Json) => Texts {
  const known = new WeakMap<object, Texts>();
  return (value) => {
    if (typeof value === 'object' && value !== null) return getOrCreate(known, value, () => textsOfValue(value));
    const json = JSON.stringify(value);
    return { json, canonical: json };
  };
}

/** The keys of a body. Many bodies have the same keys. */
interface Shape {
  readonly keys: readonly string[];
  /** The JSON text of each key, followed by a colon. */
  readonly names: readonly string[];
  /** The indexes of the keys in code-unit order. Undefined if the keys are already in this order. */
  readonly order: readonly number[] | undefined;
}

function shapeOf(keys: readonly string[]): Shape {
  const isInOrder = keys.every((key, i) => i === 0 || itemAt(keys, i - 1) < key);
  const places = [...keys.keys()];
  return {
    keys,
    names: keys.map((key) => `${JSON.stringify(key)}:`),
    order: isInOrder ? undefined : places.sort((a, b) => byCodeUnit(itemAt(keys, a), itemAt(keys, b))),
  };
}

const MOST_SHAPES = 8;

/** Returns a function that finds the shape for a list of keys. Recent shapes are cached. */
function knownShapes(): (keys: readonly string[]) => Shape {
  const known: Shape[] = [];
  return (keys) => {
    const same = known.find(
      (shape) => shape.keys.length === keys.length && shape.keys.every((key, i) => key === keys[i]),
    );
    const shape = same ?? shapeOf(keys);
    if (!same) known.unshift(shape);
    if (known.length > MOST_SHAPES) known.pop();
    return shape;
  };
}

/** The size limit of the cache, in JSON characters. The parsed values take about ten times as many bytes. */
const MOST_KEPT = 1 << 23;

export interface ReplayedBodies {
  readonly of: (body: StoredBody) => JsonObject;
  readonly add: (body: JsonObject) => StoredBody;
  readonly put: (body: JsonObject) => StoredBody;
}

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

/** Keeps updated bodies as objects. Stores an updated body as text as soon as a caller needs the handle of the body. */
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

/** Works like `bodyDigest`, but caches the texts of unchanged fields. */
function bodyDigests(): (body: JsonObject) => string {
  const known = new WeakMap<object, string>();
  const textOf = (value: Json): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return getOrCreate(known, value, () => canonicalJson(value));
  };
  return (body) => sha256(canonicalFrom(body, textOf));
}
