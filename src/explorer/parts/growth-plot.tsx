/** How the fleet grew: areas one above the other, by date; the table beside it says the same in words. */

import { useMemo } from 'preact/hooks';
import type { FleetHistory } from '../data/history.ts';
import type { GrowthStep } from '../fleet/growth.ts';
import { useWidth } from '../state/use-width.ts';
import { counted, dayOf } from './value.tsx';

/** In pixels, as all that follows. */
const HEIGHT = 260;
const BOTTOM = 18;
const TOP = 18;
/** Of the areas from below, the last of which is of all others. */
export const OPACITIES = [1, 0.8, 0.64, 0.5, 0.38, 0.28, 0.16];
/** Years that would stand nearer to each other are not named. */
const YEAR = 40;

interface GrowthPlotProps {
  readonly history: FleetHistory;
  readonly steps: readonly GrowthStep[];
  readonly shown: readonly string[];
  readonly moment: number;
}

export function GrowthPlot({ history, steps, shown, moment }: GrowthPlotProps) {
  const { ref, width } = useWidth();
  const timeOf = (index: number) => Date.parse(history.moments[index]?.date ?? '') || 0;
  const times = steps.map((step) => timeOf(step.moment));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const x = (time: number) => (to === from ? 0 : ((time - from) / (to - from)) * width);
  // The same at every moment of the slider.
  const { areas, most } = useMemo(() => areasOf(steps, shown, times.map(x)), [steps, shown, width]);
  const years = yearsIn(from, to);
  const every = Math.ceil((years.length * YEAR) / width);
  return (
    <div class="growth" ref={ref}>
      <svg width={width} height={HEIGHT} role="img" aria-label="How many nodes there were; the table says it in words">
        {areas.map((points, layer) => (
          <polygon key={layer} class="area" style={{ opacity: OPACITIES[layer] }} points={points} />
        ))}
        {years.map(({ year, time }, i) => (
          <g key={year}>
            <line x1={x(time)} y1={TOP} x2={x(time)} y2={HEIGHT - BOTTOM} />
            {i % every === 0 && x(time) + YEAR <= width ? (
              <text x={x(time) + 3} y={HEIGHT - 4}>
                {year}
              </text>
            ) : null}
          </g>
        ))}
        <line x1={0} y1={TOP} x2={width} y2={TOP} />
        <text x={0} y={12}>
          {counted(most, 'node')}
        </text>
        <line class="now" x1={x(timeOf(moment))} y1={TOP} x2={x(timeOf(moment))} y2={HEIGHT - BOTTOM}>
          <title>{dayOf(history.moments[moment]?.date ?? '')}</title>
        </line>
      </svg>
    </div>
  );
}

/** The outlines of the areas from below, the last of which is of all others, and the most nodes that there were. */
function areasOf(steps: readonly GrowthStep[], shown: readonly string[], places: readonly number[]) {
  const totals = steps.map(({ counts }) => [...counts.values()].reduce((sum, nodes) => sum + nodes, 0));
  const most = Math.max(1, ...totals);
  const y = (nodes: number) => HEIGHT - BOTTOM - (nodes / most) * (HEIGHT - BOTTOM - TOP);
  const last = places.at(-1) ?? 0;
  /** Values stay until the next revision: steps, not slopes. */
  const edge = (heights: readonly number[]) =>
    heights.flatMap((nodes, i) => {
      const height = y(nodes).toFixed(1);
      return [`${(places[i] ?? 0).toFixed(1)},${height}`, `${(places[i + 1] ?? last).toFixed(1)},${height}`];
    });
  let below = steps.map(() => 0);
  const areas = [...shown, undefined].map((name) => {
    const above = steps.map(({ counts }, i) =>
      name === undefined ? (totals[i] ?? 0) : (below[i] ?? 0) + (counts.get(name) ?? 0),
    );
    const points = [...edge(above), ...edge(below).reverse()].join(' ');
    below = above;
    return points;
  });
  return { areas, most };
}

function yearsIn(from: number, to: number): { year: number; time: number }[] {
  const [first, last] = [new Date(from).getUTCFullYear() + 1, new Date(to).getUTCFullYear()];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => ({
    year: first + i,
    time: Date.UTC(first + i, 0),
  }));
}
