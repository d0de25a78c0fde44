/**
 * Bodies as the texts of the fields at their top. Of a body that is changed again and again, what a change leaves alone is
 * neither read nor made anew, and is in memory once.
 */

import type { FieldChange } from '../../model/differences/difference.ts';
import { patch } from '../../model/differences/patch.ts';
import { type Json, type JsonObject, setOwn } from '../../model/json.ts';
import { pointerTokens } from '../../model/json-pointer.ts';
import { itemAt } from '../../platform/certain.ts';
import { knownShapes, type Shape, type Texts, textsOfFields, textsOfValue } from './body-texts.ts';

export interface BodyFields {
  readonly shape: Shape;
  /** In the order of the shape's keys. */
  readonly texts: readonly Texts[];
  /** Of the texts together, in characters. */
  readonly length: number;
}

export interface FieldwiseBodies {
  readonly of: (body: JsonObject) => BodyFields;
  /** The body after some changes; undefined where they do not fit. */
  readonly patched: (before: BodyFields, changes: readonly FieldChange[]) => BodyFields | undefined;
}

export function fieldwiseBodies(): FieldwiseBodies {
  const findShape = knownShapes();
  const fieldsOf = (body: JsonObject, known: (key: string) => Texts | undefined): BodyFields => {
    const shape = findShape(Object.keys(body));
    const texts = shape.keys.map((key) => known(key) ?? textsOfValue(body[key] ?? null));
    return { shape, texts, length: texts.reduce((sum, { json }) => sum + json.length, 0) };
  };
  return {
    of: (body) => fieldsOf(body, () => undefined),
    patched: (before, changes) => {
      const changed = new Set(changes.map(({ at }) => pointerTokens(at)?.[0]));
      const unchanged = new Map<string, Texts>();
      const body: Record<string, Json> = {};
      for (const [i, key] of before.shape.keys.entries()) {
        const texts = itemAt(before.texts, i);
        if (!changed.has(key)) unchanged.set(key, texts);
        // What no change looks at only keeps its place.
        setOwn(body, key, changed.has(key) ? JSON.parse(texts.json) : null);
      }
      const after = patch(body, changes);
      return after.conflict ? undefined : fieldsOf(after.body, (key) => unchanged.get(key));
    },
  };
}

/** The texts of a whole body. */
export function wholeTexts({ shape, texts }: BodyFields): Texts {
  return textsOfFields(shape, texts);
}
