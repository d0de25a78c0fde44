/**
 * The cells of all nodes, row after row: what is in a table's columns is written once for each of its values, since
 * thousands of nodes share some dozens of them. Only what is a node's own is looked up in its body.
 */
import { ABSENT } from '../table/dictionary.ts';
import type { NodeSurvey } from '../table/node-survey.ts';
import { isOwnAt } from '../table/own-fields.ts';
import { csvCell } from './csv.ts';
import { cellOf, type NodeColumn, sourceOf } from './node-columns.ts';
import type { WholeNode } from './whole-node.ts';

/** The line of a node in CSV, without its end; `row` is that of the node in the table. */
export type LineOf = (row: number, node: WholeNode) => string;

/** `notSource` are fields at the top of bodies that the nodes' sources have no say in. */
export function nodeLines(
  columns: readonly NodeColumn[],
  survey: NodeSurvey,
  notSource: readonly string[],
): LineOf {
  const cells = columns.map((column) => {
    const isRead = column.source !== 'field' || notSource.includes(column.top);
    return (isRead ? undefined : sharedCells(column, survey)) ?? ownCells(column);
  });
  return (row, node) => {
    let line = '';
    for (const [i, cellAt] of cells.entries()) line += i === 0 ? cellAt(row, node) : `,${cellAt(row, node)}`;
    return line;
  };
}

function ownCells(column: NodeColumn): LineOf {
  return (_, node) => csvCell(cellOf(column, sourceOf(column, node)));
}

/** Undefined where the table has not got what the column shows. */
function sharedCells(column: NodeColumn, { table, own }: NodeSurvey): LineOf | undefined {
  const { top, rest } = column;
  const source = table.columns.find(({ name }) => name === top);
  if (!source || isOwnAt([top, ...rest], own)) return undefined;
  const { values, rows } = source;
  const known = new Map<number, string>();
  return (row) => {
    const number = rows[row] ?? ABSENT;
    const cell = known.get(number) ?? csvCell(cellOf(column, values[number]));
    known.set(number, cell);
    return cell;
  };
}
