import type { FleetHistory } from '../data/history.ts';
import { timeOf, timeScale } from './time-axis.tsx';
import { dayOf, shortRevision } from './value.tsx';

/** Returns a revision's position on the first-parent line, or the position of the next revision that is on the line. */
export function positionOf(revision: number, line: readonly number[]): number {
  return line.findIndex((index) => index >= revision);
}

export interface GoProps {
  readonly history: FleetHistory;
  readonly revision: number;
  readonly go: (position: number) => void;
}

/** Half the width of the handle of a slider, in pixels. */
export const HALF_THUMB = 8;
const KEY_STEPS = new Map([
  ['ArrowLeft', -1],
  ['ArrowDown', -1],
  ['ArrowRight', 1],
  ['ArrowUp', 1],
]);

interface RangeProps extends GoProps {
  readonly label: string;
  readonly drag: (isDragging: boolean) => void;
}

/** A slider that selects a revision by date. The arrow keys select the next or previous revision. */
export function RevisionRange({ label, history, revision, go, drag }: RangeProps) {
  const { line, revisions } = history;
  const { id = '', date = '' } = revisions[revision] ?? {};
  const { from, to } = timeScale(history, 0, 1);
  const position = positionOf(revision, line);
  const secondsOf = (index: number) => Math.round((timeOf(history, index) - from) / 1000);
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={`${dayOf(date)}, revision ${shortRevision(id)}`}
      min={0}
      max={(to - from) / 1000}
      value={secondsOf(line[position] ?? revision)}
      onInput={({ currentTarget }) => {
        const seconds = Number(currentTarget.value);
        const target = Math.max(
          0,
          line.findLastIndex((index) => secondsOf(index) <= seconds),
        );
        go(target);
        drag(true);
      }}
      onChange={({ currentTarget }) => {
        drag(false);
        currentTarget.value = String(secondsOf(line[position] ?? revision));
      }}
      onKeyDown={(event) => {
        const target = position + (KEY_STEPS.get(event.key) ?? Number.NaN);
        if (Number.isNaN(target)) return;
        event.preventDefault();
        if (line[target] !== undefined) go(target);
        // A key that is held down repeats its event, like a drag.
        drag(true);
      }}
      onKeyUp={() => drag(false)}
    />
  );
}
