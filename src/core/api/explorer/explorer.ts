/**
 * The explorer: a page that shows the registry, from whatever host or folder. What it consists of comes with the program;
 * here is what of it is about this registry: its title, and what it says to readers without scripts and to search engines.
 */
import { asText, type JsonObject, parsedObject } from '../../model/json.ts';
import { epochSeconds, isoTimestamp } from '../../model/revision.ts';
import { membersOf, type ResourceState } from '../../model/state.ts';
import { escapedHtml, printableJson } from '../../platform/text.ts';
import type { View } from '../item.ts';
import { NODE_FACETS_PATH, NODE_TABLE_PATH, NODES_PATH } from '../nodes/node-paths.ts';
import { type ExplorerFiles, idAt, type Publication, revisionAt } from '../publication.ts';
import { changesUrl } from '../urls.ts';
import { hasOfflineCopies } from './offline-copies.ts';

/** Whether there is a page: it is one of a registry that is there. */
export function hasExplorer({ explorer, current }: Publication): boolean {
  return explorer !== undefined && current !== null;
}

/** The page with its title, the text for readers without scripts, and what search engines read. */
export function renderPage(view: View, { page }: ExplorerFiles): string {
  const title = escapedHtml(`Nodes of ${gridName(view)}`);
  const data = [
    ...(hasOfflineCopies(view) ? ['<meta name="gridpress-data" content="data.js">'] : []),
    ...(view.publication.badges === 'none' ? [] : ['<meta name="gridpress-badges">']),
  ].join('\n');
  const parts = { title, data, text: textOf(view), dataset: datasetOf(view) };
  return page.replace(/\{\{(title|data|text|dataset)\}\}/g, (_, name: keyof typeof parts) => parts[name]);
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
