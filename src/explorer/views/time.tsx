import { useMemo, useRef } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { type FleetHistory, historyOf, lineTo, revisionIndex, tableAt } from '../data/history.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { fleetDifference, growthBy, PLOTTED } from '../fleet/growth.ts';
import { GrowthLegend, GrowthPlot, GrowthTable, largestValues } from '../parts/growth-plot.tsx';
import { NodeLinks } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { LeftOut, Read } from '../parts/read.tsx';
import { Select } from '../parts/select.tsx';
import { counted, dayOf, fieldTitle, shortRevision } from '../parts/value.tsx';
import { adjust, navigate, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

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
      <GrowthPlot
        history={history}
        steps={steps}
        shown={shown}
        revision={revision}
        go={go}
        drag={(is) => {
          isDragging.current = is;
        }}
      />
      <GrowthLegend state={state} field={field} shown={shown} counts={counts} />
      <GrowthTable history={history} field={field} shown={shown} steps={steps} />
      <FleetChanges state={state} history={history} revision={revision} />
    </>
  );
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map();

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
