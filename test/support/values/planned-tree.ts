/** The documents of a planned tree, without writing it. */
import type { Publication } from '../../../src/core/api/publication.ts';
import { isJsonObject } from '../../../src/core/model/json.ts';
import { planTree } from '../../../src/core/tree/plan/plan-tree.ts';
import type { Get } from '../trees/feed-client.ts';

export interface PlannedTree {
  /** The text at a URL; undefined if there is none. */
  readonly textOf: (url: string) => string | undefined;
  readonly get: Get;
}

export function plannedTree(publication: Publication): PlannedTree {
  const { documents, aliases } = planTree(publication);
  const bodies = new Map(documents.flatMap(({ list }) => [...list()].map(({ url, body }) => [url, body] as const)));
  const targets = new Map(aliases.flatMap(({ list }) => [...list()].map(({ url, target }) => [url, target] as const)));
  const textOf = (url: string) => (bodies.get(url) ?? bodies.get(targets.get(url) ?? ''))?.();
  return {
    textOf,
    get: async (url) => {
      const body: unknown = JSON.parse(textOf(url) ?? 'null');
      if (!isJsonObject(body)) throw new Error(`nothing answers ${url}`);
      return body;
    },
  };
}
