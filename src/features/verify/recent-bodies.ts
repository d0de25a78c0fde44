import type { JsonObject } from '../../core/model/json.ts';

export type ReadVersion = (path: string) => Promise<JsonObject | undefined> | JsonObject | undefined;

/** How many bodies are kept: most are of nodes, of some kilobytes each. */
const MOST_RECENT = 4_000;

export function recentBodies() {
  const bodies = new Map<string, JsonObject>();
  return {
    keep: (path: string, resource: JsonObject): void => {
      bodies.set(path, resource);
      const [oldest] = bodies.size > MOST_RECENT ? bodies.keys() : [];
      if (oldest !== undefined) bodies.delete(oldest);
    },
    /** Gives a body away: hardly any has two successors. */
    take: (path: string): JsonObject | undefined => {
      const body = bodies.get(path);
      bodies.delete(path);
      return body;
    },
  };
}

/** The same reader, which keeps the last two bodies: each version is read as itself and as the predecessor of another. */
export function keepingLastTwo(read: ReadVersion): ReadVersion {
  let kept: readonly (readonly [path: string, body: JsonObject | undefined])[] = [];
  return async (path) => {
    const body = (kept.find((each) => each[0] === path) ?? [path, await read(path)])[1];
    kept = [[path, body], ...kept.filter((each) => each[0] !== path).slice(0, 1)];
    return body;
  };
}
