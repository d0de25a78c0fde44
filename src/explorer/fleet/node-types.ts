import { nodePath } from '../../core/model/node-path.ts';
import { type NodeTable, valueInRow } from '../../core/table/node-table.ts';
import type { FleetHistory } from '../data/history.ts';
import type { Fleet } from './fleet.ts';

export const TYPE = 'node_type';

export function typeOf({ columns }: NodeTable, row: number): string | undefined {
  const column = columns.find(({ name }) => name === TYPE);
  const type = column && valueInRow(column, row);
  return typeof type === 'string' ? type : undefined;
}

/** Returns the number of nodes that have the type of the given node, including the given node. */
export function sizeOfType({ columns }: NodeTable, row: number): number {
  const rows = columns.find(({ name }) => name === TYPE)?.rows ?? [];
  return Array.from(rows).filter((number) => number === rows[row]).length;
}

/** Maps the path of a node in the API, without a leading slash, to its node types. */
export type TypesByPath = ReadonlyMap<string, readonly string[]>;

export function typesInTable({ table, pathOf }: Fleet): TypesByPath {
  return new Map(table.uids.map((_, row) => [pathOf(row), [typeOf(table, row) ?? []].flat()]));
}

export function typesInHistory({ columns, nodes }: FleetHistory): TypesByPath {
  const index = columns.findIndex(({ name }) => name === TYPE);
  const values = columns[index]?.values ?? [];
  return new Map(
    nodes.map((node) => {
      const types = node.events.flatMap(({ cells }) => {
        const numbers = (cells ?? []).filter((_, i, all) => i % 2 === 1 && all[i - 1] === index);
        return numbers.map((number) => values[number]).filter((type) => typeof type === 'string');
      });
      return [nodePath(node), [...new Set(types)]];
    }),
  );
}
