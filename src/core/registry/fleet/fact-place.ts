/** Where in the files a fact stands. */

import type { Place } from '../../diagnostics/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { KINDS } from '../../model/kinds.ts';
import { subjectAt } from '../../model/resource-path.ts';
import type { BodyStore } from '../../model/state.ts';
import { certain } from '../../platform/certain.ts';
import { fileOfResource } from '../layout.ts';
import { placeOf, type SourceFolder, storedObject } from '../registry.ts';
import type { Fact, FleetNode } from './fact.ts';

/**
 * The place of the value that a fact means at a member, of the field's first where it means none, or of what should hold
 * a field that is not there. Without a code frame: the values are in the message.
 */
export function placeOfFact(folder: SourceFolder, store: BodyStore) {
  return (fact: Fact, { path, handle }: FleetNode): Place => {
    const file = fileOfResource(subjectAt(path, KINDS));
    const { frame: _, ...place } = placeOf(folder, file, ...wayTo(storedObject(store, handle), fact));
    return place;
  };
}

function wayTo(body: JsonObject, { field, isMeant }: Fact): Way {
  const found = [...occurrences(body, field, [])];
  const meant = (isMeant && found.find(({ value }) => isMeant(value))) ?? found[0];
  if (meant) return meant.way;
  for (let length = field.length - 1; length > 0; length--) {
    const holders = [...occurrences(body, field.slice(0, length), [])];
    const holder = holders.find(({ value }) => isJsonObject(value)) ?? holders[0];
    if (holder) return holder.way;
  }
  return [];
}

type Way = readonly (string | number)[];

/** Everything that a field leads to, through every item of the arrays on its way; an array before its items. */
function* occurrences(
  value: Json,
  field: readonly string[],
  way: Way,
): Generator<{ readonly way: Way; readonly value: Json }> {
  if (field.length === 0) yield { way, value };
  const [name, ...rest] = field;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* occurrences(item, field, [...way, i]);
  } else if (isJsonObject(value) && name !== undefined && Object.hasOwn(value, name)) {
    yield* occurrences(certain(value[name]), rest, [...way, name]);
  }
}
