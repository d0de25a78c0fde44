/** The `node_type` of nodes, now and ever: what feeds of changes can be filtered by, which do not say it themselves. */
import { type NodeTable, type TableColumn, valueInRow } from '../../core/table/node-table.ts';
import type { FleetHistory } from '../data/history.ts';
import type { Fleet } from './fleet.ts';

export const TYPE = 'node_type';

export function typeOf(table: NodeTable, row: number): string | undefined {
  return typeIn(typeColumn(table), row);
}

function typeColumn({ columns }: NodeTable): TableColumn | undefined {
  return columns.find(({ name }) => name === TYPE);
}

function typeIn(column: TableColumn | undefined, row: number): string | undefined {
  const type = column && valueInRow(column, row);
  return typeof type === 'string' ? type : undefined;
}

/** By the paths of nodes in the API, without the slash that they begin with. */
export type TypesByPath = ReadonlyMap<string, readonly string[]>;

export function typesInTable({ table, pathOf }: Fleet): TypesByPath {
  const column = typeColumn(table);
  const found = new Map<string, readonly string[]>();
  for (const row of table.uids.keys()) {
    const type = typeIn(column, row);
    if (type !== undefined) found.set(pathOf(row), [type]);
  }
  return found;
}

export function typesInHistory({ columns, nodes }: FleetHistory): TypesByPath {
  const place = columns.findIndex(({ name }) => name === TYPE);
  const values = columns[place]?.values ?? [];
  return new Map(
    nodes.map(({ site, cluster, uid, events }) => {
      const types = new Set<string>();
      for (const { cells } of events) {
        for (let i = 0; i < (cells?.length ?? 0); i += 2) {
          const type = cells?.[i] === place ? values[cells[i + 1] ?? -1] : undefined;
          if (typeof type === 'string') types.add(type);
        }
      }
      return [`sites/${site}/clusters/${cluster}/nodes/${uid}`, [...types]];
    }),
  );
}
