import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { type ClassSet, classNames } from '../../core/model/field-classes.ts';
import type { AppState, ViewProps } from '../app-state.ts';
import { type FleetHistory, historyOf, lineTo, revisionAt, revisionIndex, tableAt } from '../data/history.ts';
import { versionsOf } from '../data/nodes.ts';
import { readSiteNames, type SiteNames } from '../data/sites.ts';
import {
  type ChangedNodes,
  changesByClass,
  EACH_NODE,
  largestRevisions,
  monthlyChanges,
} from '../fleet/change-counts.ts';
import { CHANGE_CLASSES, classesBetween, isOfClass, PRESENCE } from '../fleet/changed-classes.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { fleetDifference, growthBy, PLOTTED } from '../fleet/growth.ts';
import type { MonthlyChanges } from '../fleet/monthly-changes.ts';
import { GrowthLegend, GrowthPlot, GrowthTable, growthOf } from '../parts/growth-plot.tsx';
import { HeatMap, HeatTable } from '../parts/heat-map.tsx';
import { firstLine, NodeLinks, Tags } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { LeftOut, Read } from '../parts/read.tsx';
import { Select } from '../parts/select.tsx';
import { BEFORE_START, gutterFor, timeOf, timeScale } from '../parts/time-axis.tsx';
import { counted, dayOf, plainNumber, shortRevision, visible } from '../parts/value.tsx';
import { adjust, fragmentOf, linkWithin, navigate, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { useWidth } from '../state/use-width.ts';

export function Time({ state }: ViewProps) {
  const loaded = useLoaded('history', () =>
    Promise.all([historyOf(state.reader, state.registry), readSiteNames(state.reader)]),
  );
  return (
    <>
      <h1 tabIndex={-1}>Time</h1>
      <Read of={loaded}>
        {([history, siteNames]) =>
          history ? (
            <FleetOverTime state={state} history={history} siteNames={siteNames} />
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
type NamedProps = TimeProps & { readonly siteNames: SiteNames };

function FleetOverTime({ state, history, siteNames }: NamedProps) {
  const { place, registry } = state;
  const { line, revisions } = history;
  const revision = revisionIndex(history, registry.version);
  const than = revisionAt(history, place.params.get('than') ?? '');
  const isOnLine = line.includes(revision);
  const field = place.params.get('rows') ?? PLOTTED[0];
  const growth = useMemo(
    () => growthOf(field, growthBy(history, field), field === 'site' ? siteNames : visible),
    [history, field],
  );
  const { ref, width } = useWidth();
  const counts = useMemo(
    () =>
      (isOnLine
        ? growth.steps[positionOf(revision, line)]
        : growthBy(history, field, lineTo(revision, revisions)).at(-1)
      )?.counts ?? NO_COUNTS,
    [history, field, revision],
  );
  const large = useMemo(
    () => largestRevisions(history, MOST_MARKED, MARKED_SHARE * state.fleet.table.total),
    [history, state.fleet],
  );
  const months = useMonths(state, history, siteNames);
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
    show(withParams(place.params, { than: id === undefined ? BEFORE_START : shortRevision(id) }));
  };
  return (
    <>
      <p class="choosers">
        <Select
          label="Nodes by"
          value={field}
          options={PLOTTED.map((name) => [name, fieldTitle(name)])}
          choose={(rows) => navigate('time', withParams(place.params, { rows }))}
        />
      </p>
      <div ref={ref}>
        <GrowthPlot
          history={history}
          growth={growth}
          revision={revision}
          gutter={months.gutter}
          than={than}
          marked={large}
          go={go}
          drag={drag}
        />
        {/* Aligns the two ends of the slider with the two ends of the plot. */}
        <p class="slider" style={{ margin: `0 -${HALF_THUMB}px 0.6rem ${months.gutter(width) - HALF_THUMB}px` }}>
          <RevisionRange label="Revision" history={history} revision={revision} go={go} drag={drag} />
        </p>
      </div>
      <ShownRevision state={state} history={history} revision={revision} go={go} />
      <GrowthLegend state={state} growth={growth} counts={counts} isMarked={large.length > 0} />
      <GrowthTable history={history} growth={growth} />
      <LargestRevisions state={state} history={history} large={large} />
      <ChangesByMonth state={state} history={history} months={months} />
      <FleetChanges
        state={state}
        history={history}
        revision={revision}
        than={than}
        compareWith={compareWith}
        drag={drag}
      />
    </>
  );
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map();
const MOST_MARKED = 8;
/** The plot marks a revision if the revision changed at least this share of the nodes. */
const MARKED_SHARE = 0.1;

/** Returns the position of a revision, or of the next revision, on the first-parent line. */
function positionOf(revision: number, line: readonly number[]): number {
  return line.findIndex((index) => index >= revision);
}

function atParam({ registry }: AppState, id: string) {
  return { at: id === registry.newest ? undefined : shortRevision(id) };
}

interface GoProps {
  readonly history: FleetHistory;
  readonly revision: number;
  readonly go: (position: number) => void;
}

/** Shows the id and the date of the shown revision, with buttons to the previous and the next revision. */
function ShownRevision({ state: { registry, place }, history, revision, go }: ViewProps & GoProps) {
  const { line } = history;
  const position = positionOf(revision, line);
  const isOnLine = line[position] === revision;
  return (
    <p class="choosers">
      <span class="buttons">
        <button type="button" disabled={position <= 0} onClick={() => go(position - 1)}>
          Earlier
        </button>
        <button
          type="button"
          disabled={isOnLine && position === line.length - 1}
          onClick={() => go(isOnLine ? position + 1 : position)}
        >
          Later
        </button>
      </span>
      <span>
        <strong>{dayOf(registry.date)}</strong>, revision <code>{shortRevision(registry.version)}</code>
        {isOnLine
          ? `: ${position + 1} of ${counted(line.length, 'revision')}. `
          : ', on a branch that was merged later. '}
        All views show this revision.{' '}
        {registry.version === registry.newest ? null : (
          <a href={fragmentOf('time', withParams(place.params, { at: undefined }))}>Show latest</a>
        )}
      </span>
    </p>
  );
}

/** Half the width of the handle of a slider, in pixels. */
const HALF_THUMB = 8;
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
function RevisionRange({ label, history, revision, go, drag }: RangeProps) {
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
      }}
    />
  );
}

/** Lists the revisions that the plot marks, with their messages. */
function LargestRevisions({ state, history, large }: TimeProps & { readonly large: readonly ChangedNodes[] }) {
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

interface FleetChangesProps extends TimeProps {
  readonly revision: number;
  /** The index of the selected revision, or -1. */
  readonly than: number;
  readonly compareWith: (revision: number) => void;
  readonly drag: (isDragging: boolean) => void;
}

function FleetChanges({ state, history, revision, than, compareWith, drag }: FleetChangesProps) {
  const { line, revisions } = history;
  const wanted = state.place.params.get('than') ?? '';
  const isFromStart = wanted === BEFORE_START;
  const other = than >= 0 || isFromStart ? than : (revisions[revision]?.parent ?? -1);
  const [first, last] = [Math.min(other, revision), Math.max(other, revision)];
  const { earlier, later, found } = useMemo(() => {
    // Both fleets must come from the history, because the node table of the head can omit different fields.
    const fleetAt = (index: number) => fleetOf(tableAt(history, index));
    const [earlier, later] = [fleetAt(first), fleetAt(last)];
    return { earlier, later, found: fleetDifference(earlier, later, classesBetween(history)) };
  }, [history, first, last]);
  const isHistoryStart = other < 0 && revisions[line[0] ?? -1]?.isCut === true;
  const options = line.toReversed().map((index) => {
    const { id = '', date = '' } = revisions[index] ?? {};
    return [String(index), `${dayOf(date)} ${shortRevision(id)}`] as const;
  });
  const chosen = classIn(state);
  const isShown = (classes: ClassSet | undefined) => isOfClass(chosen, classes);
  const [added, removed] = isShown(undefined) ? [found.added, found.removed] : [[], []];
  const changed = [...found.changed].filter(([, classes]) => isShown(classes));
  const byClasses = [...Map.groupBy(changed, ([, classes]) => classes)].sort(([, a], [, b]) => b.length - a.length);
  const numberOf = (name: string) =>
    (name === PRESENCE ? found.added.length + found.removed.length : 0) +
    [...found.changed.values()].filter((classes) => isOfClass(name, classes)).length;
  const nodes = (title: string, rows: readonly number[], fleet: Fleet, index: number) => {
    const at = atParam(state, revisions[index]?.id ?? '');
    return (
      <NodeList title={title} count={rows.length}>
        <NodeLinks
          state={state}
          fleet={fleet}
          rows={rows}
          most={MOST_NAMED}
          linkOf={(row) => linkWithin(state.place, fleet.pathOf(row), at)}
        />
      </NodeList>
    );
  };
  const compareLink = (row: number) =>
    linkWithin(state.place, 'compare', {
      ...atParam(state, revisions[last]?.id ?? ''),
      pick: later.table.uids[row],
      was: shortRevision(revisions[first]?.id ?? ''),
    });
  return (
    <section aria-labelledby="between">
      <h2 id="between">Compare with another revision</h2>
      <p class="slider">
        <Select
          label="Compare with"
          value={String(other)}
          options={[...options, ['-1', 'before the first revision']]}
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
      {wanted !== '' && than < 0 && !isFromStart ? (
        <Notice kind="info" title={`Revision ${visible(wanted)} is not available.`}>
          The list compares with the previous revision.
        </Notice>
      ) : null}
      {isHistoryStart ? (
        <LeftOut />
      ) : (
        <>
          <p class="choosers">
            <ClassChoice state={state} numberOf={numberOf} />
          </p>
          {nodes('Added', added, later, last)}
          {nodes('Removed', removed, earlier, first)}
          <NodeList title="Changed" count={changed.length} isOpen>
            <dl class="fields changes">
              {byClasses.map(([classes, some]) => (
                <div key={classes}>
                  <dt>
                    <Tags names={classNames(classes)} />
                  </dt>
                  <dd>
                    <NodeLinks
                      state={state}
                      fleet={later}
                      rows={some.map(([row]) => row)}
                      most={MOST_OF_CLASSES}
                      linkOf={compareLink}
                    />
                  </dd>
                </div>
              ))}
            </dl>
          </NodeList>
          {found.added.length + found.removed.length + found.changed.size === 0 ? (
            <p>No node differs.</p>
          ) : added.length + removed.length + changed.length === 0 ? (
            <Notice kind="info" title={NONE_OF_CLASS} />
          ) : null}
        </>
      )}
    </section>
  );
}

interface NodeListProps {
  readonly title: string;
  readonly count: number;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

function NodeList({ title, count, isOpen = count <= MOST_NAMED, children }: NodeListProps) {
  return count === 0 ? null : (
    <details class="class" open={isOpen}>
      <summary>
        {title} <span class="badge">{count}</span>
      </summary>
      {children}
    </details>
  );
}

const NONE_OF_CLASS = 'No changes of this class.';

function classIn({ place }: AppState): string {
  return place.params.get('class') ?? '';
}

interface ClassChoiceProps extends ViewProps {
  /** Returns the number of changes of a class. Classes without changes are not offered. */
  readonly numberOf: (name: string) => number;
}

function ClassChoice({ state, numberOf }: ClassChoiceProps) {
  const chosen = classIn(state);
  const options = CHANGE_CLASSES.flatMap((name) => {
    const number = numberOf(name);
    const text = name === PRESENCE ? 'added or removed' : name;
    return number > 0 || name === chosen ? [[name, `${text} (${plainNumber(number)})`] as const] : [];
  });
  return (
    <Select
      label="Changes"
      value={chosen}
      options={[['', 'all classes'], ...options]}
      choose={(name) => navigate('time', withParams(state.place.params, { class: name === '' ? undefined : name }))}
    />
  );
}

const MOST_GROUPS = 30;

/** The changes by month that the view shows. */
interface Months {
  readonly grouping: string;
  readonly changes: MonthlyChanges;
  /** Returns the text that the page shows for the name of a row. */
  readonly nameOf: (name: string) => string;
  /** Returns the space that the names need to the left of the plots. */
  readonly gutter: (width: number) => number;
}

function useMonths(state: AppState, history: FleetHistory, siteNames: SiteNames): Months {
  const { place } = state;
  const grouping = place.params.get('by') ?? 'site';
  const chosen = classIn(state);
  const changes = useMemo(
    () => monthlyChanges(history, grouping, (classes) => isOfClass(chosen, classes)),
    [history, grouping, chosen],
  );
  const nameOf = (name: string) => (grouping === 'site' ? siteNames(name) : visible(name)) || 'none';
  const names = changes.groups.slice(0, MOST_GROUPS).map(({ name }) => nameOf(name));
  return { grouping, changes, nameOf, gutter: (width) => gutterFor(names, width) };
}

function ChangesByMonth({ state, history, months }: TimeProps & { readonly months: Months }) {
  const { place } = state;
  const { grouping, changes, nameOf, gutter } = months;
  const numbers = useMemo(() => changesByClass(history), [history]);
  return (
    <section aria-labelledby="months">
      <h2 id="months">Changes over time</h2>
      <p class="choosers">
        <Select
          label="Rows"
          value={grouping}
          options={[...PLOTTED.map((name) => [name, fieldTitle(name)] as const), [EACH_NODE, 'Node']]}
          choose={(by) => navigate('time', withParams(place.params, { by }))}
        />
        <ClassChoice state={state} numberOf={(name) => numbers.get(name) ?? 0} />
      </p>
      {changes.groups.length === 0 ? (
        <Notice kind="info" title={NONE_OF_CLASS} />
      ) : (
        <>
          <HeatMap
            state={state}
            history={history}
            changes={changes}
            most={MOST_GROUPS}
            nameOf={nameOf}
            gutter={gutter}
          />
          <p class="absent">
            A node counts once for each revision that changed it. A click lists the changes of all nodes below.
            {changes.groups.length > MOST_GROUPS
              ? ` ${counted(changes.groups.length - MOST_GROUPS, 'row')} with fewer changes are not shown.`
              : ''}
          </p>
          <HeatTable state={state} history={history} changes={changes} most={MOST_GROUPS} nameOf={nameOf} />
        </>
      )}
    </section>
  );
}

/** The maximum number of nodes that are listed at first, in all and for each combination of classes. */
const MOST_NAMED = 60;
const MOST_OF_CLASSES = 20;
