/**
 * The names of picked nodes in the URL. A name is the start of a uid. If several nodes have the same uid, the name is
 * `site/cluster/uid`.
 */

import { nodePath } from '../../core/model/node-path.ts';
import type { Fleet } from './fleet.ts';

/** The minimum length of a shortened uid. Shorter uids could become ambiguous when the registry grows. */
const SHORTEST = 8;

/** Returns the names of nodes, separated by commas. */
export function pickText(rows: Iterable<number>, fleet: Fleet): string {
  return Array.from(rows, (row) => pickName(row, fleet)).join(',');
}

function pickName(row: number, fleet: Fleet): string {
  const { uid, before, after } = neighbours(row, fleet);
  const { site, cluster } = fleet.placeOf(row);
  if (after === uid) return `${site}/${cluster}/${uid}`;
  for (let length = SHORTEST; length < uid.length; length++) {
    const start = uid.slice(0, length);
    if (!before.startsWith(start) && !after.startsWith(start)) return start;
  }
  return uid;
}

/** Returns a name that commands accept: the uid of a node, or its path if other nodes have the same uid. */
export function nodeArgument(row: number, fleet: Fleet): string {
  return isUidShared(row, fleet) ? fleet.pathOf(row) : (fleet.table.uids[row] ?? '');
}

/** True if another node has the same uid. */
export function isUidShared(row: number, fleet: Fleet): boolean {
  const { uid, after } = neighbours(row, fleet);
  return after === uid;
}

/** Returns the uid of a node, and the uids before and after it in the order of uids. Equal uids come after. */
function neighbours(row: number, fleet: Fleet) {
  const { uids } = fleet.table;
  const uid = uids[row] ?? '';
  const rows = fleet.rowsByUid();
  const at = firstFrom(uid, fleet);
  return { uid, before: uids[rows[at - 1] ?? -1] ?? '', after: uids[rows[at + 1] ?? -1] ?? '' };
}

/** Returns the index of the first uid, in the order of uids, that is equal to the text or comes after it. */
function firstFrom(text: string, { table: { uids }, rowsByUid }: Fleet): number {
  const rows = rowsByUid();
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((uids[rows[middle] ?? 0] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rowOfName(name: string, fleet: Fleet): number {
  const [site = '', cluster, uid] = name.split('/');
  if (cluster !== undefined) return fleet.rowOf(nodePath({ site, cluster, uid: uid ?? '' }));
  const row = fleet.rowsByUid()[firstFrom(name, fleet)] ?? -1;
  return fleet.table.uids[row]?.startsWith(name) ? row : -1;
}

/** Returns the rows of the picked nodes. The list `unknown` contains the names without a matching node. */
export function pickedRows(text: string | null, fleet: Fleet) {
  const rows = new Set<number>();
  const unknown: string[] = [];
  for (const name of new Set(text?.split(','))) {
    const row = rowOfName(name, fleet);
    if (row >= 0 && name !== '') rows.add(row);
    else if (name !== '') unknown.push(name);
  }
  return { rows: [...rows], unknown };
}
