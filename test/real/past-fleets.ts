/**
 * Reads `/nodes/history` like an external client, from the document alone: the bodies of the nodes at each revision,
 * without the omitted fields.
 */
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { sorted } from './git-trees.ts';

interface HistoryDocument {
  readonly revisions: readonly { readonly uid: string; readonly parent: number | null }[];
  readonly clusters: readonly { readonly site: string; readonly cluster: string; readonly nodes: number }[];
  readonly uids: readonly string[];
  readonly columns: readonly { readonly name: string; readonly values: readonly Json[] }[];
  readonly events: readonly (readonly (readonly [revision: number, cells: readonly number[] | null])[])[];
  readonly left_out: readonly string[];
}

/** Returns, by index of the revision, the bodies by resource path as canonical texts. */
export function pastFleets({ revisions, clusters, uids, columns, events }: HistoryDocument) {
  const places = clusters.flatMap(({ site, cluster, nodes }) =>
    Array.from({ length: nodes }, () => `sites/${site}/clusters/${cluster}/nodes`),
  );
  const texts = new Map<string, string>();
  const textOf = (cells: ReadonlyMap<number, number>): string => {
    const key = [...cells].sort(([a], [b]) => a - b).join(' ');
    const fields = [...cells].filter(([, value]) => value >= 0);
    const body = fields.map(([column, value]) => [columns[column]?.name ?? '', columns[column]?.values[value] ?? null]);
    const text = texts.get(key) ?? sorted(Object.fromEntries(body));
    texts.set(key, text);
    return text;
  };
  return (index: number): Map<string, string> => {
    const line = new Set<number>();
    for (let at: number | null = index; at !== null; at = revisions[at]?.parent ?? null) line.add(at);
    const fleet = new Map<string, string>();
    for (const [node, uid] of uids.entries()) {
      let cells: Map<number, number> | undefined;
      for (const [revision, changed] of events[node] ?? []) {
        if (!line.has(revision)) continue;
        cells = changed ? (cells ?? new Map<number, number>()) : undefined;
        for (let i = 0; i < (changed?.length ?? 0); i += 2) cells?.set(changed?.[i] ?? -1, changed?.[i + 1] ?? -1);
      }
      if (cells) fleet.set(`${places[node]}/${uid}`, textOf(cells));
    }
    return fleet;
  };
}

/** A body without its uid and without fields given by dotted names. */
export function withoutOwnColumns(text: string, names: readonly string[]): string {
  const ways = ['uid', ...names].map((name) => name.split('.'));
  const without = (value: Json, here: readonly (readonly string[])[]): Json => {
    if (Array.isArray(value)) return value.map((item) => without(item, here));
    if (!isJsonObject(value)) return value;
    const kept = Object.entries(value).flatMap(([name, held]): [string, Json][] => {
      const below = here.filter(([first]) => first === name).map((way) => way.slice(1));
      return below.some((way) => way.length === 0) ? [] : [[name, without(held, below)]];
    });
    return Object.fromEntries(kept);
  };
  const body: JsonObject = JSON.parse(text);
  const rest = without(body, ways);
  return isJsonObject(rest) ? sorted(rest) : '';
}
