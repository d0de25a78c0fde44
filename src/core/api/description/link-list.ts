/** Renders the API catalogue and the list at `/links`, because the API contract allows no new links in the root. */

import { plural } from '../../diagnostics/words.ts';
import { markdownText } from '../../exports/text-table.ts';
import { CONFORMANCE_CLASSES } from '../../query/conformance.ts';
import { JSON_MEDIA_TYPE, toItem } from '../dialect.ts';
import type { Form } from '../endpoints.ts';
import { EXPLORER_PATHS } from '../explorer/explorer-paths.ts';
import { DATA_PACKAGE_PATH } from '../exports/export-urls.ts';
import type { View } from '../item.ts';
import {
  NODE_FACETS_PATH,
  NODE_GROUPS_PATH,
  NODE_HISTORY_PATH,
  NODE_SEARCH_PATH,
  NODE_TABLE_PATH,
  NODES_PATH,
} from '../nodes/node-paths.ts';
import { documentEnd, gridName, hasDeepResponses, historySince, type Publication } from '../publication.ts';
import type { RawForm } from '../raw-forms.ts';
import { changesUrl, DEEP, deepUrl, resourceUrl, SNAPSHOTS_PATH } from '../urls.ts';
import { CATALOG_PATH, CONFORMANCE_PATH, LINKS_PATH, OPENAPI_PATH, REFERENCE_PATH } from './description-paths.ts';

export const LINK_LIST = [
  { rel: 'service-desc', href: OPENAPI_PATH, form: 'item' },
  { rel: 'service-doc', href: REFERENCE_PATH, form: 'html' },
  { rel: 'conformance', href: CONFORMANCE_PATH, form: 'item' },
  { rel: 'monitor', href: changesUrl(''), form: 'collection' },
  { rel: 'snapshots', href: SNAPSHOTS_PATH, form: 'collection' },
  { rel: 'nodes', href: NODES_PATH, form: 'collection' },
  { rel: 'search', href: NODE_SEARCH_PATH, form: 'collection' },
  { rel: 'node-table', href: NODE_TABLE_PATH, form: 'item' },
  { rel: 'node-history', href: NODE_HISTORY_PATH, form: 'item' },
  { rel: 'node-facets', href: NODE_FACETS_PATH, form: 'item' },
  { rel: 'node-groups', href: NODE_GROUPS_PATH, form: 'collection' },
] as const satisfies readonly { readonly rel: string; readonly href: string; readonly form: Form | RawForm }[];

export const DEEP_LINK = { rel: DEEP, href: deepUrl(''), form: 'item' } as const;
export const EXPORTS_LINK = { rel: 'exports', href: DATA_PACKAGE_PATH, form: 'item' } as const;
export const CATALOG_LINK = { rel: 'api-catalog', href: CATALOG_PATH, form: 'catalog' } as const;

export function renderLinkList({ publication, index }: View): string {
  const links = [
    toItem('self', LINKS_PATH),
    toItem('parent', resourceUrl('')),
    ...LINK_LIST,
    ...(hasDeepResponses(publication.deep, false) ? [DEEP_LINK] : []),
    ...(publication.hasExports ? [EXPORTS_LINK] : []),
    ...(publication.basePath === '' ? [CATALOG_LINK] : []),
  ];
  const since = historySince(publication);
  const bound = since === undefined ? '' : `,"history_since":"${since}"`;
  return `{"type":"links","uid":"links"${bound}${documentEnd(publication, index, links)}`;
}

export function renderConformance({ publication, index }: View): string {
  const links = [toItem('self', CONFORMANCE_PATH), toItem('parent', resourceUrl(''))];
  const classes = JSON.stringify(CONFORMANCE_CLASSES);
  return `{"type":"conformance","uid":"conformance","conformsTo":${classes}${documentEnd(publication, index, links)}`;
}

/** Returns the API catalogue of the host (RFC 9727) as a linkset (RFC 9264). All links are relative to the host. */
export function renderCatalog({ dialect, explorer }: Publication): string {
  const root = resourceUrl('');
  const json = dialect.mediaType('item').split(';')[0];
  const page = 'text/html';
  const linkset = [
    { anchor: CATALOG_PATH, item: [{ href: root, type: json }] },
    {
      anchor: root,
      'service-desc': [{ href: `${OPENAPI_PATH}.json`, type: JSON_MEDIA_TYPE }],
      'service-doc': [{ href: REFERENCE_PATH, type: page }],
      describedby: [{ href: `${LINKS_PATH}.json`, type: JSON_MEDIA_TYPE }],
      monitor: [{ href: changesUrl('') }],
      ...(explorer ? { alternate: [{ href: EXPLORER_PATHS.page, type: page, title: 'Explorer' }] } : {}),
    },
  ];
  return JSON.stringify({ linkset });
}

/** Lists the main documents for language models (https://llmstxt.org). Without a base URL, the list contains paths. */
export function renderLlms({ publication }: View): string {
  const { baseUrl, hasExports, explorer, nodes } = publication;
  const link = (name: string, path: string, does: string) => `- [${name}](${baseUrl}${path}): ${does}\n`;
  return `# ${markdownText(gridName(publication))}: hardware inventory of a testbed

> A read-only JSON API with ${plural(nodes().table.total, 'node')}: their hardware, and the history of its changes. Every document has \`links\`, and \`version\`, the revision that it shows.

Sizes are in bytes, rates in bits per second, frequencies in hertz.

## Nodes

${link('All nodes as columns', `${NODE_TABLE_PATH}.json`, 'one request, the smallest form')}${link('Fields', `${NODE_FACETS_PATH}.json`, 'names, units, counts and frequent values of all fields')}${link('Groups', `${NODE_GROUPS_PATH}.json`, 'nodes by type and GPU')}${link('Sites', `${resourceUrl('sites')}.json`, 'sites, clusters and nodes, by links')}
## History

${link('Changes', `${changesUrl('')}.json`, 'newest first, with links to both values of each field')}${link('Nodes over time', `${NODE_HISTORY_PATH}.json`, 'the table of nodes at every revision')}
## More

${link('OpenAPI', `${OPENAPI_PATH}.json`, 'all paths and schemas')}${hasExports ? link('Exports', `${DATA_PACKAGE_PATH}.json`, 'CSV, NDJSON and hardware tables') : ''}${explorer ? link('Explorer', EXPLORER_PATHS.page, 'the page for people') : ''}
The command \`gridpress find QUERY --from URL\` queries the nodes. \`gridpress mcp --from URL\` is a server of the Model Context Protocol.
`;
}
