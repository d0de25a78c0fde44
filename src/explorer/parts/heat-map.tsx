/** Shows the numbers of changes by month, as coloured squares and as a table. */

import { useMemo } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import type { FleetHistory } from '../data/history.ts';
import { type MonthlyChanges, quarterlyChanges } from '../fleet/monthly-changes.ts';
import { atParam } from '../state/at-param.ts';
import { fragmentOf, withParams } from '../state/place.ts';
import { scrollToSection } from '../state/scroll.ts';
import { useWidth } from '../state/use-width.ts';
import { Table } from './table.tsx';
import { BEFORE_START, LETTER, timeScale, Years } from './time-axis.tsx';
import { counted, plainNumber, shortRevision } from './value.tsx';

/** The lengths in this plot are in pixels. */
const ROW = 18;
const BOTTOM = 18;
/** The minimum width of a month, in pixels. If months would be narrower, each column shows a quarter of a year. */
const NARROW = 5;
const LEGEND = 5;

interface HeatMapProps extends ViewProps {
  readonly history: FleetHistory;
  readonly changes: MonthlyChanges;
  /** The maximum number of rows. */
  readonly most: number;
  readonly nameOf: (name: string) => string;
}

interface PlotProps extends HeatMapProps {
  /** Returns the space to the left of a plot with the given width. */
  readonly gutter: (width: number) => number;
}

export function HeatMap({ state, history, changes: monthly, most, nameOf, gutter }: PlotProps) {
  const { ref, width } = useWidth();
  const scale = timeScale(history, gutter(width), width);
  const isNarrow = (width - scale.left) / monthly.months.length < NARROW;
  const changes = useMemo(() => (isNarrow ? quarterlyChanges(monthly) : monthly), [monthly, isNarrow]);
  const { months, mostInCell } = changes;
  const groups = changes.groups.slice(0, most);
  const height = groups.length * ROW + BOTTOM;
  const edges = [...months.map((month) => scale.x(Date.parse(month))), width];
  const steps = Array.from({ length: LEGEND }, (_, i) => Math.round(mostInCell ** (i / (LEGEND - 1))));
  return (
    <div class="heat" ref={ref}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{`Changes by ${isNarrow ? 'quarter' : 'month'}`}</title>
        <Years scale={scale} top={0} bottom={height - BOTTOM} />
        {groups.map(({ name, counts }, row) => (
          <g key={name}>
            <text x={0} y={(row + 1) * ROW - 5}>
              {shortened(nameOf(name), Math.floor(scale.left / LETTER))}
              <title>{nameOf(name)}</title>
            </text>
            {counts.map((count, i) => {
              if (count === 0) return null;
              const about = `${nameOf(name)}, ${months[i]}: ${counted(count, 'change')}`;
              const [left = 0, right = 0] = edges.slice(i, i + 2);
              return (
                // The keyboard skips this link, because the table contains a link with the same target.
                <a
                  key={months[i]}
                  href={differenceIn(state, history, changes, i)}
                  onClick={showDifference}
                  tabIndex={-1}
                  aria-label={about}
                >
                  <rect
                    x={left}
                    y={row * ROW + 1}
                    width={Math.max(3, right - left - 1)}
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
      <ul class="legend">
        <li>Changed nodes in a {isNarrow ? 'quarter' : 'month'}:</li>
        {[...new Set(steps)].map((count) => (
          <li key={count}>
            <span
              class="swatch"
              style={{
                background: `color-mix(in srgb, var(--accent) ${100 * shade(count, mostInCell)}%, transparent)`,
              }}
              aria-hidden="true"
            />{' '}
            {plainNumber(count)}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function HeatTable({ state, history, changes, most, nameOf }: HeatMapProps) {
  const groups = changes.groups.slice(0, most);
  const rows = changes.months.flatMap((month, i) => (groups.some(({ counts }) => counts[i]) ? [{ month, i }] : []));
  return (
    <details class="class">
      <summary>As a table</summary>
      <Table kind="counts" label="Changes by month" heads={['Month', ...groups.map(({ name }) => nameOf(name))]}>
        {rows.reverse().map(({ month, i }) => (
          <tr key={month}>
            <th scope="row">
              <a href={differenceIn(state, history, changes, i)} onClick={showDifference}>
                <time>{month}</time>
              </a>
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

/** Scrolls to the list of changes. With these keys, a click opens another tab or window. */
function showDifference({ ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  if (!(ctrlKey || metaKey || shiftKey)) scrollToSection('between');
}

/** Returns a link to the changes of a month or quarter. The link keeps the settings of the view. */
function differenceIn(
  { place, registry }: ViewProps['state'],
  { revisions }: FleetHistory,
  { months, lastRevisions }: MonthlyChanges,
  at: number,
): string {
  const idAt = (month = '') => revisions[lastRevisions.get(month) ?? -1]?.id;
  const id = idAt(months[at]) ?? '';
  const before = idAt(months.slice(0, at).findLast((month) => lastRevisions.has(month)));
  const than = before === undefined ? BEFORE_START : shortRevision(before);
  return fragmentOf('time', withParams(place.params, { at: atParam(registry.newest, id), than }));
}

/** Returns the opacity of a square on a logarithmic scale, because a revision can change one node or all nodes. */
function shade(count: number, most: number): number {
  return 0.25 + (0.75 * Math.log(1 + count)) / Math.log(1 + most);
}

/** The share of a shortened name that comes from the end of the name. Many names have equal beginnings. */
const END_SHARE = 0.65;

function shortened(name: string, most: number): string {
  if (name.length <= most) return name;
  const end = Math.ceil((most - 1) * END_SHARE);
  return `${name.slice(0, most - 1 - end)}…${name.slice(-end)}`;
}
