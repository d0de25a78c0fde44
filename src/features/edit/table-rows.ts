import { fail, failAll, finding, type Place } from '../../core/diagnostics/finding.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { unescapedCell } from '../../core/exports/csv.ts';
import { PLACE_NAMES } from '../../core/model/fields/field-name.ts';
import { FIELD_PARTS, FILE_BYTES } from '../../core/platform/limits.ts';
import { decodeText } from '../../core/registry/yaml/read-yaml.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { reading } from '../../system/files/system-errors.ts';
import type { TableCell } from './exported-cells.ts';
import { readCsv } from './node-names.ts';

/** A node to add or to change. */
export interface Row {
  readonly name: string | undefined;
  readonly uid: string | undefined;
  readonly site: string | undefined;
  readonly cluster: string | undefined;
  readonly cells: readonly TableCell[];
  readonly place?: Place;
}

/** The column that identifies the node of a row without a uid and a name. */
export const SERIAL = 'chassis.serial';

/** Columns of the table that are not fields of a node, in addition to the column of names. */
const COLUMNS = ['uid', ...PLACE_NAMES];

const MAX_COLUMNS = 1000;

/** Reads the rows of a CSV file with a node per row. */
export function tableRows(file: string): Row[] {
  const shown = displayPath(file);
  const wrong = (problem: string, line: number) => fail(finding('add-table', { problem }, { file: shown, line }));
  const decoded = decodeText(
    shown,
    reading(shown, () => readPlainFile(file, FILE_BYTES, shown)),
  );
  if (decoded.findings) return failAll(decoded.findings);
  const records = readCsv(decoded.value);
  if ('problem' in records) return wrong(records.problem, records.line);
  const used = new Set(records.flatMap(({ cells }) => cells.flatMap((cell, column) => (cell === '' ? [] : [column]))));
  // Spreadsheet programs also export empty columns.
  const usedOf = (cells: readonly string[]) => cells.filter((_, column) => used.has(column)).map(unescapedCell);
  const [head, ...rows] = records.map(({ line, cells, untrimmed }) => ({
    line,
    cells: usedOf(cells),
    untrimmed: usedOf(untrimmed),
  }));
  if (!head || rows.length === 0) return wrong('there is no row below the names of the columns', 1);
  const fields = head.cells;
  const problem = columnProblem(fields);
  if (problem !== undefined) return wrong(problem, head.line);
  // Nodes can have a field `name` of their own.
  const nameColumn = fields.includes('node_name') ? 'node_name' : 'name';
  if (!fields.includes(nameColumn) && !fields.some((field) => ['uid', SERIAL].includes(field)))
    return wrong('no column is called node_name', head.line);
  if (fields.includes('')) return wrong('a column has no name', head.line);
  const twice = fields.find((field, i) => fields.indexOf(field) !== i);
  if (twice !== undefined) return wrong(`two columns are called "${twice}"`, head.line);
  return rows.map(({ line, cells, untrimmed }) => {
    if (cells.length !== fields.length)
      return wrong(
        `the row has ${plural(cells.length, 'cell')}, and there are ${plural(fields.length, 'column')}`,
        line,
      );
    const cell = (name: string) => cells[fields.indexOf(name)] || undefined;
    const values = fields.flatMap((field, i) => {
      const [text, whole] = [cells[i], untrimmed[i]];
      const isField = field !== nameColumn && !COLUMNS.includes(field);
      return isField && text && whole !== undefined ? [{ field, text, untrimmed: whole }] : [];
    });
    return {
      name: cell(nameColumn),
      uid: cell('uid'),
      site: cell('site'),
      cluster: cell('cluster'),
      cells: values,
      place: { file: shown, line },
    };
  });
}

/** Limits the columns, because the time grows with the square of their number. */
function columnProblem(fields: readonly string[]): string | undefined {
  if (fields.length > MAX_COLUMNS)
    return `it has ${formatCount(fields.length)} columns, more than the ${formatCount(MAX_COLUMNS)} that are read`;
  return fields.some((field) => field.split('.', FIELD_PARTS + 1).length > FIELD_PARTS)
    ? `the name of a column has more than ${FIELD_PARTS} parts`
    : undefined;
}
