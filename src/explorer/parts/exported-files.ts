/** The texts of the files that a user can save. */
import type { TableForm } from '../../core/exports/text-table.ts';
import { lockOf, lockText, type Origin } from '../../core/lock/lock-format.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import type { AppState } from '../app-state.ts';
import { loadExports } from '../data/exports.ts';
import { wholeNodes } from '../data/nodes.ts';
import { ReadError } from '../data/reader.ts';
import { isUidShared, nodeArgument } from '../fleet/picks.ts';

/** Includes the cluster if the uid of a node is not unique. */
export async function csvText({ fleet }: AppState, rows: readonly number[], columns: readonly string[]) {
  const { csvOf } = await loadExports();
  const isShared = rows.some((row) => isUidShared(row, fleet));
  return csvOf(fleet.query, rows, [...new Set(['uid', 'site', ...(isShared ? ['cluster'] : []), ...columns])]);
}

export async function ndjsonText({ fleet }: AppState, rows: readonly number[]): Promise<string> {
  const { ndjsonOf } = await loadExports();
  return ndjsonOf(fleet, rows);
}

/** Returns the table that `gridpress find` writes for these nodes, for example for a paper. */
export async function documentTable({ fleet, registry, place }: AppState, rows: readonly number[], form: TableForm) {
  const { tableText } = await loadExports();
  const { version: id, date } = registry;
  return tableText(form, fleet.query, { rows, isSorted: place.params.has('sort'), revision: { id, date } });
}

/** Returns one line for each node: its uid, or its path if other nodes have the same uid. */
export function uidsText({ fleet }: AppState, rows: readonly number[]): string {
  return rows.map((row) => `${nodeArgument(row, fleet)}\n`).join('');
}

export const LOCK_OF_PAST =
  'A lock file needs the latest revision. Choose “Show latest”, or build this revision with gridpress build --at and lock that tree.';

/** Returns the lock file that `gridpress lock` writes for these nodes. */
export async function lockOfRows(state: AppState, rows: readonly number[]): Promise<string> {
  const { reader, fleet, registry } = state;
  const { version: id, newest, date } = registry;
  if (!(await reader.hasPast()))
    throw new ReadError(
      'A lock file needs whole nodes. The offline copy does not include them, because they are too long. Serve the folder with gridpress serve, or run gridpress lock.',
    );
  if (id !== newest) throw new ReadError(LOCK_OF_PAST);
  const nodes = await wholeNodes(reader, fleet, rows, id);
  const states = nodes.map(({ row, body, latest }) => ({
    path: fleet.pathOf(row),
    uid: fleet.table.uids[row] ?? '',
    body,
    latest,
    name: nodeNameOf(body),
  }));
  return lockText(lockOf(originOf(state), { id, date }, states));
}

/** Returns the tree's URL or absolute path. A relative path would depend on the location of the lock file. */
function originOf(state: AppState): Origin {
  const place = baseUrl(state);
  if (!state.reader.isLocal) return { kind: 'url', place };
  const path = decodeURIComponent(new URL(place).pathname).replace(/^\/(?=[A-Z]:)/i, '');
  return { kind: 'tree', place: path };
}

export function baseUrl({ reader }: AppState): string {
  return new URL('.', reader.urlOf('/')).href;
}
