import { useMemo } from 'preact/hooks';
import type { Json } from '../../core/model/json.ts';
import { fieldText } from '../../core/query/query-text.ts';
import type { ViewProps } from '../app-state.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { byValue, facetColumn, parameterOf } from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { valueText } from '../parts/value.tsx';
import { linkWithin, navigate, withParams } from '../state/place.ts';
import type { ParamName } from '../state/view-params.ts';

const DEFAULT_ROWS = 'label.gpu';
const DEFAULT_COLUMNS = 'site';
const MOST = 60;

/** A row or a column of the table. It stands for the nodes that have one value of the field, or lack the field. */
interface Side {
  readonly value: Json | undefined;
  readonly text: string;
  readonly nodes: ReadonlySet<number>;
}

export function Statistics({ state }: ViewProps) {
  const { fleet, place, registry } = state;
  const rowField = place.params.get('rows') ?? DEFAULT_ROWS;
  const columnField = place.params.get('columns') ?? DEFAULT_COLUMNS;
  const { rows, columns, cell, leftOut } = useMemo(
    () => crossed(fleet, rowField, columnField),
    [fleet, rowField, columnField],
  );
  const names = registry.fields
    .filter(({ distinct, values, class: about }) => distinct > 0 && distinct <= MOST && values && about !== 'component')
    .map(({ name }) => name);
  const options = [...new Set([rowField, columnField, ...names])].map((name) => [name, fieldTitle(name)] as const);
  const set = (side: ParamName<'statistics'>, field: string) =>
    navigate('statistics', withParams(place.params, { [side]: field }));
  const link = (count: number, row?: Side, column?: Side) => {
    const sides = [...(row ? [[rowField, row] as const] : []), ...(column ? [[columnField, column] as const] : [])];
    const filters = sides.flatMap(([field, { value, text }]) =>
      value === undefined ? [] : [[parameterOf(field), text]],
    );
    const q = sides
      .flatMap(([field, { value }]) => (value === undefined ? [`${fieldText(field)} IS NULL`] : []))
      .join(' AND ');
    const params = { ...Object.fromEntries(filters), q: q || undefined };
    return count === 0 ? <span class="absent">·</span> : <a href={linkWithin(place, 'nodes', params)}>{count}</a>;
  };
  const titleOf = ({ value }: Side, field: string) => (value === undefined ? 'none' : valueText(value, field));
  return (
    <>
      <h1 tabIndex={-1}>Statistics</h1>
      <p class="choosers">
        <Select label="Rows" options={options} value={rowField} choose={(name) => set('rows', name)} />
        <Select label="Columns" options={options} value={columnField} choose={(name) => set('columns', name)} />
      </p>
      <Table
        kind="counts totals"
        label="Table of counts"
        heads={[fieldTitle(rowField), ...columns.map((column) => titleOf(column, columnField)), 'Total']}
        foot={
          <tr>
            <th scope="row">Total</th>
            {columns.map((column) => (
              <td key={`${column.value} ${column.text}`}>{link(column.nodes.size, undefined, column)}</td>
            ))}
            <td>{fleet.table.total}</td>
          </tr>
        }
      >
        {rows.map((row) => (
          <tr key={`${row.value} ${row.text}`}>
            <th scope="row">{titleOf(row, rowField)}</th>
            {columns.map((column) => (
              <td key={`${column.value} ${column.text}`}>{link(cell(row, column), row, column)}</td>
            ))}
            <td>{link(row.nodes.size, row)}</td>
          </tr>
        ))}
      </Table>
      <p class="absent">
        Totals count each node once. A node with several values counts in several cells.
        {leftOut > 0 ? ` ${leftOut} rarer values are not shown.` : ''}
      </p>
    </>
  );
}

function crossed(fleet: Fleet, rowField: string, columnField: string) {
  const [allRows, allColumns] = [sidesOf(fleet, rowField), sidesOf(fleet, columnField)];
  const sorted = (sides: readonly Side[], field: string) => {
    const largest = sides.toSorted((a, b) => b.nodes.size - a.nodes.size).slice(0, MOST);
    // The largest site comes first, because a phone shows only the first columns.
    if (field !== 'site') largest.sort((a, b) => byValue(a.value ?? null, b.value ?? null));
    return [...largest, ...withoutValue(fleet, sides)];
  };
  return {
    rows: sorted(allRows, rowField),
    columns: sorted(allColumns, columnField),
    leftOut: Math.max(0, allRows.length - MOST) + Math.max(0, allColumns.length - MOST),
    cell: (row: Side, column: Side) => [...row.nodes].filter((node) => column.nodes.has(node)).length,
  };
}

function withoutValue({ table }: Fleet, sides: readonly Side[]): Side[] {
  const nodes = new Set(table.uids.keys());
  for (const side of sides) for (const row of side.nodes) nodes.delete(row);
  return nodes.size === 0 ? [] : [{ value: undefined, text: '', nodes }];
}

function sidesOf(fleet: Fleet, field: string): Side[] {
  const { texts, values, rows, textIndexes } = facetColumn(fleet, field);
  const nodes = texts.map(() => new Set<number>());
  for (let row = 0; row < fleet.table.total; row++) {
    for (const place of textIndexes[rows[row] ?? -1] ?? []) nodes[place]?.add(row);
  }
  return texts.map((text, place) => ({ text, value: values[place] ?? null, nodes: nodes[place] ?? new Set() }));
}
