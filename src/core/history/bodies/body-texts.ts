/**
 * The texts of bodies that follow each other: of a resource that is changed again and again, the texts of its unchanged
 * fields are not made anew.
 */

import { byCodeUnit, canonicalJson, type Json, type JsonObject } from '../../model/json.ts';
import { itemAt } from '../../platform/certain.ts';

export interface Texts {
  /** As `JSON.stringify` has it. */
  readonly json: string;
  /** As `canonicalJson` has it. */
  readonly canonical: string;
}

/** Gives the texts of bodies, whose values must not change. */
export function bodyTexts(): (body: JsonObject) => Texts {
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

/** The texts of a body, from those of its fields in the order of its keys. */
export function textsOfFields({ names, order }: Shape, fields: readonly Texts[]): Texts {
  const json = fields.map((field, i) => itemAt(names, i) + field.json).join(',');
  const canonical = order
    ? order.map((i) => itemAt(names, i) + itemAt(fields, i).canonical).join(',')
    : fields.map((field, i) => itemAt(names, i) + field.canonical).join(',');
  return { json: `{${json}}`, canonical: `{${canonical}}` };
}

/** The texts of a value; where they are the same, they are one. */
export function textsOfValue(value: Json): Texts {
  const json = JSON.stringify(value);
  const canonical = canonicalJson(value);
  return { json, canonical: canonical === json ? json : canonical };
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
    const texts = textsOfValue(value);
    known.set(value, texts);
    return texts;
  };
}

/** What bodies with the same keys have in common. */
export interface Shape {
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
export function knownShapes(): (keys: readonly string[]) => Shape {
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
