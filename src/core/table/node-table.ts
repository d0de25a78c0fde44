/** A table has one row for each node, ordered by site, cluster and uid. A column stores each distinct value once. */

import { canonicalJson, type Json, type JsonObject, setOwn } from '../model/json.ts';

export interface TableColumn {
  readonly name: string;
  readonly values: readonly Json[];
  /** The value number of each row, or ABSENT. */
  readonly rows: ArrayLike<number> & Iterable<number>;
}

/** The number of consecutive rows that belong to a cluster. */
export interface ClusterRows {
  readonly site: string;
  readonly cluster: string;
  readonly nodes: number;
}

export interface NodeTable {
  readonly total: number;
  readonly clusters: readonly ClusterRows[];
  readonly uids: readonly string[];
  /** All top-level fields except the uid, sorted by name in code-unit order. An object or a list is one value. */
  readonly columns: readonly TableColumn[];
  readonly omittedFields: readonly string[];
}

export function valueInRow({ values, rows }: TableColumn, row: number): Json | undefined {
  const number = rows[row] ?? ABSENT;
  return number === ABSENT ? undefined : values[number];
}

export function rowsOfValues({ values, rows }: TableColumn): Uint32Array {
  const counts = new Uint32Array(values.length);
  for (let row = 0; row < rows.length; row++) {
    const number = rows[row] ?? ABSENT;
    if (number !== ABSENT) counts[number] = (counts[number] ?? 0) + 1;
  }
  return counts;
}

export function bodyAt({ columns }: Pick<NodeTable, 'columns'>, row: number): JsonObject {
  const body: Record<string, Json> = {};
  for (const column of columns) {
    const value = valueInRow(column, row);
    if (value !== undefined) setOwn(body, column.name, value);
  }
  return body;
}

export function* clusterOfRows({ clusters }: Pick<NodeTable, 'clusters'>): Generator<ClusterRows> {
  for (const cluster of clusters) for (let i = 0; i < cluster.nodes; i++) yield cluster;
}

/** Counts the nodes of each cluster. Nodes of the same cluster must be consecutive. */
export function newClusterRows() {
  const all: { site: string; cluster: string; nodes: number }[] = [];
  return {
    all,
    add: ({ site, cluster }: Omit<ClusterRows, 'nodes'>) => {
      const last = all.at(-1);
      if (last?.site === site && last.cluster === cluster) last.nodes++;
      else all.push({ site, cluster, nodes: 1 });
    },
  };
}

export const ABSENT = -1;

export interface Dictionary {
  /** Values are numbered in the order of their first occurrence. */
  readonly values: readonly Json[];
  /** Returns the number that stands for a value. Values that differ only in the order of keys have the same number. */
  readonly numberOf: (json: string) => number;
}

export function newDictionary(): Dictionary {
  const values: Json[] = [];
  const numbers = new Map<string, number>();
  return {
    values,
    numberOf: (json) => {
      const found = numbers.get(json);
      if (found !== undefined) return found;
      const value: Json = JSON.parse(json);
      const canonical = canonicalJson(value);
      const number = numbers.get(canonical) ?? values.push(value) - 1;
      numbers.set(json, number).set(canonical, number);
      return number;
    },
  };
}
