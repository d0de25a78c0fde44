import { useMemo, useRef } from 'preact/hooks';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import type { AppState, ViewProps } from '../app-state.ts';
import { type FleetHistory, historyOf, lineTo, revisionIndex, tableAt } from '../data/history.ts';
import { versionsOf } from '../data/nodes.ts';
import { EACH_NODE, type LargeRevision, largestRevisions, monthlyChanges } from '../fleet/change-counts.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { fleetDifference, growthBy, PLOTTED } from '../fleet/growth.ts';
import { GrowthLegend, GrowthPlot, GrowthTable, largestValues } from '../parts/growth-plot.tsx';
import { HeatMap, HeatTable } from '../parts/heat-map.tsx';
import { firstLine, NodeLinks } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { LeftOut, Read } from '../parts/read.tsx';
import { Select } from '../parts/select.tsx';
import { counted, dayOf, shortRevision } from '../parts/value.tsx';
import { adjust, linkWithin, navigate, withParams } from '../state/place.ts';
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
  const than = revisionIndex(history, place.params.get('than') ?? '');
  const isOnLine = line.includes(revision);
  const field = place.params.get('rows') ?? PLOTTED[0];
  const steps = useMemo(() => growthBy(history, field), [history, field]);
  const counts = useMemo(
    () =>
      (isOnLine ? steps[positionOf(revision, line)] : growthBy(history, field, lineTo(revision, revisions)).at(-1))
        ?.counts ?? NO_COUNTS,
    [history, field, revision],
  );
  const shown = useMemo(() => largestValues(steps, field), [steps, field]);
  const large = useMemo(
    () => largestRevisions(history, MOST_MARKED, MARKED_SHARE * state.fleet.table.total),
    [history, state.fleet],
  );
  const isDragging = useRef(false);
  const drag = (is: boolean) => {
    isDragging.current = is;
  };
  const show = (params: URLSearchParams) => {
    if (isDragging.current) adjust('time', params);
    else navigate('time', params);
  };
  const go = (to: number) => {
    const id = revisions[line[to] ?? -1]?.id;
    if (id !== undefined) show(withParams(place.params, atParam(state, id)));
  };
  const compareWith = (index: number) => {
    const id = revisions[index]?.id;
    show(withParams(place.params, { than: id === undefined ? undefined : shortRevision(id) }));
  };
  return (
    <>
      <RevisionSlider history={history} revision={revision} go={go} drag={drag} />
      <p>
        <strong>{dayOf(registry.date)}</strong>, revision <code>{shortRevision(registry.version)}</code>
        {isOnLine
          ? `: ${positionOf(revision, line) + 1} of ${counted(line.length, 'revision')}. `
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
        than={than}
        marked={large}
        go={go}
        drag={drag}
      />
      <GrowthLegend state={state} field={field} shown={shown} counts={counts} isMarked={large.length > 0} />
      <GrowthTable history={history} field={field} shown={shown} steps={steps} />
      <LargestRevisions state={state} history={history} large={large} />
      <FleetChanges
        state={state}
        history={history}
        revision={revision}
        than={than}
        compareWith={compareWith}
        drag={drag}
      />
      <ChangesByMonth state={state} history={history} />
    </>
  );
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map();
const MOST_MARKED = 8;
/** The minimum share of nodes that a marked revision changed. */
const MARKED_SHARE = 0.1;

/** The position of a revision on the line. A revision of a merged branch has the position of the next revision. */
function positionOf(revision: number, line: readonly number[]): number {
  return line.findIndex((index) => index >= revision);
}

function atParam({ registry }: AppState, id: string) {
  return { at: id === registry.newest ? undefined : shortRevision(id) };
}

interface DragProps {
  readonly history: FleetHistory;
  readonly drag: (isDragging: boolean) => void;
}

interface SliderProps extends DragProps {
  readonly revision: number;
  readonly go: (position: number) => void;
}

function RevisionSlider({ history, revision, go, drag }: SliderProps) {
  const { line } = history;
  const position = positionOf(revision, line);
  const isOnLine = line[position] === revision;
  return (
    <p class="slider">
      <button type="button" disabled={position <= 0} onClick={() => go(position - 1)}>
        Earlier
      </button>
      <RevisionRange label="Revision" history={history} revision={revision} go={go} drag={drag} />
      <button
        type="button"
        disabled={isOnLine && position === line.length - 1}
        onClick={() => go(isOnLine ? position + 1 : position)}
      >
        Later
      </button>
    </p>
  );
}

function RevisionRange({ label, history, revision, go, drag }: SliderProps & { readonly label: string }) {
  const { line, revisions } = history;
  const { id = '', date = '' } = revisions[revision] ?? {};
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={`${dayOf(date)}, revision ${shortRevision(id)}`}
      min={0}
      max={line.length - 1}
      value={positionOf(revision, line)}
      onInput={(event) => {
        go(Number(event.currentTarget.value));
        drag(true);
      }}
      onChange={() => drag(false)}
    />
  );
}

/** The marks of the plot as a list, with the messages of the revisions. */
function LargestRevisions({ state, history, large }: TimeProps & { readonly large: readonly LargeRevision[] }) {
  const { reader, place } = state;
  const loaded = useLoaded('messages', async () => {
    const versions = (await versionsOf(reader, '')) ?? [];
    return new Map(versions.map(({ id, message }) => [id, message]));
  });
  if (large.length === 0) return null;
  const messages = loaded.kind === 'done' ? loaded.value : undefined;
  return (
    <details class="class">
      <summary>
        Largest revisions <span class="badge">{large.length}</span>
      </summary>
      <ul class="rows">
        {large.map(({ revision, nodes }) => {
          const { id = '', date = '' } = history.revisions[revision] ?? {};
          return (
            <li key={id}>
              <time dateTime={date}>{dayOf(date)}</time>{' '}
              <a href={linkWithin(place, `versions/${id}`)}>
                {firstLine(messages?.get(id) ?? '') || shortRevision(id)}
              </a>{' '}
              <span class="absent">{counted(nodes, 'node')}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

interface FleetChangesProps extends TimeProps, DragProps {
  readonly revision: number;
  /** The index of the chosen revision, or -1. */
  readonly than: number;
  readonly compareWith: (revision: number) => void;
}

function FleetChanges({ state, history, revision, than, compareWith, drag }: FleetChangesProps) {
  const { line, revisions } = history;
  const other = than >= 0 ? than : (revisions[revision]?.parent ?? -1);
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
  const nodes = (title: string, rows: readonly number[], fleet: Fleet, index: number) => {
    const params = atParam(state, revisions[index]?.id ?? '');
    return rows.length === 0 ? null : (
      <details class="class" open={rows.length <= MOST_NAMED}>
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
      <p class="slider">
        <Select
          label="Compare with"
          value={String(other)}
          options={other < 0 ? [['-1', 'none'], ...options] : options}
          choose={(index) => compareWith(Number(index))}
        />
        <RevisionRange
          label="Compared revision"
          history={history}
          revision={Math.max(0, other)}
          go={(position) => compareWith(line[position] ?? -1)}
          drag={drag}
        />
      </p>
      {isHistoryStart ? (
        <LeftOut />
      ) : (
        <>
          {nodes('Added', found.added, later, last)}
          {nodes('Removed', found.removed, earlier, first)}
          {nodes('Changed', found.changed, later, last)}
          {found.added.length + found.removed.length + found.changed.length === 0 ? <p>No node differs.</p> : null}
        </>
      )}
    </section>
  );
}

const PRESENCE = 'presence';
const MOST_GROUPS = 30;

function ChangesByMonth({ state, history }: TimeProps) {
  const { place, registry } = state;
  const grouping = place.params.get('by') ?? 'site';
  const chosen = place.params.get('class') ?? '';
  const classOf = useMemo(() => new Map(registry.fields.map((field) => [field.name, field.class])), [registry]);
  const changes = useMemo(
    () =>
      monthlyChanges(history, grouping, (fields) => {
        if (chosen === '') return true;
        if (chosen === PRESENCE || !fields) return chosen === PRESENCE && !fields;
        return fields.some((name) => classOf.get(name) === chosen);
      }),
    [history, grouping, chosen, classOf],
  );
  const classes = FIELD_CLASSES.filter((name) => [...classOf.values()].includes(name));
  const set = (name: string, value: string) =>
    navigate('time', withParams(place.params, { [name]: value === '' ? undefined : value }));
  return (
    <section aria-labelledby="months">
      <h2 id="months">Changes by month</h2>
      <p class="choosers">
        <Select
          label="Rows"
          value={grouping}
          options={[...PLOTTED.map((name) => [name, fieldTitle(name)] as const), [EACH_NODE, 'Node']]}
          choose={(by) => set('by', by)}
        />
        <Select
          label="Changes"
          value={chosen}
          options={[['', 'all'], [PRESENCE, 'added or removed'], ...classes.map((name) => [name, name] as const)]}
          choose={(name) => set('class', name)}
        />
      </p>
      {changes.groups.length === 0 ? (
        <Notice kind="info" title="No changes of this class." />
      ) : (
        <>
          <HeatMap state={state} history={history} changes={changes} most={MOST_GROUPS} />
          <p class="absent">
            Each square counts the nodes that changed in a month, once for each revision. A click shows what changed in
            all nodes.
            {changes.groups.length > MOST_GROUPS
              ? ` ${counted(changes.groups.length - MOST_GROUPS, 'row')} with fewer changes are not shown.`
              : ''}
          </p>
          <HeatTable state={state} history={history} changes={changes} most={MOST_GROUPS} />
        </>
      )}
    </section>
  );
}

const MOST_NAMED = 60;
