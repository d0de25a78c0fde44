/** The number of nodes over time, as stacked areas, with a legend and an equivalent table. */

import { useMemo, useState } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import type { FleetHistory } from '../data/history.ts';
import type { LargeRevision } from '../fleet/change-counts.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { parameterOf } from '../fleet/filters.ts';
import type { GrowthStep } from '../fleet/growth.ts';
import { linkWithin } from '../state/place.ts';
import { useWidth } from '../state/use-width.ts';
import { byFrequency, colorAt, MOST_COLOURED, Swatch } from './swatch.tsx';
import { Table } from './table.tsx';
import { counted, dayOf, visible } from './value.tsx';

/**
 * Returns the values that have the largest node counts at any revision. Current values come first. Current sites are
 * always included, so that they have the colours of the other plots.
 */
export function largestValues(steps: readonly GrowthStep[], field: string): string[] {
  const largest = new Map<string, number>();
  for (const { counts } of steps)
    for (const [name, nodes] of counts) largest.set(name, Math.max(nodes, largest.get(name) ?? 0));
  largest.delete('');
  const current = byFrequency(steps.at(-1)?.counts ?? new Map());
  const names = byFrequency(largest);
  const currentFirst = (some: readonly string[]) => [
    ...current.filter((name) => some.includes(name)),
    ...some.filter((name) => !current.includes(name)),
  ];
  return currentFirst(field === 'site' ? names : names.slice(0, MOST_COLOURED)).slice(0, MOST_COLOURED);
}

interface Share {
  readonly name: string;
  readonly layer: number;
  readonly nodes: number;
  readonly isValue: boolean;
}

/** The counts of the shown values, then of the others together, and of nodes without a value. */
function sharesOf(counts: ReadonlyMap<string, number>, shown: readonly string[], field: string): Share[] {
  const without = counts.get('') ?? 0;
  const others = [...counts].reduce((sum, [name, nodes]) => (shown.includes(name) ? sum : sum + nodes), -without);
  return [
    ...shown.map((name, layer) => ({ name, layer, nodes: counts.get(name) ?? 0, isValue: true })),
    { name: 'others', layer: shown.length, nodes: others, isValue: false },
    { name: `no ${fieldTitle(field)}`, layer: shown.length + 1, nodes: without, isValue: false },
  ];
}

interface LegendProps extends ViewProps {
  readonly field: string;
  readonly shown: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly isMarked?: boolean;
}

export function GrowthLegend({ state: { place }, field, shown, counts, isMarked = false }: LegendProps) {
  return (
    <ul class="legend">
      {sharesOf(counts, shown, field)
        .filter(({ nodes, isValue }) => isValue || nodes > 0)
        .map(({ name, layer, nodes, isValue }) => (
          <li key={layer}>
            <Swatch place={layer} />{' '}
            {isValue ? <a href={linkWithin(place, 'nodes', { [parameterOf(field)]: name })}>{visible(name)}</a> : name}{' '}
            <span class="absent">{nodes}</span>
          </li>
        ))}
      {isMarked ? (
        <li>
          <span aria-hidden="true">▼</span> revision that changed many nodes
        </li>
      ) : null}
    </ul>
  );
}

interface GrowthTableProps {
  readonly history: FleetHistory;
  readonly steps: readonly GrowthStep[];
  readonly shown: readonly string[];
  readonly field: string;
}

/** The counts at the end of each year, for readers who do not see the plot. */
export function GrowthTable({ history, steps, shown, field }: GrowthTableProps) {
  const years = Map.groupBy(steps, ({ revision }) => dayOf(history.revisions[revision]?.date ?? '').slice(0, 4));
  return (
    <details class="class">
      <summary>As a table</summary>
      <Table
        kind="counts"
        label="Nodes at the end of each year"
        heads={['End of', ...shown.map(visible), 'others', `no ${fieldTitle(field)}`, 'All nodes']}
      >
        {[...years].map(([year, some]) => {
          const shares = sharesOf(some.at(-1)?.counts ?? new Map(), shown, field);
          return (
            <tr key={year}>
              <th scope="row">{year}</th>
              {shares.map(({ layer, nodes }) => (
                <td key={layer}>{nodes}</td>
              ))}
              <td>{shares.reduce((sum, { nodes }) => sum + nodes, 0)}</td>
            </tr>
          );
        })}
      </Table>
    </details>
  );
}

/** All lengths are in pixels. */
const HEIGHT = 260;
const BOTTOM = 18;
const TOP = 24;
/** The minimum distance between the labels of two years. */
const YEAR_DISTANCE = 40;
const TIP_WIDTH = 200;

interface GrowthPlotProps {
  readonly history: FleetHistory;
  readonly steps: readonly GrowthStep[];
  readonly shown: readonly string[];
  readonly revision: number;
  readonly height?: number;
  /** The index of a compared revision, or -1. */
  readonly than?: number;
  readonly marked?: readonly LargeRevision[];
  /** Shows a revision by its position on the line. Without it, the plot only shows counts. */
  readonly go?: (position: number) => void;
  readonly drag?: (isDragging: boolean) => void;
}

export function GrowthPlot(props: GrowthPlotProps) {
  const { history, steps, shown, revision, height = HEIGHT, than = -1, marked = [], go, drag } = props;
  const { ref, width } = useWidth();
  const [pointed, setPointed] = useState<number>();
  const timeOf = (index: number) => Date.parse(history.revisions[index]?.date ?? '') || 0;
  const times = steps.map((step) => timeOf(step.revision));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const x = (time: number) => (to === from ? 0 : ((time - from) / (to - from)) * width);
  // The areas do not depend on the slider.
  const { areas, most } = useMemo(() => areasOf(steps, shown, times.map(x), height), [steps, shown, width, height]);
  const years = yearsIn(from, to);
  const every = Math.ceil((years.length * YEAR_DISTANCE) / width);
  const positionAt = (event: PointerEvent) => {
    const left = event.clientX - (ref.current?.getBoundingClientRect().left ?? 0);
    return Math.max(
      0,
      times.findLastIndex((time) => x(time) <= left),
    );
  };
  const step = pointed === undefined ? undefined : steps[pointed];
  const left = x(times[pointed ?? 0] ?? 0);
  return (
    <div
      class={go ? 'growth movable' : 'growth'}
      ref={ref}
      onPointerMove={(event) => {
        const position = positionAt(event);
        setPointed(position);
        if (event.buttons === 1) go?.(position);
      }}
      onPointerDown={(event) => {
        if (!go || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        go(positionAt(event));
        drag?.(true);
      }}
      onPointerUp={() => drag?.(false)}
      onPointerCancel={() => drag?.(false)}
      onPointerLeave={() => setPointed(undefined)}
    >
      <svg width={width} height={height} role="img" aria-label="Number of nodes over time">
        {areas.map((points, layer) => (
          <polygon key={layer} class="area" style={{ fill: colorAt(layer) }} points={points} />
        ))}
        {years.map(({ year, time }, i) => (
          <g key={year}>
            <line x1={x(time)} y1={TOP} x2={x(time)} y2={height - BOTTOM} />
            {i % every === 0 && x(time) + YEAR_DISTANCE <= width ? (
              <text x={x(time) + 3} y={height - 4}>
                {year}
              </text>
            ) : null}
          </g>
        ))}
        <line x1={0} y1={TOP} x2={width} y2={TOP} />
        <text x={0} y={10}>
          {counted(most, 'node')}
        </text>
        {than >= 0 ? (
          <rect
            class="between"
            x={Math.min(x(timeOf(than)), x(timeOf(revision)))}
            y={TOP}
            width={Math.abs(x(timeOf(than)) - x(timeOf(revision)))}
            height={height - BOTTOM - TOP}
          />
        ) : null}
        {marked.map(({ revision: index, nodes }) => {
          const at = x(timeOf(index));
          return (
            <path key={index} class="mark" d={`M${at - 4} ${TOP - 9}h8l-4 8z`}>
              <title>{`${dayOf(history.revisions[index]?.date ?? '')}: ${counted(nodes, 'node')} changed`}</title>
            </path>
          );
        })}
        <line class="now" x1={x(timeOf(revision))} y1={TOP} x2={x(timeOf(revision))} y2={height - BOTTOM}>
          <title>{dayOf(history.revisions[revision]?.date ?? '')}</title>
        </line>
        {step ? <line class="pointed" x1={left} y1={TOP} x2={left} y2={height - BOTTOM} /> : null}
      </svg>
      {step ? (
        <div class="tip" aria-hidden="true" style={{ left: `${Math.min(left + 8, Math.max(0, width - TIP_WIDTH))}px` }}>
          <strong>{dayOf(history.revisions[step.revision]?.date ?? '')}</strong>
          {[...step.counts]
            .sort((a, b) => b[1] - a[1])
            .slice(0, MOST_COLOURED)
            .map(([name, nodes]) => (
              <span key={name}>
                {visible(name) || 'without'} <b>{nodes}</b>
              </span>
            ))}
        </div>
      ) : null}
    </div>
  );
}

/** The outlines of the areas from the bottom up, then other values and nodes without a value, and the most nodes. */
function areasOf(steps: readonly GrowthStep[], shown: readonly string[], places: readonly number[], height: number) {
  const totals = steps.map(({ counts }) => [...counts.values()].reduce((sum, nodes) => sum + nodes, 0));
  const most = Math.max(1, ...totals);
  const y = (nodes: number) => height - BOTTOM - (nodes / most) * (height - BOTTOM - TOP);
  const last = places.at(-1) ?? 0;
  // Values stay constant until the next revision, so edges are steps.
  const edge = (heights: readonly number[]) =>
    heights.flatMap((nodes, i) => {
      const height = y(nodes).toFixed(1);
      return [`${(places[i] ?? 0).toFixed(1)},${height}`, `${(places[i + 1] ?? last).toFixed(1)},${height}`];
    });
  let below = steps.map(() => 0);
  const stack = (above: number[]) => {
    const points = [...edge(above), ...edge(below).reverse()].join(' ');
    below = above;
    return points;
  };
  const areas = shown.map((name) => stack(steps.map(({ counts }, i) => (below[i] ?? 0) + (counts.get(name) ?? 0))));
  const withValue = totals.map((nodes, i) => nodes - (steps[i]?.counts.get('') ?? 0));
  return { areas: [...areas, stack(withValue), stack(totals)], most };
}

function yearsIn(from: number, to: number): { year: number; time: number }[] {
  const [first, last] = [new Date(from).getUTCFullYear() + 1, new Date(to).getUTCFullYear()];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => ({
    year: first + i,
    time: Date.UTC(first + i, 0),
  }));
}
