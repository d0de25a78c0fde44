import { unescapedCell } from '../../core/exports/csv.ts';
import { cellOf, type NodeColumn, nodeColumns, sourceValue } from '../../core/exports/node-columns.ts';
import { labelling } from '../../core/labels/labels.ts';
import { nodePlace } from '../../core/model/node-path.ts';
import { decimalNumber } from '../../core/registry/decode.ts';
import { facetsOf } from '../../core/table/facets.ts';
import { labelColumns } from '../../core/table/label-columns.ts';
import { surveyNodes } from '../../core/table/node-survey.ts';
import type { Worktree } from '../sources/load-worktree.ts';
import type { FoundResource } from './find-resource.ts';
import type { CellValue } from './new-body.ts';

export interface TableCell extends CellValue {
  /** The text with the spaces at its ends, which many programs do not put in quotes. */
  readonly untrimmed: string;
}

export interface ExportedCells {
  /** Whether a cell is the one that `find --csv` prints for the node. */
  readonly isExported: (node: FoundResource, cell: TableCell) => boolean;
  /** Whether `find --csv` computes this column from other fields: a label or the length of a list. */
  readonly isComputed: (field: string) => boolean;
}

export function exportedCells({ worktree, store, configuration }: Worktree): ExportedCells {
  const labels = labelling(configuration.labels);
  const survey = surveyNodes(worktree, store);
  const facets = facetsOf(survey, labelColumns(survey.table.columns, labels));
  const columns = new Map(nodeColumns(facets).map((column) => [column.name, column]));
  const isExported: ExportedCells['isExported'] = ({ subject, body }, { field, text, untrimmed }) => {
    const column = columns.get(field);
    if (!column) return false;
    const node = { ...nodePlace(subject.path), body, labels: column.source === 'label' ? labels.of(body) : {} };
    const exported = unescapedCell(cellOf(column, sourceValue(column, node)));
    return (
      [text, untrimmed].includes(exported) ||
      (BOOLEAN.test(text) && exported === text.toLowerCase()) ||
      (isComputed(column) && isSameNumber(exported, text))
    );
  };
  return { isExported, isComputed: (field) => isComputed(columns.get(field)) };
}

/** Spreadsheet programs and Python also write texts such as `true` in these forms. */
const BOOLEAN = /^(?:TRUE|True|FALSE|False)$/;

function isComputed(column: NodeColumn | undefined): boolean {
  return column?.source === 'label' || column?.content === 'length';
}

/** pandas writes whole numbers with a decimal point if the column has empty cells. */
function isSameNumber(exported: string, text: string): boolean {
  const number = decimalNumber(text);
  return number !== undefined && number === decimalNumber(exported);
}
