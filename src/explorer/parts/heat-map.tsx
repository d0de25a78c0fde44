/** The changes of nodes by month, as squares, with an equivalent table. */

import type { ViewProps } from '../app-state.ts';
import type { FleetHistory } from '../data/history.ts';
import type { MonthlyChanges } from '../fleet/change-counts.ts';
import { linkWithin } from '../state/place.ts';
import { useWidth } from '../state/use-width.ts';
import { Table } from './table.tsx';
import { counted, shortRevision, visible } from './value.tsx';

/** All lengths are in pixels. */
const ROW = 18;
const BOTTOM = 18;
const LETTER = 7;
const WIDE = 600;
const YEAR_DISTANCE = 40;
const MOST_NAME_LETTERS = { wide: 24, narrow: 12 };

interface HeatMapProps extends ViewProps {
  readonly history: FleetHistory;
  readonly changes: MonthlyChanges;
  /** The maximum number of rows. */
  readonly most: number;
}

export function HeatMap({ state, history, changes, most }: HeatMapProps) {
  const { ref, width } = useWidth();
  const { months, mostInCell } = changes;
  const groups = changes.groups.slice(0, most);
  const names = groups.map(({ name }) =>
    shortened(visible(name) || 'none', MOST_NAME_LETTERS[width < WIDE ? 'narrow' : 'wide']),
  );
  const left = LETTER * (1 + Math.max(0, ...names.map(({ length }) => length)));
  const column = (width - left) / Math.max(1, months.length);
  const height = groups.length * ROW + BOTTOM;
  const every = Math.ceil(YEAR_DISTANCE / (12 * column));
  return (
    <div class="heat" ref={ref}>
      <svg width={width} height={height}>
        <title>Changes by month</title>
        {months.map((month, i) =>
          month.endsWith('-01') && Number(month.slice(0, 4)) % every === 0 ? (
            <g key={month}>
              <line x1={left + i * column} y1={0} x2={left + i * column} y2={height - BOTTOM} />
              {left + i * column + YEAR_DISTANCE <= width ? (
                <text x={left + i * column + 3} y={height - 4}>
                  {month.slice(0, 4)}
                </text>
              ) : null}
            </g>
          ) : null,
        )}
        {groups.map(({ name, counts }, row) => (
          <g key={name}>
            <text x={0} y={(row + 1) * ROW - 5}>
              {names[row]}
              <title>{visible(name)}</title>
            </text>
            {counts.map((count, i) => {
              if (count === 0) return null;
              const about = `${visible(name)}, ${months[i]}: ${counted(count, 'change')}`;
              return (
                // The table has the same links, so the keyboard skips these.
                <a key={months[i]} href={differenceIn(state, history, changes, i)} tabIndex={-1} aria-label={about}>
                  <rect
                    x={left + i * column}
                    y={row * ROW + 1}
                    width={Math.max(3, column - 1)}
                    height={ROW - 2}
                    fill-opacity={shade(count, mostInCell)}
                  >
                    <title>{about}</title>
                  </rect>
                </a>
              );
            })}
          </g>
        ))}
      </svg>
    </div>
  );
}

export function HeatTable({ state, history, changes, most }: HeatMapProps) {
  const groups = changes.groups.slice(0, most);
  const rows = changes.months.flatMap((month, i) => (groups.some(({ counts }) => counts[i]) ? [{ month, i }] : []));
  return (
    <details class="class">
      <summary>As a table</summary>
      <Table
        kind="counts"
        label="Changes by month"
        heads={['Month', ...groups.map(({ name }) => visible(name) || 'none')]}
      >
        {rows.reverse().map(({ month, i }) => (
          <tr key={month}>
            <th scope="row">
              <a href={differenceIn(state, history, changes, i)}>{month}</a>
            </th>
            {groups.map(({ name, counts }) => (
              <td key={name}>{counts[i] || <span class="absent">·</span>}</td>
            ))}
          </tr>
        ))}
      </Table>
    </details>
  );
}

/** Links to the difference between the end of a month and the end of the month before. */
function differenceIn(
  { place, registry }: ViewProps['state'],
  { revisions }: FleetHistory,
  { months, lastRevisions }: MonthlyChanges,
  at: number,
): string {
  const idAt = (index: number | undefined) => revisions[index ?? -1]?.id;
  const id = idAt(lastRevisions.get(months[at] ?? '')) ?? '';
  const before = months.slice(0, at).findLast((month) => lastRevisions.has(month));
  const other = before === undefined ? undefined : idAt(lastRevisions.get(before));
  const than = other === undefined ? undefined : shortRevision(other);
  return linkWithin(place, 'time', { at: id === registry.newest ? undefined : shortRevision(id), than });
}

/** Logarithmic, because one revision can change all nodes and another one a single node. */
function shade(count: number, most: number): number {
  return 0.25 + (0.75 * Math.log(1 + count)) / Math.log(1 + most);
}

function shortened(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
