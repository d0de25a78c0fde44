/** Where in the files a fact stands. */
import type { Place } from '../../diagnostics/finding.ts';
import type { Json } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { parsePath } from '../../model/resource-path.ts';
import type { BodyStore } from '../../model/state.ts';
import { fileOfResource } from '../layout.ts';
import { placeOf, type SourceFolder, storedObject } from '../registry.ts';
import type { Fact, Member } from './fact.ts';

/**
 * The place of the value that a fact means at a member, of the field's first where it means none, or of the nearest
 * thing above a field that is not there. Without a code frame: the values are in the message.
 */
export function placeOfFact(folder: SourceFolder, store: BodyStore) {
  return ({ field, isMeant }: Fact, { path, handle }: Member): Place => {
    const found = [...occurrences(storedObject(store, handle), field, [])];
    const meant = isMeant && found.find(({ value }) => isMeant(value));
    const way = (meant ?? found[0])?.way ?? field;
    const subject = parsePath(path);
    const { frame: _, ...place } = placeOf(folder, subject ? fileOfResource(subject) : '', ...way);
    return place;
  };
}

/** Everything that a field leads to, through every item of the arrays on its way; an array before its items. */
function* occurrences(
  value: Json,
  field: readonly string[],
  way: readonly (string | number)[],
): Generator<{ readonly way: readonly (string | number)[]; readonly value: Json }> {
  if (field.length === 0) yield { way, value };
  const [name, ...rest] = field;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* occurrences(item, field, [...way, i]);
  } else if (isJsonObject(value) && name !== undefined && Object.hasOwn(value, name)) {
    yield* occurrences(value[name] ?? null, rest, [...way, name]);
  }
}
