/** Builds tables of nodes for documents, such as papers. The command `find` and the explorer show these tables. */
import { plural, shortId } from '../diagnostics/words.ts';
import type { RevisionName } from '../model/revision.ts';
import { findField, type QueryFleet } from '../query/columns.ts';
import { hardwareColumns, type NodeTableColumn, nodesTable, titledColumn } from './hardware-table.ts';
import type { TextTable } from './text-table.ts';

/** The default order of the nodes in a document. */
export const DOCUMENT_SORT = 'node_name';

export const NAME_FIELDS: readonly string[] = [DOCUMENT_SORT, 'site', 'node_type'];

/** Returns the table of the given nodes in the given order. By default, the columns contain names and hardware. */
export function nodesDocument(
  fleet: QueryFleet,
  rows: readonly number[],
  revision: RevisionName | undefined,
  columns: readonly NodeTableColumn[] = [
    ...NAME_FIELDS.map((name) => titledColumn(findField(name, fleet))),
    ...hardwareColumns(fleet, rows),
  ],
): TextTable {
  return nodesTable(captionOf(rows.length, revision), rows, columns);
}

/** Returns a caption such as `Hardware of 24 nodes at revision 5da05904 of 2026-06-26.` */
export function captionOf(nodes: number, revision: RevisionName | undefined): string {
  const at = revision ? ` at revision ${shortId(revision.id)}${dayText(revision.date)}` : '';
  return `Hardware of ${plural(nodes, 'node')}${at}.`;
}

/** Returns a text such as ` of 2026-06-26`. Returns an empty text if the date is unknown. */
export function dayText(date: string | undefined): string {
  return date === undefined ? '' : ` of ${date.slice(0, 'YYYY-MM-DD'.length)}`;
}

/** Returns a text such as ` at 5da05904 (2026-06-26)`. Returns an empty text if the revision is unknown. */
export function revisionSuffix(revision: RevisionName | undefined): string {
  if (!revision) return '';
  const { id, date } = revision;
  return ` at ${shortId(id)}${date === undefined ? '' : ` (${date.slice(0, 10)})`}`;
}
