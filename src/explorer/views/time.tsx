import { useMemo, useRef } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { type FleetHistory, historyOf, lineTo, revisionIndex, tableAt } from '../data/history.ts';
import { parameterOf } from '../fleet/filters.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { fleetDifference, type GrowthStep, growthBy, PLOTTED } from '../fleet/growth.ts';
import { NodeLinks } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { LeftOut, Read } from '../parts/read.tsx';
import { Select } from '../parts/select.tsx';
import { counted, dayOf, fieldTitle, shortRevision, visible } from '../parts/value.tsx';
import { adjust, linkWithin, navigate, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { useWidth } from '../state/use-width.ts';

export function Time({ state }: ViewProps) {
  const loaded = useLoaded('history', () => historyOf(state.reader, state.registry));
  return (
    <>
      <h1 tabIndex={-1}>Time</h1>
      <Read of={loaded}>
        {(history) =>
          history ? (
            <FleetOverTime state={state} history={history} />
          ) : (
            <Notice kind="info" title="The history of all nodes is not available.">
              {state.reader.isLocal
                ? 'The offline copy does not include it, because it is too long, or an older release built the tree. Serve the folder with gridpress serve.'
                : 'It is too long to be published, or an older release built the tree. The view of each node shows its history.'}
            </Notice>
          )
        }
      </Read>
    </>
  );
}

const MOST_AREAS = 6;

type TimeProps = ViewProps & { readonly history: FleetHistory };

function FleetOverTime({ state, history }: TimeProps) {
  const { place, registry } = state;
  const { line, revisions } = history;
  const revision = revisionIndex(history, registry.version);
  const isOnLine = line.includes(revision);
  // A revision of a merged branch is shown at the next revision of the line.
  const position = line.findIndex((index) => index >= revision);
  const field = place.params.get('rows') ?? PLOTTED[0];
  const steps = useMemo(() => growthBy(history, field), [history, field]);
  const counts = useMemo(
    () =>
      (isOnLine ? steps[position] : growthBy(history, field, lineTo(revision, revisions)).at(-1))?.counts ?? NO_COUNTS,
    [history, field, revision],
  );
  const shown = useMemo(() => largestValues(steps), [steps]);
  const without = counts.get('') ?? 0;
  const others = [...counts].reduce((sum, [name, nodes]) => (shown.includes(name) ? sum : sum + nodes), -without);
  const isDragging = useRef(false);
  const go = (to: number) => {
    const id = revisions[line[to] ?? -1]?.id;
    if (id === undefined) return;
    const params = withParams(place.params, { at: id === registry.newest ? undefined : shortRevision(id) });
    if (isDragging.current) adjust('time', params);
    else navigate('time', params);
  };
  return (
    <>
      <p class="slider">
        <button type="button" disabled={position <= 0} onClick={() => go(position - 1)}>
          Earlier
        </button>
        <input
          type="range"
          aria-label="Revision"
          aria-valuetext={`${dayOf(registry.date)}, revision ${shortRevision(registry.version)}`}
          min={0}
          max={line.length - 1}
          value={position}
          onInput={(event) => {
            go(Number(event.currentTarget.value));
            isDragging.current = true;
          }}
          onChange={() => {
            isDragging.current = false;
          }}
        />
        <button
          type="button"
          disabled={isOnLine && position === line.length - 1}
          onClick={() => go(isOnLine ? position + 1 : position)}
        >
          Later
        </button>
      </p>
      <p>
        <strong>{dayOf(registry.date)}</strong>, revision <code>{shortRevision(registry.version)}</code>
        {isOnLine
          ? `: ${position + 1} of ${counted(line.length, 'revision')}. `
          : ', on a branch that was merged later. '}
        All views show this revision.
      </p>
      <p class="choosers">
        <Select
          label="Nodes by"
          value={field}
          options={PLOTTED.map((name) => [name, fieldTitle(name)])}
          choose={(rows) => navigate('time', withParams(place.params, { rows }))}
        />
      </p>
      <GrowthPlot history={history} steps={steps} shown={shown} revision={revision} />
      <ul class="legend">
        {shown.map((name, layer) => (
          <li key={name}>
            <Swatch layer={layer} />{' '}
            <a href={linkWithin(place, 'nodes', { [parameterOf(field)]: name })}>{visible(name)}</a>{' '}
            <span class="absent">{counts.get(name) ?? 0}</span>
          </li>
        ))}
        {others === 0 ? null : (
          <li>
            <Swatch layer={shown.length} /> others <span class="absent">{others}</span>
          </li>
        )}
        {without === 0 ? null : (
          <li>
            <Swatch layer={shown.length + 1} /> no {fieldTitle(field)} <span class="absent">{without}</span>
          </li>
        )}
      </ul>
      <FleetChanges state={state} history={history} revision={revision} />
    </>
  );
}

function Swatch({ layer }: { layer: number }) {
  return <span class="swatch" style={{ background: COLORS[layer] }} aria-hidden="true" />;
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map();

/** Returns the values that have the largest node counts at any revision. */
function largestValues(steps: ReturnType<typeof growthBy>): string[] {
  const largest = new Map<string, number>();
  for (const { counts } of steps)
    for (const [name, nodes] of counts) largest.set(name, Math.max(nodes, largest.get(name) ?? 0));
  largest.delete('');
  return [...largest]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_AREAS)
    .map(([name]) => name);
}

function FleetChanges({ state, history, revision }: TimeProps & { readonly revision: number }) {
  const { place, registry } = state;
  const { line, revisions } = history;
  const named = revisionIndex(history, place.params.get('than') ?? '');
  const other = named >= 0 ? named : (revisions[revision]?.parent ?? -1);
  const [first, last] = [Math.min(other, revision), Math.max(other, revision)];
  const { earlier, later, found } = useMemo(() => {
    // Both fleets come from the history, because the table of the head can omit other fields.
    const fleetAt = (index: number) => fleetOf(tableAt(history, index));
    const [earlier, later] = [fleetAt(first), fleetAt(last)];
    return { earlier, later, found: fleetDifference(earlier, later) };
  }, [history, first, last]);
  const isHistoryStart = other < 0 && revisions[revision]?.isCut === true;
  const options = line.toReversed().map((index) => {
    const { id = '', date = '' } = revisions[index] ?? {};
    return [String(index), `${dayOf(date)} ${shortRevision(id)}`] as const;
  });
  const choose = (index: string) => {
    const id = revisions[Number(index)]?.id;
    navigate('time', withParams(place.params, { than: id === undefined ? undefined : shortRevision(id) }));
  };
  const nodes = (title: string, rows: readonly number[], fleet: Fleet, index: number) => {
    const id = revisions[index]?.id ?? '';
    const params = { at: id === registry.newest ? undefined : shortRevision(id) };
    return (
      <details class="class" open={rows.length > 0 && rows.length <= MOST_NAMED}>
        <summary>
          {title} <span class="badge">{rows.length}</span>
        </summary>
        <NodeLinks state={state} fleet={fleet} rows={rows} most={MOST_NAMED} params={params} />
      </details>
    );
  };
  return (
    <section aria-labelledby="between">
      <h2 id="between">Compare with another revision</h2>
      <p class="choosers">
        <Select
          label="Compare with"
          value={String(other)}
          options={other < 0 ? [['-1', 'none'], ...options] : options}
          choose={choose}
        />
      </p>
      {isHistoryStart ? (
        <LeftOut />
      ) : (
        <>
          {nodes('Added', found.added, later, last)}
          {nodes('Removed', found.removed, earlier, first)}
          {nodes('Changed', found.changed, later, last)}
        </>
      )}
    </section>
  );
}

const MOST_NAMED = 60;

/** All lengths are in pixels. */
const HEIGHT = 260;
const BOTTOM = 18;
const TOP = 18;
/** Colors that colour-blind readers can distinguish (Okabe and Ito), then others, and nodes without a value. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#888', 'rgb(128 128 128 / 20%)'];
/** The minimum distance between the labels of two years, in pixels. */
const YEAR_DISTANCE = 40;

interface GrowthPlotProps {
  readonly history: FleetHistory;
  readonly steps: readonly GrowthStep[];
  readonly shown: readonly string[];
  readonly revision: number;
}

export function GrowthPlot({ history, steps, shown, revision }: GrowthPlotProps) {
  const { ref, width } = useWidth();
  const timeOf = (index: number) => Date.parse(history.revisions[index]?.date ?? '') || 0;
  const times = steps.map((step) => timeOf(step.revision));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const x = (time: number) => (to === from ? 0 : ((time - from) / (to - from)) * width);
  // The areas do not depend on the slider.
  const { areas, most } = useMemo(() => areasOf(steps, shown, times.map(x)), [steps, shown, width]);
  const years = yearsIn(from, to);
  const every = Math.ceil((years.length * YEAR_DISTANCE) / width);
  return (
    <div class="growth" ref={ref}>
      <svg width={width} height={HEIGHT} role="img" aria-label="Number of nodes over time">
        {areas.map((points, layer) => (
          <polygon key={layer} class="area" style={{ fill: COLORS[layer] }} points={points} />
        ))}
        {years.map(({ year, time }, i) => (
          <g key={year}>
            <line x1={x(time)} y1={TOP} x2={x(time)} y2={HEIGHT - BOTTOM} />
            {i % every === 0 && x(time) + YEAR_DISTANCE <= width ? (
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
        <line class="now" x1={x(timeOf(revision))} y1={TOP} x2={x(timeOf(revision))} y2={HEIGHT - BOTTOM}>
          <title>{dayOf(history.revisions[revision]?.date ?? '')}</title>
        </line>
      </svg>
    </div>
  );
}

/** The outlines of the areas from the bottom up, then other values and nodes without a value, and the most nodes. */
function areasOf(steps: readonly GrowthStep[], shown: readonly string[], places: readonly number[]) {
  const totals = steps.map(({ counts }) => [...counts.values()].reduce((sum, nodes) => sum + nodes, 0));
  const most = Math.max(1, ...totals);
  const y = (nodes: number) => HEIGHT - BOTTOM - (nodes / most) * (HEIGHT - BOTTOM - TOP);
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
