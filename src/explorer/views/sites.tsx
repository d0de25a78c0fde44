import { feedUrl, resourceUrl } from '../../core/api/urls.ts';
import { byNaturalOrder } from '../../core/model/json.ts';
import type { AppState, ViewProps } from '../app-state.ts';
import { readSites, type Site } from '../data/sites.ts';
import { type SiteSummary, siteSummaries } from '../fleet/site-summaries.ts';
import { ValueLinks } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { SiteMap } from '../parts/site-map.tsx';
import { Table } from '../parts/table.tsx';
import { visible } from '../parts/value.tsx';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

const MOST_TYPES = 4;

export function Sites({ state }: ViewProps) {
  const loaded = useLoaded('sites', () => readSites(state.reader));
  return (
    <>
      <h1 tabIndex={-1}>Sites</h1>
      <Read of={loaded}>{(sites) => <SiteTable state={state} sites={sites} />}</Read>
    </>
  );
}

function SiteTable({ state, sites }: ViewProps & { readonly sites: readonly Site[] }) {
  if (sites.length === 0) return <Notice kind="info" title="The registry has no sites." />;
  const summaries = new Map(siteSummaries(state.fleet).map((summary) => [summary.site, summary]));
  return (
    <>
      <SiteMap state={state} sites={sites} nodesOf={(site) => summaries.get(site)?.rows.length ?? 0} />
      <Table
        kind="sites cards"
        label="Table of sites"
        heads={['Site', 'Location', 'Class', 'Nodes', 'Main types', 'Links']}
        numbers={[3]}
      >
        {sites
          .toSorted((a, b) => byNaturalOrder(a.name, b.name))
          .map((site) => {
            const summary = summaries.get(site.uid);
            return (
              <tr key={site.uid}>
                <th scope="row" data-title="Site">
                  <a href={linkWithin(state.place, `sites/${site.uid}`)}>{visible(site.name)}</a>{' '}
                  {site.name === site.uid ? null : <code>{site.uid}</code>}
                </th>
                <td data-title="Location">{visible(site.location) || <span class="absent">–</span>}</td>
                <td data-title="Class">{visible(site.siteClass) || <span class="absent">–</span>}</td>
                <td data-title="Nodes" class="number">
                  {summary ? (
                    <a href={linkWithin(state.place, 'nodes', { site: site.uid })}>{summary.rows.length}</a>
                  ) : (
                    <span class="absent">none</span>
                  )}
                </td>
                <td data-title="Main types">
                  <CommonTypes state={state} site={site.uid} types={summary?.types ?? []} />
                </td>
                <td data-title="Links">
                  <SiteLinks state={state} site={site} />
                </td>
              </tr>
            );
          })}
      </Table>
    </>
  );
}

type CommonTypesProps = ViewProps & Pick<SiteSummary, 'site' | 'types'>;

function CommonTypes({ state: { place }, site, types }: CommonTypesProps) {
  if (types.length === 0) return <span class="absent">–</span>;
  const links = types
    .slice(0, MOST_TYPES)
    .map(({ text, nodes }) => ({
      nodes,
      text: visible(text),
      href: linkWithin(place, 'nodes', { site, node_type: text }),
    }));
  return <ValueLinks values={links} />;
}

interface SiteLinksProps {
  readonly state: AppState;
  readonly site: Site;
}

export function SiteLinks({ state: { reader }, site: { uid, web } }: SiteLinksProps) {
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
