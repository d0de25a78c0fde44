/** The sites: a table, and where they are. */
import { feedUrl, resourceUrl } from '../../core/api/urls.ts';
import type { AppState } from '../app-state.ts';
import { readSites, type Site } from '../data/sites.ts';
import { facetColumn } from '../fleet/facet-columns.ts';
import { visible } from '../format/values.ts';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { SiteMap } from '../parts/site-map.tsx';
import { Table } from '../parts/table.tsx';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

const MOST_TYPES = 4;

export function Sites({ state }: { state: AppState }) {
  const { reader, place } = state;
  const loaded = useLoaded('sites', () => readSites(reader));
  const named = place.path.split('/')[1];
  return (
    <>
      <h1 tabIndex={-1}>Sites</h1>
      <Read of={loaded}>{(sites) => <SiteTable state={state} sites={sites} named={named} />}</Read>
    </>
  );
}

function SiteTable({ state, sites, named }: { state: AppState; sites: readonly Site[]; named: string | undefined }) {
  if (sites.length === 0) return <Notice kind="info" title="This registry has no sites." />;
  const nodes = new Map<string, number>();
  for (const { site, nodes: count } of state.fleet.table.clusters) nodes.set(site, (nodes.get(site) ?? 0) + count);
  const isUnknown = named !== undefined && !sites.some(({ uid }) => uid === named);
  return (
    <>
      {isUnknown ? <Notice kind="info" title={`There is no site ${visible(named)} at this revision.`} /> : null}
      <SiteMap sites={sites} named={named} />
      <Table
        kind="sites cards"
        label="Table of sites"
        heads={['Site', 'Where', 'Class', 'Nodes', 'Most of them', 'More']}
      >
        {sites.map((site) => (
          <tr key={site.uid} class={site.uid === named ? 'picked' : undefined}>
            <th scope="row" data-title="Site">
              {visible(site.name)} {site.name === site.uid ? null : <code>{site.uid}</code>}
            </th>
            <td data-title="Where">{visible(site.location) || <span class="absent">–</span>}</td>
            <td data-title="Class">{site.siteClass || <span class="absent">–</span>}</td>
            <td data-title="Nodes">
              <NodeCount state={state} site={site.uid} count={nodes.get(site.uid) ?? 0} />
            </td>
            <td data-title="Most of them">
              <CommonTypes state={state} site={site.uid} />
            </td>
            <td data-title="More">
              <SiteLinks state={state} site={site} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function NodeCount({ state, site, count }: { state: AppState; site: string; count: number }) {
  if (count === 0) return <span class="absent">none</span>;
  return <a href={linkWithin(state.place, 'nodes', { site })}>{count}</a>;
}

function CommonTypes({ state, site }: { state: AppState; site: string }) {
  const { texts, rows, held } = facetColumn(state.fleet, 'node_type');
  const counts = new Map<string, number>();
  for (let row = 0; row < state.fleet.table.total; row++) {
    if (state.fleet.placeOf(row).site !== site) continue;
    for (const place of held[rows[row] ?? -1] ?? []) {
      const type = texts[place] ?? '';
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  const common = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_TYPES);
  if (common.length === 0) return <span class="absent">–</span>;
  return (
    <ul class="inline">
      {common.map(([type, count]) => (
        <li key={type}>
          <a href={linkWithin(state.place, 'nodes', { site, node_type: type })}>{visible(type)}</a>{' '}
          <span class="absent">{count}</span>
        </li>
      ))}
    </ul>
  );
}

function SiteLinks({ state, site: { uid, web } }: { state: AppState; site: Site }) {
  const { reader } = state;
  return (
    <ul class="inline">
      <li>
        <a href={reader.urlOf(resourceUrl(`sites/${uid}`))}>JSON</a>
      </li>
      <li>
        <a href={reader.urlOf(feedUrl(`sites/${uid}`))}>Feed</a>
      </li>
      {/^https?:\/\//.test(web) ? (
        <li>
          <a href={web} rel="noreferrer">
            Web
          </a>
        </li>
      ) : null}
    </ul>
  );
}
