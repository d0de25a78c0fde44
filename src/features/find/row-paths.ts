import { nodePath } from '../../core/model/node-path.ts';
import { findField, type QueryFleet } from '../../core/query/columns.ts';

/** Returns a function that maps a row number to the path of the node. */
export function rowPaths(fleet: QueryFleet): (row: number) => string {
  const textIn = (field: string) => {
    const { valuesOf } = findField(field, fleet);
    return (row: number) => String(valuesOf(row)[0]);
  };
  const [site, cluster, uid] = [textIn('site'), textIn('cluster'), textIn('uid')];
  return (row) => nodePath({ site: site(row), cluster: cluster(row), uid: uid(row) });
}
