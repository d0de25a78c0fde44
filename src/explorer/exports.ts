/** Formats found nodes as tables and as code. The browser loads this script only when the user exports nodes. */
import { DOCUMENT_SORT, nodesDocument } from '../core/exports/nodes-document.ts';
import { tableLines } from '../core/exports/table-lines.ts';
import type { TableForm } from '../core/exports/text-table.ts';
import type { RevisionName } from '../core/model/revision.ts';
import { findField, type QueryFleet } from '../core/query/columns.ts';
import { sortedNodes } from '../core/query/sort.ts';

export { snippet } from '../core/exports/snippet.ts';

interface TableOptions {
  readonly rows: readonly number[];
  /** True if the user chose the order of the rows. */
  readonly isSorted: boolean;
  readonly revision: RevisionName;
}

/** Returns the text that `gridpress find --markdown` or `--latex` prints for these nodes. */
export function tableText(form: TableForm, fleet: QueryFleet, { rows, isSorted, revision }: TableOptions): string {
  const byRow = rows.toSorted((a, b) => a - b);
  const sorted = isSorted ? rows : sortedNodes(byRow, findField(DOCUMENT_SORT, fleet).valuesOf, false);
  return `${[...tableLines(form, nodesDocument(fleet, sorted, revision))].join('\n')}\n`;
}
