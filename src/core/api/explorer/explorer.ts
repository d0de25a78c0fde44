/**
 * The explorer: a page that shows the registry, from whatever host or folder. What it consists of comes with the program;
 * here is what of it is about this registry: its title, what it says to readers without scripts and to search engines,
 * and its data, for where it can read no documents.
 */
import { asText, type JsonObject, parsedObject } from '../../model/json.ts';
import { kindNamed } from '../../model/kinds.ts';
import { collectionOf, gridOf, itemOf } from '../../model/resource-path.ts';
import { epochSeconds, isoTimestamp } from '../../model/revision.ts';
import { membersOf, type ResourceState } from '../../model/state.ts';
import { escapedHtml } from '../../platform/html.ts';
import { printableJson } from '../../platform/steering.ts';
import type { NodeHistory } from '../../table/node-history.ts';
import { renderCollection } from '../collection.ts';
import { renderItem, type View } from '../item.ts';
import { hasRowPages, renderNodeFacets, renderNodeTable } from '../nodes/node-columns.ts';
import { NODE_FACETS_PATH, NODE_TABLE_PATH, NODES_PATH } from '../nodes/node-paths.ts';
import { type ExplorerFiles, idAt, revisionAt } from '../publication.ts';
import { changesUrl, resourceUrl } from '../urls.ts';
import { EXPLORER_PATHS } from './explorer-paths.ts';

/** Up to how many nodes the page has its data beside it. */
const MOST_TWINNED_NODES = 20_000;

export function hasTwins({ publication }: View): boolean {
  return publication.nodes().table.total <= MOST_TWINNED_NODES && !hasRowPages(publication);
}

/** The page with its title, the text for readers without scripts, and what search engines read. */
export function renderPage(view: View, { page }: ExplorerFiles): string {
  const title = escapedHtml(`Nodes of ${gridName(view)}`);
  const data = [
    ...(hasTwins(view) ? ['<meta name="gridpress-data" content="data.js">'] : []),
    ...(view.publication.badges === 'none' ? [] : ['<meta name="gridpress-badges">']),
  ].join('\n');
  const parts = { title, data, text: textOf(view), dataset: datasetOf(view) };
  return page.replace(/\{\{(title|data|text|dataset)\}\}/g, (_, name: keyof typeof parts) => parts[name]);
}

/** The documents that the page cannot be without, as a script: from a folder browsers read nothing else. */
export function renderTwins(view: View, { since }: NodeHistory): string {
  const documents = [
    [resourceUrl(''), gridText(view)],
    [resourceUrl('sites'), sitesText(view)],
    [NODE_TABLE_PATH, renderNodeTable(view)],
    [NODE_FACETS_PATH, renderNodeFacets(view, since)],
  ] as const;
  const members = documents.map(([path, text]) => `${JSON.stringify(path)}:${asScript(text)}`);
  return `/* ${EXPLORER_PATHS.data}: what the page shows, for where it can read no documents. */\ngridpress.part("data",()=>({${members.join(',\n')}}));\n`;
}

/** JSON as a script says it, where a plain `__proto__` would be what an object inherits from instead of a field. */
function asScript(json: string): string {
  return printableJson(json).replace(/(?<=[{,])"__proto__":/g, '["__proto__"]:');
}

function gridText(view: View): string {
  return view.state ? renderItem(view, gridOf(view.publication.history.kinds), view.state) : '{}';
}

function sitesText(view: View): string {
  const { kinds } = view.publication.history;
  const sites = collectionOf(gridOf(kinds), kindNamed('site', kinds));
  const items = view.state ? [...membersOf(view.state, sites.path).entries()] : [];
  return renderCollection(
    view,
    sites,
    items.map(([uid, site]) => renderItem(view, itemOf(sites, uid), site)),
  );
}

function gridName(view: View): string {
  const { name, uid } = (view.state && bodyOf(view, view.state)) ?? {};
  return typeof name === 'string' && name !== '' ? name : asText(uid ?? '');
}

function bodyOf({ publication }: View, { body }: ResourceState): JsonObject | undefined {
  return parsedObject(publication.store.get(body.handle));
}

/** What there is, in words and links: each site with its nodes, and the documents for programs. */
function textOf(view: View): string {
  const { table } = view.publication.nodes();
  const counts = new Map<string, number>();
  for (const { site, nodes } of table.clusters) counts.set(site, (counts.get(site) ?? 0) + nodes);
  const sites = siteBodies(view).map(({ uid, name, location }) => {
    const where = typeof location === 'string' ? `, ${location}` : '';
    const nodes = counts.get(asText(uid)) ?? 0;
    return `<li><a href="../sites/${escapedHtml(encodeURIComponent(asText(uid)))}.json">${escapedHtml(`${asText(name ?? uid)}${where}`)}</a>: ${nodes} nodes</li>`;
  });
  return [
    `<p>${table.total} nodes at ${sites.length} sites. This page shows them by a script, which does not run here; these are the documents that it reads:</p>`,
    `<ul>${sites.join('')}</ul>`,
    `<ul>${DOCUMENTS.map(([path, words]) => `<li><a href="..${path}.json">${words}</a></li>`).join('')}</ul>`,
  ].join('\n');
}

const DOCUMENTS = [
  [NODES_PATH, 'All nodes, in pages'],
  [NODE_TABLE_PATH, 'All nodes as a table in columns'],
  [NODE_FACETS_PATH, 'What stands in their fields'],
  [changesUrl(''), 'What changed'],
] as const;

function siteBodies(view: View): JsonObject[] {
  if (!view.state) return [];
  const sites = [...membersOf(view.state, 'sites').entries()];
  return sites.map(([, site]) => bodyOf(view, site)).filter((body) => body !== undefined);
}

/** https://schema.org/Dataset */
function datasetOf(view: View): string {
  const { publication, index } = view;
  const name = gridName(view);
  const dataset = {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    name: `Registry of the testbed ${name}`,
    description: `The hardware of the nodes of ${name}, and how it changed.`,
    version: idAt(publication, index),
    dateModified: isoTimestamp(epochSeconds(revisionAt(publication, index).date)),
    isAccessibleForFree: true,
    spatialCoverage: siteBodies(view).map(({ name, uid }) => asText(name ?? uid)),
    distribution: {
      '@type': 'DataDownload',
      encodingFormat: 'application/json',
      contentUrl: `..${NODE_TABLE_PATH}.json`,
    },
  };
  // Within a script element, "<" could end it.
  return printableJson(JSON.stringify(dataset)).replaceAll('<', '\\u003c');
}
