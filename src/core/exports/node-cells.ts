/**
 * The cells of all nodes, row after row: what is in a table's columns is written once for each of its values, since
 * thousands of nodes share some dozens of them. Only what is a node's own is looked up in its body.
 */
import { mustGet } from '../platform/certain.ts';
import { ABSENT } from '../table/dictionary.ts';
import type { NodeSurvey } from '../table/node-survey.ts';
import type { TableColumn } from '../table/node-table.ts';
import { isOwnAt } from '../table/own-fields.ts';
import { csvCell } from './csv.ts';
import { cellOf, type NodeColumn, sourceOf } from './node-columns.ts';
import type { WholeNode } from './whole-node.ts';

/** Cells of a node that stand side by side in CSV; `row` is that of the node in the table. */
export type CellsOf = (row: number, node: WholeNode) => string;

/** All cells of a node: its line without the end. */
export function nodeLines(columns: readonly NodeColumn[], survey: NodeSurvey): CellsOf {
  const { table, own } = survey;
  const shared = new Map(table.columns.map((column) => [column.name, column]));
  const isShared = ({ source, top, rest }: NodeColumn) =>
    source === 'field' && shared.has(top) && !isOwnAt([top, ...rest], own);
  const cells = besideEachOther(columns, isShared).map((some) => {
    const [first] = some;
    if (first.source === 'label') return labelCells(some);
    return isShared(first) ? sharedCells(some, mustGet(shared, first.top)) : ownCells(some);
  });
  return (row, node) => {
    let line = '';
    for (const [i, cellsOf] of cells.entries()) line += i === 0 ? cellsOf(row, node) : `,${cellsOf(row, node)}`;
    return line;
  };
}

type Columns = [NodeColumn, ...NodeColumn[]];

/** The columns in parts of which each is made of one value. */
function besideEachOther(columns: readonly NodeColumn[], isShared: (column: NodeColumn) => boolean): Columns[] {
  const parts: Columns[] = [];
  for (const column of columns) {
    const last = parts.at(-1);
    const { source, top } = column;
    const isSame = last?.[0].source === source && (source === 'label' || last[0].top === top);
    if (last && isSame && isShared(last[0]) === isShared(column)) last.push(column);
    else parts.push([column]);
  }
  return parts;
}

function ownCells(columns: Columns): CellsOf {
  return (_, node) => columns.map((column) => csvCell(cellOf(column, sourceOf(column, node)))).join(',');
}

/** Nodes with the same labels have them in one object. */
function labelCells(columns: Columns): CellsOf {
  const known = new Map<object, string>();
  const cellsOf = ownCells(columns);
  return (row, node) => {
    const cells = known.get(node.labels) ?? cellsOf(row, node);
    known.set(node.labels, cells);
    return cells;
  };
}

/** Those of a column of the table. */
function sharedCells(columns: Columns, { values, rows }: TableColumn): CellsOf {
  const known = new Map<number, string>();
  return (row) => {
    const number = rows[row] ?? ABSENT;
    const cells = known.get(number) ?? columns.map((column) => csvCell(cellOf(column, values[number]))).join(',');
    known.set(number, cells);
    return cells;
  };
}
