import { useEffect, useMemo } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import {
  type FleetHistory,
  historyOf,
  idsUntil,
  MOST_NODES_WITH_HISTORY,
  revisionAt,
  revisionIndex,
} from '../data/history.ts';
import { newestRevisions, versionsOf } from '../data/nodes.ts';
import { readSites, type Site } from '../data/sites.ts';
import { growthBy } from '../fleet/growth.ts';
import { type SiteSummary, siteSummaries } from '../fleet/site-summaries.ts';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { GrowthLegend, GrowthPlot, growthOf } from './growth-plot.tsx';
import { firstLine, Tags } from './links.tsx';
import { Loading } from './notice.tsx';
import { Read } from './read.tsx';
import { layerOf, ShareBar, Swatch } from './swatch.tsx';
import { counted, dayOf, plainNumber, visible } from './value.tsx';

interface RegistrySummaryProps extends ViewProps {
  /** Receives the author of the shown revision, after ` by `. */
  readonly setAuthor: (author: string) => void;
}

export function RegistrySummary({ state, setAuthor }: RegistrySummaryProps) {
  const { reader, registry, fleet } = state;
  const hasPlot = registry.table.total <= MOST_NODES_WITH_HISTORY;
  const sites = useLoaded('sites', () => readSites(reader));
  const history = useLoaded('history', async () => (hasPlot ? historyOf(reader, registry) : undefined));
  const summaries = useMemo(() => siteSummaries(fleet), [fleet]);
  const steps = useMemo(() => history.kind === 'done' && history.value && growthBy(history.value, 'site'), [history]);
  if (sites.kind !== 'done') return <Read of={sites}>{() => null}</Read>;
  const nameOf = (uid: string) => visible(sites.value.find((site) => site.uid === uid)?.name ?? uid);
  const growth = steps ? growthOf('site', steps, nameOf) : undefined;
  const revision = history.kind === 'done' && history.value ? revisionIndex(history.value, registry.version) : -1;
  const shownStep = growth?.steps.findLast((step) => step.revision <= revision);
  const order = growth?.shown ?? summaries.map(({ site }) => site);
  return (
    <>
      {hasPlot ? (
        <section class="over-time">
          <h2>Nodes over time</h2>
          {history.kind === 'done' && history.value && growth ? (
            <>
              <GrowthPlot history={history.value} growth={growth} revision={revision} height={220} />
              <GrowthLegend state={state} growth={growth} counts={shownStep?.counts ?? new Map()} />
            </>
          ) : history.kind === 'loading' ? (
            <Loading />
          ) : (
            <p class="absent">The history of all nodes is not available.</p>
          )}
          {history.kind === 'loading' ? null : (
            <div class="inline">
              <a href={linkWithin(state.place, 'time')}>By type, GPU and CPU, and what changed between two dates</a>
              {history.kind === 'done' && history.value ? (
                <ChangesOfMonth state={state} history={history.value} />
              ) : null}
            </div>
          )}
        </section>
      ) : null}
      <h2>Sites</h2>
      <ul class="tiles">
        {summaries.map((summary) => (
          <SiteTile
            key={summary.site}
            state={state}
            summary={summary}
            about={sites.value.find(({ uid }) => uid === summary.site)}
            colorIndex={layerOf(order.indexOf(summary.site))}
          />
        ))}
      </ul>
      <SitesWithoutNodes
        state={state}
        sites={sites.value.filter(({ uid }) => !summaries.some(({ site }) => site === uid))}
      />
      {history.kind === 'loading' ? (
        <Loading />
      ) : (
        <LatestChanges
          state={state}
          setAuthor={setAuthor}
          ids={history.kind === 'done' && history.value ? idsUntil(history.value, registry.version) : undefined}
        />
      )}
    </>
  );
}

/** Links to the changes of the month of the shown revision. Shows nothing if the history begins in this month. */
function ChangesOfMonth({ state: { place, registry }, history }: ViewProps & { readonly history: FleetHistory }) {
  if (registry.date === '') return null;
  const before = new Date(registry.date);
  // Day 0 is the last day of the previous month.
  before.setUTCDate(0);
  const than = before.toISOString().slice(0, MONTH_LENGTH);
  if (revisionAt(history, than) < 0) return null;
  return <a href={linkWithin(place, 'time', { than })}>What changed in {registry.date.slice(0, MONTH_LENGTH)}</a>;
}

const MONTH_LENGTH = '2026-03'.length;
const MOST_TYPES = 3;

interface SiteTileProps extends ViewProps {
  readonly summary: SiteSummary;
  readonly about: Site | undefined;
  /** The index of the site's colour. */
  readonly colorIndex: number;
}

function SiteTile({ state, summary: { site, rows, withGpu, types }, about, colorIndex }: SiteTileProps) {
  const named = types.slice(0, MOST_TYPES);
  const others = types.slice(MOST_TYPES);
  const rest = others.reduce((sum, { nodes }) => sum + nodes, 0);
  const othersText = counted(others.length, 'other type');
  const link = (path: string, params = {}) => linkWithin(state.place, path, params);
  return (
    <li>
      <a class="name" href={link(`sites/${site}`)}>
        {visible(about?.name ?? site)}
      </a>
      <p class="absent">{visible(about?.location || site)}</p>
      <p>
        <a href={link('nodes', { site })}>
          <Swatch colorIndex={colorIndex} /> <b>{counted(rows.length, 'node')}</b>
        </a>{' '}
        {withGpu === 0 ? null : <small>{plainNumber(withGpu)} with GPUs</small>}
      </p>
      <ShareBar shares={rest > 0 ? [...named, { text: othersText, nodes: rest }] : named} colorIndex={colorIndex} />
      <ul class="rows">
        {named.map(({ text, nodes }) => (
          <li key={text}>
            <a href={link('nodes', { site, node_type: text })} title={visible(text)}>
              {visible(text)}
            </a>{' '}
            <span class="absent">{plainNumber(nodes)}</span>
          </li>
        ))}
        {rest > 0 ? (
          <li class="absent">
            <span>{othersText}</span> <span>{plainNumber(rest)}</span>
          </li>
        ) : null}
      </ul>
    </li>
  );
}

function SitesWithoutNodes({ state, sites }: ViewProps & { readonly sites: readonly Site[] }) {
  if (sites.length === 0) return null;
  return (
    <p class="absent">
      Without nodes:{' '}
      {sites.map(({ uid, name }, i) => (
        <>
          {i > 0 ? ', ' : ''}
          <a href={linkWithin(state.place, `sites/${uid}`)}>{visible(name)}</a>
        </>
      ))}
    </p>
  );
}

const MOST_REVISIONS = 6;

interface LatestChangesProps extends RegistrySummaryProps {
  /** The first-parent line of the shown revision. Undefined if the explorer does not load the history. */
  readonly ids: ReadonlySet<string> | undefined;
}

/** Lists a merge instead of the revisions of the merged branch, because the merge includes their changes. */
function LatestChanges({ state: { place, reader, registry }, setAuthor, ids }: LatestChangesProps) {
  const isNewest = registry.version === registry.newest;
  const loaded = useLoaded(`revisions ${isNewest}`, async () =>
    isNewest ? newestRevisions(reader) : ((await versionsOf(reader, '')) ?? []),
  );
  const shown = loaded.kind === 'done' ? loaded.value.find(({ id }) => id === registry.version) : undefined;
  useEffect(() => setAuthor(shown ? ` by ${visible(shown.author)}` : ''), [shown]);
  return (
    <>
      <h2>Latest changes</h2>
      <Read of={loaded}>
        {(revisions) => (
          <ol class="revisions">
            {revisions
              .filter(({ id, date, resources }) => resources > 0 && (ids ? ids.has(id) : date <= registry.date))
              .slice(0, MOST_REVISIONS)
              .map(({ id, date, author, message, classes, resources }) => (
                <li key={id}>
                  <p>
                    <time dateTime={date}>{dayOf(date)}</time>{' '}
                    <span class="what">
                      <a href={linkWithin(place, `versions/${id}`)}>{firstLine(message) || 'Revision'}</a>{' '}
                      <Tags names={classes} />
                    </span>{' '}
                    <span class="absent">
                      {visible(author)}, {counted(resources, 'change')}
                    </span>
                  </p>
                </li>
              ))}
          </ol>
        )}
      </Read>
    </>
  );
}
