/**
 * The bodies that a replay changes, as values: of a resource that is changed again and again, neither the body before
 * nor the texts of its unchanged fields are made anew. It keeps those that were changed last, up to a bound.
 */

import { sha256 } from '../model/digest.ts';
import { byCodeUnit, canonicalJson, type Json, type JsonObject } from '../model/json.ts';
import type { BodyStore, StoredBody } from '../model/state.ts';
import { itemAt } from '../platform/certain.ts';
import { recentlyUsed } from '../platform/recently-used.ts';
import { storedObject } from '../registry/registry.ts';

/** Characters of JSON text; as values they take some ten times as many bytes. */
const MOST_KEPT = 1 << 23;

export interface ReplayedBodies {
  /** The body behind a handle. */
  readonly of: (handle: number) => JsonObject;
  /** The same, if it is kept: it is no longer then. */
  readonly taken: (handle: number) => JsonObject | undefined;
  /** Stores the body that a change made. */
  readonly put: (body: JsonObject) => StoredBody;
}

export function replayedBodies(store: BodyStore): ReplayedBodies {
  const kept = recentlyUsed<number, JsonObject>(MOST_KEPT);
  const textsOf = fieldTexts();
  const findShape = knownShapes();
  return {
    // What comes of it takes its place; should it be needed once more, on another branch, it is read.
    of: (handle) => kept.take(handle) ?? storedObject(store, handle),
    taken: kept.take,
    put: (body) => {
      const { json, canonical } = bodyTexts(body, textsOf, findShape);
      const handle = store.put(json);
      kept.put(handle, body, json.length);
      return { handle, digest: sha256(canonical) };
    },
  };
}

interface Texts {
  readonly json: string;
  readonly canonical: string;
}

/** The texts of the fields of bodies: what a patch leaves alone is the same value afterwards. */
function fieldTexts(): (value: Json) => Texts {
  const known = new WeakMap<object, Texts>();
  return (value) => {
    if (typeof value !== 'object' || value === null) {
      const json = JSON.stringify(value);
      return { json, canonical: json };
    }
    const found = known.get(value);
    if (found) return found;
    const json = JSON.stringify(value);
    const canonical = canonicalJson(value);
    const texts = { json, canonical: canonical === json ? json : canonical };
    known.set(value, texts);
    return texts;
  };
}

/** What bodies with the same keys have in common. */
interface Shape {
  readonly keys: readonly string[];
  /** Each key as it stands in JSON, with its colon. */
  readonly names: readonly string[];
  /** The places of the keys in code-unit order; undefined where they stand so. */
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

/** The bodies of a fleet have few shapes. */
const MOST_SHAPES = 8;

/** Finds the shape of a body among those that were met last. */
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

/** A body as `JSON.stringify` and as `canonicalJson` have it. */
function bodyTexts(
  body: JsonObject,
  textsOf: (value: Json) => Texts,
  findShape: (keys: readonly string[]) => Shape,
): Texts {
  const { keys, names, order } = findShape(Object.keys(body));
  const fields = keys.map((key) => textsOf(body[key] ?? null));
  const json = fields.map((field, i) => itemAt(names, i) + field.json).join(',');
  const canonical = order
    ? order.map((i) => itemAt(names, i) + itemAt(fields, i).canonical).join(',')
    : fields.map((field, i) => itemAt(names, i) + field.canonical).join(',');
  return { json: `{${json}}`, canonical: `{${canonical}}` };
}
