/**
 * The nodes of a registry as a table in columns: one row for each node, ordered by site, cluster and uid. A column has each
 * value once and, for each row, the number of its value, so that a question is asked of some dozens of values instead of
 * thousands of nodes.
 */

import { canonicalJson, type Json, type JsonObject, setOwn } from '../model/json.ts';

export interface TableColumn {
  readonly name: string;
  readonly values: readonly Json[];
  /** For each row the number of its value, ABSENT where the node has not the field. */
  readonly rows: ArrayLike<number> & Iterable<number>;
}

/** How many rows, one after the other, are nodes of a cluster. */
export interface ClusterRows {
  readonly site: string;
  readonly cluster: string;
  readonly nodes: number;
}

export interface NodeTable {
  readonly total: number;
  readonly clusters: readonly ClusterRows[];
  readonly uids: readonly string[];
  /** A column for each field at the top of bodies but the uid, by name in code-unit order, with whole values. */
  readonly columns: readonly TableColumn[];
  /** The names of the fields that are in no column, though nodes have them, in code-unit order. */
  readonly leftOut: readonly string[];
}

/** The value that a row has in a column; undefined where it has none. */
export function valueInRow({ values, rows }: TableColumn, row: number): Json | undefined {
  const number = rows[row] ?? ABSENT;
  return number === ABSENT ? undefined : values[number];
}

/** For each value of a column, by its number, how many rows have it. */
export function rowsOfValues({ values, rows }: TableColumn): Uint32Array {
  const counts = new Uint32Array(values.length);
  for (let row = 0; row < rows.length; row++) {
    const number = rows[row] ?? ABSENT;
    if (number !== ABSENT) counts[number] = (counts[number] ?? 0) + 1;
  }
  return counts;
}

/** What the table knows of a node's body: all of it but the uid and what is left out. */
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

/** Counts the nodes of each cluster, that come one cluster after the other. */
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

/** What stands in a row where a node has not the field. */
export const ABSENT = -1;

export interface Dictionary {
  /** By number, in the order in which they were first seen. */
  readonly values: readonly Json[];
  /** The number of a value, by its JSON text: of two that differ only in the order of their keys it is the same. */
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
