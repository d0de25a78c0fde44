/** Since when nodes have a field, of what they had after each revision, the oldest first. */
import { isJsonObject, type Json } from '../model/json.ts';

export interface FirstAppearances {
  /** A node has a value in the field to which names lead, after the revision of an index. */
  readonly see: (way: readonly string[], value: Json, index: number) => void;
  readonly of: (way: readonly string[]) => number | undefined;
}

interface Seen {
  since: number | undefined;
  readonly below: Map<string, Seen>;
}

export function newFirstAppearances(): FirstAppearances {
  const top = newSeen();
  return {
    see: (way, value, index) => seeIn(way.reduce(seenBelow, top), value, index),
    of: (way) => {
      let seen: Seen | undefined = top;
      for (const name of way) seen = seen?.below.get(name);
      return seen?.since;
    },
  };
}

function newSeen(): Seen {
  return { since: undefined, below: new Map() };
}

function seenBelow(seen: Seen, name: string): Seen {
  const known = seen.below.get(name);
  if (known) return known;
  const made = newSeen();
  seen.below.set(name, made);
  return made;
}

/** The items of an array are in the array's field. */
function seeIn(seen: Seen, value: Json, index: number): void {
  seen.since ??= index;
  if (Array.isArray(value)) {
    for (const item of value) seeIn(seen, item, index);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) seeIn(seenBelow(seen, name), value[name] ?? null, index);
  }
}
