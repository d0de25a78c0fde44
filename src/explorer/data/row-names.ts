/** What tells the rows of the table apart: their uids and names. The table of very many nodes has them in pages. */
import { nodeRowsUrl } from '../../core/api/nodes/node-paths.ts';
import { itemsIn, type Json, type JsonObject } from '../../core/model/json.ts';
import { ABSENT } from '../../core/table/dictionary.ts';
import type { TableColumn } from '../../core/table/node-table.ts';
import type { DocumentReader } from './reader.ts';

export interface RowNames {
  readonly uids: readonly Json[];
  /** None where the table has the names itself. */
  readonly columns: readonly TableColumn[];
}

/** Undefined where pages are missing, or of another revision than the table: something is published meanwhile. */
export async function readRowNames(
  reader: DocumentReader,
  table: JsonObject,
  isAnew: boolean,
): Promise<RowNames | undefined> {
  const { uids, total, version } = table;
  if (Array.isArray(uids)) return { uids, columns: [] };
  const read = (page: number) => reader.read(nodeRowsUrl(page), isAnew);
  const first = await read(1);
  const most = itemsIn(first?.['uids']).length;
  const count = most === 0 ? 0 : Math.ceil(Number(total) / most);
  const pages = [first, ...(await Promise.all(Array.from({ length: count - 1 }, (_, i) => read(i + 2))))];
  if (pages.some((page) => page?.['version'] !== version)) return undefined;
  const all = (field: string) => pages.flatMap((page) => itemsIn(page?.[field]));
  const names = all('names');
  const rows = Int32Array.from(names, (name, row) => (name === null ? ABSENT : row));
  return { uids: all('uids'), columns: [{ name: 'node_name', values: names, rows }] };
}
