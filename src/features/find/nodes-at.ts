import type { ListedNode } from '../../core/lock/node-source.ts';
import { nodePlace } from '../../core/model/node-path.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import { assertDefined } from '../../core/platform/lookups.ts';
import { findField } from '../../core/query/columns.ts';
import type { NodeReader } from '../lock/take-lock.ts';
import { type FindOptions, find } from './find.ts';
import { rowPaths } from './row-paths.ts';

/** Reads the nodes of a recorded revision, for `lock --at`. Reads all requested nodes in one step. */
export function readNodesAt(options: Omit<FindOptions, 'query'>): NodeReader {
  return (read) =>
    find(options, ['node_name'], async ({ fleet, revision }, source) => {
      const [pathOf, names] = [rowPaths(fleet), findField('node_name', fleet)];
      const nodes = Array.from({ length: fleet.total }, (_, row): ListedNode => {
        const [named] = names.valuesOf(row);
        return { path: pathOf(row), name: typeof named === 'string' ? named : undefined };
      });
      const rows = new Map(nodes.map(({ path }, row) => [path, row]));
      const rowsOf = (paths: readonly string[]) => paths.flatMap((path) => rows.get(path) ?? []);
      return await read({
        revision: () => assertDefined(revision),
        node: async (path) => (await source.nodesAt(rowsOf([path])))[0],
        nodesNamed: async (given) => nodes.filter(({ path, name }) => given === name || given === lastSegment(path)),
        list: async () => nodes,
        sites: async () => [
          ...new Set([...(await source.siteNames()).keys(), ...nodes.map(({ path }) => nodePlace(path).site)]),
        ],
        statesOf: (paths) => (source.lockedAt ?? source.nodesAt)(rowsOf(paths)),
      });
    });
}
