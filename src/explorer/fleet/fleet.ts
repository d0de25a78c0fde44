import type { PublishedTable } from '../../core/client/table-document.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { nodePath } from '../../core/model/node-path.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { QueryFleet } from '../../core/query/columns.ts';
import { type FleetLabels, labelledFleet } from '../../core/query/table-fleet.ts';
import { labelValues } from '../../core/table/label-columns.ts';
import { ABSENT, clusterOfRows, type NodeTable } from '../../core/table/node-table.ts';
import { visible } from './visible.ts';

export interface Fleet {
  readonly table: NodeTable;
  readonly query: QueryFleet;
  /** False until the page has read the uids of a large registry. */
  readonly hasUids: boolean;
  readonly placeOf: (row: number) => { readonly site: string; readonly cluster: string };
  /** Returns the path of a node in the API, without a leading slash. */
  readonly pathOf: (row: number) => string;
  /** Returns -1 for an unknown node. */
  readonly rowOf: (path: string) => number;
  /** Returns the rows in the order of their uids. Rows with equal uids keep the order of the table. */
  readonly rowsByUid: () => readonly number[];
  /** Returns the name of a node as visible text, or the uid of a node without a name. */
  readonly nameOf: (row: number) => string;
  /** True if another node of the site has the same name. */
  readonly isNameShared: (row: number) => boolean;
  /** Returns the position of each row in the order of sites and names. The name `c2` comes before `c10`. */
  readonly orderOf: () => Uint32Array;
}

export function fleetOf(table: PublishedTable): Fleet {
  const places = [...clusterOfRows(table)];
  const names = table.columns.find(({ name }) => name === 'node_name');
  const placeOf = (row: number) => {
    const place = places[row];
    if (!place) throw new Error(`there is no row ${row}`);
    return place;
  };
  const uidOf = (row: number) => table.uids[row] ?? '';
  const pathOf = (row: number) => nodePath({ ...placeOf(row), uid: uidOf(row) });
  const nameOf = (row: number) => {
    const name = names?.values[names.rows[row] ?? ABSENT];
    return typeof name === 'string' && name !== '' ? visible(name) : uidOf(row);
  };
  const orderOf = lazily(() => {
    // Sorting padded digits takes an eighth of the time of `byNaturalOrder` for 20,000 names.
    const keys = table.uids.map((_, row) => `${placeOf(row).site} ${nameOf(row).replace(/\d+/g, padded)}`);
    const order = new Uint32Array(keys.length);
    const sorted = [...keys.keys()].sort((a, b) => byCodeUnit(keys[a] ?? '', keys[b] ?? ''));
    for (const [place, row] of sorted.entries()) order[row] = place;
    return order;
  });
  const rows = lazily(() => new Map(table.uids.map((_, row) => [pathOf(row), row])));
  const siteAndName = (row: number) => `${placeOf(row).site} ${nameOf(row)}`;
  const sharedNames = lazily(() => {
    const [seen, shared] = [new Set<string>(), new Set<string>()];
    for (const key of Array.from(table.uids.keys(), siteAndName)) {
      if (seen.has(key)) shared.add(key);
      seen.add(key);
    }
    return shared;
  });
  const rowsByUid = lazily(() => [...table.uids.keys()].sort((a, b) => byCodeUnit(uidOf(a), uidOf(b))));
  return {
    table,
    hasUids: table.uids[0] !== '',
    placeOf,
    pathOf,
    query: labelledFleet(table, labelsOf(table)),
    rowOf: (path) => rows().get(path) ?? -1,
    rowsByUid,
    nameOf,
    isNameShared: (row) => sharedNames().has(siteAndName(row)),
    orderOf,
  };
}

const DIGITS = 12;

function padded(digits: string): string {
  return digits.padStart(DIGITS, '0');
}

function labelsOf({ labels }: PublishedTable): FleetLabels {
  return {
    names: labels.map(({ name }) => name),
    column: (name, columnOf) => {
      const label = labels.find((each) => each.name === name);
      return label && labelValues(label.of, columnOf);
    },
  };
}
