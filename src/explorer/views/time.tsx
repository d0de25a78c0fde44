/** The fleet over time: a slider over the revisions, which sets the moment of all views, how it grew, and what came, went and changed. */

import { useMemo } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { type FleetHistory, historyOf, momentNamed, tableAt } from '../data/history.ts';
import { parameterOf } from '../fleet/filters.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { fleetDifference, growthBy, PLOTTED } from '../fleet/growth.ts';
import { GrowthPlot, OPACITIES } from '../parts/growth-plot.tsx';
import { Notice } from '../parts/notice.tsx';
import { LeftOut, Read } from '../parts/read.tsx';
import { counted, dayOf, fieldTitle, shortRevision, visible } from '../parts/value.tsx';
import { adjust, linkWithin, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

export function Time({ state }: { state: AppState }) {
  const loaded = useLoaded('history', () => historyOf(state.reader, state.registry));
  return (
    <>
      <h1 tabIndex={-1}>Time</h1>
      <Read of={loaded}>
        {(history) =>
          history ? (
            <Timed state={state} history={history} />
          ) : (
            <Notice kind="info" title="There is no history of all nodes to read here.">
              {state.reader.isLocal
                ? 'It does not lie beside the page, since it would be too long, or the tree is of an older release: serve the folder, for instance with gridpress serve.'
                : 'It would be too long, or the tree was built by an older release. The changes one by one are in the histories of the nodes.'}
            </Notice>
          )
        }
      </Read>
    </>
  );
}

const MOST_AREAS = 6;

function Timed({ state, history }: { state: AppState; history: FleetHistory }) {
  const { place, registry } = state;
  const { line, moments } = history;
  const moment = momentNamed(history, registry.version);
  const position = Math.max(0, line.indexOf(moment));
  const field = place.params.get('rows') ?? PLOTTED[0];
  const steps = useMemo(() => growthBy(history, field), [history, field]);
  const counts = steps[position]?.counts ?? new Map<string, number>();
  const shown = useMemo(() => commonest(steps), [steps]);
  const set = (changes: Parameters<typeof withParams>[1]) => adjust('time', withParams(place.params, changes));
  const go = (to: number) => {
    const id = moments[line[to] ?? -1]?.id;
    if (id !== undefined) set({ at: id === registry.newest ? undefined : shortRevision(id) });
  };
  return (
    <>
      <p class="slider">
        <button type="button" disabled={position === 0} onClick={() => go(position - 1)}>
          Earlier
        </button>
        <input
          type="range"
          aria-label="Revision"
          aria-valuetext={`${dayOf(registry.date)}, revision ${shortRevision(registry.version)}`}
          min={0}
          max={line.length - 1}
          value={position}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <button type="button" disabled={position === line.length - 1} onClick={() => go(position + 1)}>
          Later
        </button>
      </p>
      <p>
        <strong>{dayOf(registry.date)}</strong>, revision <code>{shortRevision(registry.version)}</code>: {position + 1}{' '}
        of {counted(line.length, 'revision')}. Every view shows the registry as it was then.
      </p>
      <p class="choosers">
        <label>
          Nodes by{' '}
          <select value={field} onChange={(event) => set({ rows: event.currentTarget.value })}>
            {PLOTTED.map((name) => (
              <option key={name} value={name}>
                {fieldTitle(name)}
              </option>
            ))}
          </select>
        </label>
      </p>
      <GrowthPlot history={history} steps={steps} shown={shown} moment={moment} />
      <ul class="legend">
        {shown.map((name, layer) => (
          <li key={name}>
            <Swatch layer={layer} />{' '}
            <a href={linkWithin(place, 'nodes', { [parameterOf(field)]: name })}>{visible(name)}</a>{' '}
            <span class="absent">{counts.get(name) ?? 0}</span>
          </li>
        ))}
        {othersIn(counts, shown) === 0 ? null : (
          <li>
            <Swatch layer={shown.length} /> others <span class="absent">{othersIn(counts, shown)}</span>
          </li>
        )}
      </ul>
      <FleetChanges state={state} history={history} moment={moment} />
    </>
  );
}

function Swatch({ layer }: { layer: number }) {
  return <span class="swatch" style={{ opacity: OPACITIES[layer] }} aria-hidden="true" />;
}

/** The values that most nodes ever had. */
function commonest(steps: ReturnType<typeof growthBy>): string[] {
  const most = new Map<string, number>();
  for (const { counts } of steps)
    for (const [name, nodes] of counts) most.set(name, Math.max(nodes, most.get(name) ?? 0));
  most.delete('');
  return [...most]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_AREAS)
    .map(([name]) => name);
}

function othersIn(counts: ReadonlyMap<string, number>, shown: readonly string[]): number {
  let nodes = 0;
  for (const [name, count] of counts) if (!shown.includes(name)) nodes += count;
  return nodes;
}

/** What came, went and changed between two revisions, node by node. */
interface FleetChangesProps {
  readonly state: AppState;
  readonly history: FleetHistory;
  readonly moment: number;
}

export function FleetChanges({ state, history, moment }: FleetChangesProps) {
  const { place } = state;
  const { line, moments, labels } = history;
  const asked = momentNamed(history, place.params.get('than') ?? '');
  const other = asked >= 0 ? asked : (moments[moment]?.parent ?? -1);
  const { earlier, later, found } = useMemo(() => {
    // Not what is shown: the newest table can leave out other fields than the history does.
    const fleetAt = (index: number) => fleetOf(tableAt(history, index), labels);
    const [first, second] = [fleetAt(Math.min(other, moment)), fleetAt(Math.max(other, moment))];
    return { earlier: first, later: second, found: fleetDifference(first, second) };
  }, [history, other, moment]);
  const dateAt = (index: number) => dayOf(moments[index]?.date ?? '');
  const laterId = moments[Math.max(moment, other)]?.id ?? '';
  const earlierId = moments[Math.min(moment, other)]?.id ?? '';
  const isBeginning = other < 0 && moments[moment]?.isCut === true;
  const nodes = (title: string, rows: readonly number[], of: Fleet, id: string) => (
    <NodeNames state={state} title={title} rows={rows} id={id} fleet={of} />
  );
  return (
    <section aria-labelledby="between">
      <h2 id="between">Between two moments</h2>
      <p class="choosers">
        <label>
          Against{' '}
          <select
            value={String(other)}
            onChange={(event) => {
              const id = moments[Number(event.currentTarget.value)]?.id;
              adjust('time', withParams(place.params, { than: id === undefined ? undefined : shortRevision(id) }));
            }}
          >
            {other < 0 ? <option value="-1">nothing</option> : null}
            {[...line].reverse().map((index) => (
              <option key={index} value={String(index)}>
                {dateAt(index)} {shortRevision(moments[index]?.id ?? '')}
              </option>
            ))}
          </select>
        </label>
      </p>
      {isBeginning ? (
        <LeftOut />
      ) : (
        <>
          {nodes('Came', found.came, later, laterId)}
          {nodes('Went', found.went, earlier, earlierId)}
          {nodes('Changed', found.changed, later, laterId)}
        </>
      )}
    </section>
  );
}

const MOST_NAMED = 60;

interface NodeNamesProps {
  readonly state: AppState;
  readonly title: string;
  readonly rows: readonly number[];
  readonly fleet: Fleet;
  readonly id: string;
}

function NodeNames({ state, title, rows, fleet, id }: NodeNamesProps) {
  const { registry, place } = state;
  const at = id === registry.newest ? undefined : shortRevision(id);
  return (
    <details class="class" open={rows.length > 0 && rows.length <= MOST_NAMED}>
      <summary>
        {title} <span class="badge">{rows.length}</span>
      </summary>
      <ul class="inline">
        {rows.slice(0, MOST_NAMED).map((row) => (
          <li key={row}>
            <a href={linkWithin(place, fleet.pathOf(row), { at })}>{visible(fleet.nameOf(row))}</a>{' '}
            <span class="absent">{fleet.placeOf(row).site}</span>
          </li>
        ))}
        {rows.length > MOST_NAMED ? <li class="absent">and {rows.length - MOST_NAMED} more</li> : null}
      </ul>
    </details>
  );
}
