/** The horizontal axis of plots over time, from the first revision to the last one. Lengths are in pixels. */

import type { FleetHistory } from '../data/history.ts';
import { dayOf } from './value.tsx';

export interface TimeScale {
  /** The times of the earliest and the latest revision, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  /** Returns the position of a time. A time before or after the axis gets the position of the nearest end. */
  readonly x: (time: number) => number;
}

/** If the URL parameter `than` has this value, the explorer compares with the time before the first revision. */
export const BEFORE_START = 'start';

const LABEL = 32;
const GAP = 8;

export function timeScale(history: FleetHistory, left: number, right: number): TimeScale {
  const times = history.line.map((index) => timeOf(history, index));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const x = (time: number) =>
    to === from ? left : left + Math.min(1, Math.max(0, (time - from) / (to - from))) * (right - left);
  return { from, to, left, right, x };
}

export function timeOf({ revisions }: FleetHistory, index: number): number {
  return Date.parse(revisions[index]?.date ?? '') || 0;
}

export function dateOf({ revisions }: FleetHistory, index: number): string {
  return dayOf(revisions[index]?.date ?? '');
}

interface YearsProps {
  readonly scale: TimeScale;
  readonly top: number;
  readonly bottom: number;
}

/** Draws a labelled line at the start of each year. Omits labels that would overlap the label of a later year. */
export function Years({ scale, top, bottom }: YearsProps) {
  const [first, last] = [scale.from, scale.to].map((time) => new Date(time).getUTCFullYear());
  let limit = scale.right + GAP;
  return Array.from({ length: (last ?? 0) - (first ?? 0) }, (_, i) => {
    const year = (last ?? 0) - i;
    const at = scale.x(Date.UTC(year, 0));
    const start = Math.min(at, scale.right - LABEL);
    const isLabelled = start + LABEL + GAP <= limit;
    if (isLabelled) limit = start;
    return (
      <g key={year}>
        <line x1={at} y1={top} x2={at} y2={bottom} />
        {isLabelled ? (
          <text x={start} y={bottom + 14}>
            {year}
          </text>
        ) : null}
      </g>
    );
  });
}

/** The width of a letter in a plot, and the space between a label and the axis, in pixels. */
export const LETTER = 7.3;
const LABEL_GAP = 14;
/** The minimum space for labels to the left of a plot, in pixels. Numbers of nodes fit into this space. */
export const NUMBERS = 44;
/** The maximum space for labels, as a share of the total width. */
const LABEL_SHARE = 0.24;

/** Returns the space for labels to the left of the plots. All plots share this space, so that the axes align. */
export function gutterFor(labels: readonly string[], width: number): number {
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  return Math.max(NUMBERS, Math.min(LABEL_SHARE * width, Math.ceil(longest * LETTER + LABEL_GAP)));
}
