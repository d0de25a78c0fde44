import { findField, type QueryFleet } from '../../core/query/columns.ts';
import { nodePath } from '../../core/table/node-table.ts';

/** Returns a function that returns the path of the node in a row. */
export function rowPaths(fleet: QueryFleet): (row: number) => string {
  const textIn = (field: string) => {
    const { valuesOf } = findField(field, fleet);
    return (row: number) => String(valuesOf(row)[0]);
  };
  const [site, cluster, uid] = [textIn('site'), textIn('cluster'), textIn('uid')];
  return (row) => nodePath({ site: site(row), cluster: cluster(row), uid: uid(row) });
}
