import { useMemo, useRef } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { type FleetHistory, historyOf, lineTo, revisionAt, revisionIndex } from '../data/history.ts';
import { versionsOf } from '../data/nodes.ts';
import { readSiteNames, type SiteNames } from '../data/sites.ts';
import { type ChangedNodes, largestRevisions } from '../fleet/change-counts.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { growthBy, PLOTTED } from '../fleet/growth.ts';
import { ChangesByMonth, useMonths } from '../parts/changes-by-month.tsx';
import { FleetChanges } from '../parts/fleet-changes.tsx';
import { GrowthLegend, GrowthPlot, GrowthTable, growthOf } from '../parts/growth-plot.tsx';
import { firstLine } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { type GoProps, HALF_THUMB, positionOf, RevisionRange } from '../parts/revision-range.tsx';
import { Select } from '../parts/select.tsx';
import { BEFORE_START } from '../parts/time-axis.tsx';
import { counted, dayOf, shortRevision, visible } from '../parts/value.tsx';
import { atParam } from '../state/at-param.ts';
import { adjust, fragmentOf, linkWithin, navigate, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { useSlowSteps } from '../state/use-slow-steps.ts';
import { useWidth } from '../state/use-width.ts';
import type { Params } from '../state/view-params.ts';

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
  const field = PLOTTED.find((name) => name === place.params.get('rows')) ?? PLOTTED[0];
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
  const slowSteps = useSlowSteps();
  const drag = (is: boolean) => {
    isDragging.current = is;
    if (!is) slowSteps.finish();
  };
  const show = (params: Params) => {
    if (isDragging.current) slowSteps.run(() => adjust('time', params));
    else navigate('time', params);
  };
  const go = (to: number) => {
    const id = revisions[line[to] ?? -1]?.id;
    if (id !== undefined) show(withParams(place.params, { at: atParam(registry.newest, id) }));
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
