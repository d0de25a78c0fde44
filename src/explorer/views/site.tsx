import { useMemo } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { historyOf, MOST_NODES_WITH_HISTORY } from '../data/history.ts';
import { versionsOf } from '../data/nodes.ts';
import { readSites, type Site } from '../data/sites.ts';
import { revisionsOfSite } from '../fleet/change-counts.ts';
import { parameterOf } from '../fleet/filters.ts';
import { spanOfSite } from '../fleet/growth.ts';
import { TYPE } from '../fleet/node-types.ts';
import { type ValueCount, valueCounts } from '../fleet/site-summaries.ts';
import { firstLine, ShortList } from '../parts/links.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { ShareBar } from '../parts/swatch.tsx';
import { counted, dayOf, plainNumber, shortRevision, valueText, visible } from '../parts/value.tsx';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { SiteLinks } from './sites.tsx';

/** Shows the location of a site, the nodes by type, GPU and rack, and the latest changes. */
export function SiteView({ state }: ViewProps) {
  const { reader, place } = state;
  const uid = place.path.split('/')[1] ?? '';
  const loaded = useLoaded('sites', () => readSites(reader));
  const site = loaded.kind === 'done' ? loaded.value.find((each) => each.uid === uid) : undefined;
  return (
    <>
      <nav aria-label="Breadcrumb">
        <ol class="crumbs">
          <li>
            <a href={linkWithin(place, 'sites')}>Sites</a>
          </li>
        </ol>
      </nav>
      <h1 tabIndex={-1}>{visible(site?.name ?? uid)}</h1>
      <Read of={loaded}>{() => <Contents state={state} uid={uid} site={site} />}</Read>
    </>
  );
}

interface ContentsProps extends ViewProps {
  readonly uid: string;
  /** Undefined if the site was removed. */
  readonly site: Site | undefined;
}

const RACK = 'placement.rack';
const LISTED = [
  { field: TYPE, title: 'Node types' },
  { field: 'label.gpu', title: 'GPUs' },
  { field: RACK, title: 'Racks' },
];

function Contents({ state, uid, site }: ContentsProps) {
  const { fleet, place } = state;
  const rows = useMemo(
    () => [...fleet.table.uids.keys()].filter((row) => fleet.placeOf(row).site === uid),
    [fleet, uid],
  );
  if (!site && rows.length === 0) {
    return <PastSite state={state} uid={uid} />;
  }
  return (
    <>
      {site ? (
        <>
          <p class="lead">
            {[site.location, site.siteClass]
              .filter((each) => each !== '')
              .map(visible)
              .join(' · ')}
          </p>
          <div class="under inline">
            <code>{visible(uid)}</code> <SiteLinks state={state} site={site} />
          </div>
        </>
      ) : null}
      <p class="buttons">
        {rows.length === 0 ? (
          'The site has no nodes at this revision.'
        ) : (
          <a class="button" href={linkWithin(place, 'nodes', { site: uid })}>
            {counted(rows.length, 'node')}
          </a>
        )}
      </p>
      {LISTED.map(({ field, title }) => (
        <Values
          key={field}
          state={state}
          site={uid}
          field={field}
          title={title}
          values={valueCounts(fleet, field, rows)}
        />
      ))}
      <SiteChanges state={state} uid={uid} />
    </>
  );
}

/** Explains that a site has no nodes at this revision. If it has nodes at another revision, links to its last state. */
function PastSite({ state: { reader, registry, place }, uid }: ViewProps & { readonly uid: string }) {
  const loaded = useLoaded('history', () => historyOf(reader, registry));
  const history = loaded.kind === 'done' ? loaded.value : undefined;
  const span = useMemo(() => history && spanOfSite(history, uid), [history, uid]);
  if (loaded.kind === 'loading') return <Loading />;
  if (!history || !span) return <Notice kind="info" title={`There is no site ${visible(uid)} at this revision.`} />;
  const dayAt = (revision: number) => dayOf(history.revisions[revision]?.date ?? '');
  const at = shortRevision(history.revisions[span.last]?.id ?? '');
  return (
    <Notice kind="info" title={`The site ${visible(uid)} does not exist at this revision.`}>
      It had nodes from {dayAt(span.first)} to {dayAt(span.last)}.{' '}
      <a href={linkWithin(place, place.path, { at })}>Show its last state</a> ·{' '}
      <a href={linkWithin(place, 'sites')}>All sites</a>
    </Notice>
  );
}

interface ValuesProps extends ViewProps {
  readonly site: string;
  readonly field: string;
  readonly title: string;
  readonly values: readonly ValueCount[];
}

const MOST_VALUES = 30;

function Values({ state: { place }, site, field, title, values }: ValuesProps) {
  if (values.length === 0) return null;
  return (
    <>
      <h2>
        {title} <span class="badge">{values.length}</span>
      </h2>
      {field === RACK ? null : <ShareBar shares={values} colorIndex={0} />}
      <ShortList
        items={values}
        most={MOST_VALUES}
        show={({ text, nodes }) => (
          <li key={text}>
            <a href={linkWithin(place, 'nodes', { site, [parameterOf(field)]: text })}>
              {field === RACK ? `Rack ${visible(text)}` : valueText(text, field)}
            </a>{' '}
            <span class="absent">{plainNumber(nodes)}</span>
          </li>
        )}
      />
    </>
  );
}

const MOST_REVISIONS = 6;

function SiteChanges({ state: { reader, registry, place }, uid }: ViewProps & { readonly uid: string }) {
  const loaded = useLoaded(`changes of ${uid}`, async () => {
    const history = registry.table.total > MOST_NODES_WITH_HISTORY ? undefined : await historyOf(reader, registry);
    const messages = history ? ((await versionsOf(reader, '')) ?? []) : [];
    return { history, messages: new Map(messages.map(({ id, message }) => [id, message])) };
  });
  return (
    <>
      <h2>Latest changes of nodes</h2>
      <p>
        <a href={linkWithin(place, 'changes', { site: uid })}>All changes of the site</a>
      </p>
      <Read of={loaded}>
        {({ history, messages }) => (
          <ol class="revisions">
            {(history ? revisionsOfSite(history, uid) : [])
              .map(({ revision, nodes }) => ({ ...(history?.revisions[revision] ?? { id: '', date: '' }), nodes }))
              .filter(({ date }) => date <= registry.date)
              .slice(0, MOST_REVISIONS)
              .map(({ id, date, nodes }) => (
                <li key={id}>
                  <p>
                    <time dateTime={date}>{dayOf(date)}</time>{' '}
                    <span class="what">
                      <a href={linkWithin(place, `versions/${id}`)}>
                        {firstLine(messages.get(id) ?? '') || shortRevision(id)}
                      </a>
                    </span>{' '}
                    <span class="absent">{counted(nodes, 'node')}</span>
                  </p>
                </li>
              ))}
          </ol>
        )}
      </Read>
    </>
  );
}
