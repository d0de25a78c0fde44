/** Plots the number of nodes over time as stacked areas, with a legend and a table of the numbers. */

import { useMemo, useState } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import type { FleetHistory } from '../data/history.ts';
import type { ChangedNodes } from '../fleet/change-counts.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { parameterOf } from '../fleet/filters.ts';
import type { GrowthStep } from '../fleet/growth.ts';
import { linkWithin } from '../state/place.ts';
import { useWidth } from '../state/use-width.ts';
import { byFrequency, colorAt, MOST_COLOURED, Swatch } from './swatch.tsx';
import { Table } from './table.tsx';
import { dateOf, NUMBERS, timeOf, timeScale, Years } from './time-axis.tsx';
import { counted, plainNumber } from './value.tsx';

export interface Growth {
  readonly field: string;
  readonly steps: readonly GrowthStep[];
  /** The values that have their own colour. */
  readonly shown: readonly string[];
  /** True if the plot shows some values together as “others”. */
  readonly hasOthers: boolean;
  readonly hasNone: boolean;
  readonly nameOf: (value: string) => string;
}

export function growthOf(field: string, steps: readonly GrowthStep[], nameOf: Growth['nameOf']): Growth {
  const shown = largestValues(steps, field);
  const values = new Set(steps.flatMap(({ counts }) => [...counts.keys()]));
  const hasNone = values.delete('');
  return { field, steps, shown, hasOthers: values.size > shown.length, hasNone, nameOf };
}

/** Returns the most frequent values. Values of current nodes come first, so that a site has one colour in all plots. */
function largestValues(steps: readonly GrowthStep[], field: string): string[] {
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
  /** The value of the nodes. Undefined for nodes without a value, and for “others”, which combines several values. */
  readonly value: string | undefined;
  readonly text: string;
  readonly layer: number;
  readonly nodes: number;
}

/** Returns a share for each shown value, then a share for all other values, then a share for nodes without a value. */
function sharesOf({ field, shown, hasOthers, hasNone, nameOf }: Growth, counts: GrowthStep['counts']): Share[] {
  const without = counts.get('') ?? 0;
  const others = [...counts].reduce((sum, [name, nodes]) => (shown.includes(name) ? sum : sum + nodes), -without);
  const rest = { value: undefined, text: 'others', layer: MOST_COLOURED, nodes: others };
  const none = { value: undefined, text: `no ${fieldTitle(field)}`, layer: MOST_COLOURED + 1, nodes: without };
  return [
    ...shown.map((value, layer) => ({ value, text: nameOf(value), layer, nodes: counts.get(value) ?? 0 })),
    ...(hasOthers ? [rest] : []),
    ...(hasNone ? [none] : []),
  ];
}

function totalOf(counts: GrowthStep['counts']): number {
  return [...counts.values()].reduce((sum, nodes) => sum + nodes, 0);
}

interface LegendProps extends ViewProps {
  readonly growth: Growth;
  readonly counts: GrowthStep['counts'];
  readonly isMarked?: boolean;
}

export function GrowthLegend({ state: { place }, growth, counts, isMarked = false }: LegendProps) {
  return (
    <ul class="legend">
      {sharesOf(growth, counts).map(({ value, text, layer, nodes }) => (
        <li key={layer}>
          <Swatch colorIndex={layer} />{' '}
          {value === undefined || nodes === 0 ? (
            text
          ) : (
            <a href={linkWithin(place, 'nodes', { [parameterOf(growth.field)]: value })}>{text}</a>
          )}{' '}
          <span class="absent">{plainNumber(nodes)}</span>
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
  readonly growth: Growth;
}

/** A table of the counts at the end of each year, for users who cannot see the plot. */
export function GrowthTable({ history, growth }: GrowthTableProps) {
  const years = Map.groupBy(growth.steps, ({ revision }) => dateOf(history, revision).slice(0, 4));
  const lastStep = growth.steps.at(-1);
  const rows = [...years].map(([year, steps]) => {
    const step = steps.at(-1);
    // A year that has not ended is shown up to the last revision.
    const title = step && step === lastStep ? dateOf(history, step.revision) : year;
    return { title, shares: sharesOf(growth, step?.counts ?? new Map()) };
  });
  // Omits values that have no nodes at the end of any year.
  const columns = (rows[0]?.shares ?? []).flatMap(({ text }, i) =>
    rows.some(({ shares }) => shares[i]?.nodes) ? [{ text, i }] : [],
  );
  return (
    <details class="class">
      <summary>As a table</summary>
      <Table
        kind="counts"
        label="Nodes at the end of each year"
        heads={['End of', ...columns.map(({ text }) => text), 'All nodes']}
      >
        {rows.map(({ title, shares }) => (
          <tr key={title}>
            <th scope="row">
              <time>{title}</time>
            </th>
            {columns.map(({ text, i }) => (
              <td key={text}>{plainNumber(shares[i]?.nodes ?? 0)}</td>
            ))}
            <td>{plainNumber(shares.reduce((sum, { nodes }) => sum + nodes, 0))}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

/** The lengths in this plot are in pixels. */
const HEIGHT = 260;
const BOTTOM = 18;
/** The space at the top of the plot, for the marks of revisions or for a number. */
const TOPS = { marked: 24, plain: 10 };
const TIP_WIDTH = 200;
const HALF_MARK = 4;

interface GrowthPlotProps {
  readonly history: FleetHistory;
  readonly growth: Growth;
  readonly revision: number;
  readonly height?: number;
  /** Returns the space to the left of a plot of a given width. */
  readonly gutter?: (width: number) => number;
  /** The index of the revision that the user compares with, or -1. */
  readonly than?: number;
  readonly marked?: readonly ChangedNodes[];
  /** Shows the revision at a position on the line. If undefined, the user cannot choose revisions in the plot. */
  readonly go?: (position: number) => void;
  readonly drag?: (isDragging: boolean) => void;
}

export function GrowthPlot(props: GrowthPlotProps) {
  const {
    history,
    growth,
    revision,
    height = HEIGHT,
    gutter = () => NUMBERS,
    than = -1,
    marked = [],
    go,
    drag,
  } = props;
  const { steps } = growth;
  const { ref, width } = useWidth();
  const [pointed, setPointed] = useState<number>();
  const scale = timeScale(history, gutter(width), width);
  const xOf = (index: number) => scale.x(timeOf(history, index));
  const places = steps.map((step) => xOf(step.revision));
  const most = useMemo(() => Math.max(1, ...steps.map(({ counts }) => totalOf(counts))), [steps]);
  const half = roundAbove(most / 2);
  const bottom = height - BOTTOM;
  const top = marked.length > 0 ? TOPS.marked : TOPS.plain;
  const y = (nodes: number) => bottom - (nodes / (2 * half)) * (bottom - top);
  // The areas do not depend on the slider, so moving the slider must not compute the areas again.
  const { areas, outline } = useMemo(() => areasOf(growth, places, y), [growth, width, height, top]);
  const positionAt = (event: PointerEvent) => {
    const box = ref.current?.getBoundingClientRect();
    const left = event.clientX - (box?.left ?? 0);
    // The left half of a mark covers times before the revision of the mark.
    const isOnMark = ({ revision }: ChangedNodes) => Math.abs(xOf(revision) - left) <= HALF_MARK;
    const mark = event.clientY - (box?.top ?? 0) < top ? marked.find(isOnMark) : undefined;
    return Math.max(
      0,
      mark
        ? steps.findIndex((step) => step.revision === mark.revision)
        : places.findLastIndex((place) => place <= left),
    );
  };
  const step = pointed === undefined ? undefined : steps[pointed];
  const left = places[pointed ?? 0] ?? 0;
  const mostAt = steps.find(({ counts }) => totalOf(counts) === most)?.revision ?? -1;
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
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Number of nodes over time, at most ${most} on ${dateOf(history, mostAt)}`}
      >
        {[0, half, 2 * half].map((nodes) => (
          <g key={nodes}>
            <line x1={scale.left} y1={y(nodes)} x2={width} y2={y(nodes)} />
            <text x={scale.left - 6} y={y(nodes) + 4} text-anchor="end">
              {plainNumber(nodes)}
            </text>
          </g>
        ))}
        <Years scale={scale} top={top} bottom={bottom} />
        {areas.map((points, layer) => (
          <polygon key={layer} style={{ fill: colorAt(layer) }} points={points} />
        ))}
        <polygon class="outline" points={outline} />
        {than >= 0 ? (
          <rect
            class="between"
            x={Math.min(xOf(than), xOf(revision))}
            y={top}
            width={Math.abs(xOf(than) - xOf(revision))}
            height={bottom - top}
          />
        ) : null}
        {marked.map(({ revision: index, nodes }) => (
          <path key={index} class="mark" d={`M${xOf(index) - HALF_MARK} ${top - 9}h${2 * HALF_MARK}l-${HALF_MARK} 8z`}>
            <title>{`${dateOf(history, index)}: ${counted(nodes, 'node')} changed`}</title>
          </path>
        ))}
        <line class="now" x1={xOf(revision)} y1={top} x2={xOf(revision)} y2={bottom}>
          <title>{dateOf(history, revision)}</title>
        </line>
        {step ? <line class="pointed" x1={left} y1={top} x2={left} y2={bottom} /> : null}
      </svg>
      {step ? (
        <div class="tip" aria-hidden="true" style={{ left: `${Math.min(left + 8, Math.max(0, width - TIP_WIDTH))}px` }}>
          <span>
            <strong>{dateOf(history, step.revision)}</strong> <b>{plainNumber(totalOf(step.counts))}</b>
          </span>
          {sharesOf(growth, step.counts)
            .filter(({ nodes }) => nodes > 0)
            .map(({ text, layer, nodes }) => (
              <span key={layer}>
                <span>
                  <Swatch colorIndex={layer} /> {text}
                </span>
                <b>{plainNumber(nodes)}</b>
              </span>
            ))}
        </div>
      ) : null}
    </div>
  );
}

const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Rounds up to a whole number that has few nonzero digits. */
function roundAbove(number: number): number {
  const power = 10 ** Math.floor(Math.log10(number));
  return Math.ceil(power * (ROUND.find((each) => each * power >= number) ?? 10));
}

/** Returns areas from bottom to top: values, other values, and no value. Also returns the outline of all areas. */
function areasOf({ steps, shown }: Growth, places: readonly number[], y: (nodes: number) => number) {
  const totals = steps.map(({ counts }) => totalOf(counts));
  const last = places.at(-1) ?? 0;
  // The number of nodes is constant between two revisions, so the edge of an area consists of steps.
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
  while (areas.length < MOST_COLOURED) areas.push('');
  const withValue = totals.map((nodes, i) => nodes - (steps[i]?.counts.get('') ?? 0));
  const outline = [...edge(totals), ...edge(steps.map(() => 0)).reverse()].join(' ');
  return { areas: [...areas, stack(withValue), stack(totals)], outline };
}
