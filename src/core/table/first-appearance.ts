/** Since when nodes have a field. */
import type { History } from '../history/replay.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { isNodePath } from '../model/resource-path.ts';
import { type BodyStore, resourceAt } from '../model/state.ts';

/** For each of some fields, in their order, the index of the first revision after which a node had it. */
export function firstAppearances(
  { changes, states }: History,
  store: BodyStore,
  ways: readonly (readonly string[])[],
): (number | undefined)[] {
  const found = new Map<string, number>();
  // What is no field of bodies has no way: it would be looked for in all of them, and never found.
  const wanted = new Map(
    ways.flatMap((way) => (way.length === 0 ? [] : [[JSON.stringify(way), keysOf(way)] as const])),
  );
  for (const [index, made] of changes.entries()) {
    for (const { path, action } of made) {
      if (wanted.size === 0) break;
      if (action === 'touched' || action === 'removed' || !isNodePath(path)) continue;
      const body = resourceAt(states[index] ?? null, path)?.body;
      const json = body ? store.get(body.handle) : '';
      // Where not even the names stand in the text, the field is not there.
      const mayHave = [...wanted.values()].some((keys) => keys.every((key) => json.includes(key)));
      if (!mayHave) continue;
      for (const way of waysIn(JSON.parse(json), [])) {
        const id = JSON.stringify(way);
        if (wanted.delete(id)) found.set(id, index);
      }
    }
  }
  return ways.map((way) => found.get(JSON.stringify(way)));
}

function keysOf(way: readonly string[]): string[] {
  return way.map((name) => `${JSON.stringify(name)}:`);
}

function* waysIn(value: Json, way: readonly string[]): Generator<readonly string[]> {
  if (Array.isArray(value)) {
    for (const item of value) yield* waysIn(item, way);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const below = [...way, name];
      yield below;
      yield* waysIn(value[name] ?? null, below);
    }
  }
}
