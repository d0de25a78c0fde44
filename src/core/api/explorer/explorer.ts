/**
 * Renders the page of the explorer. The package contains the page with placeholders for the title, a text without
 * scripts and metadata. This module replaces the placeholders.
 */
import { asText, type JsonObject, parsedObject } from '../../model/json.ts';
import { epochSeconds, isoTimestamp } from '../../model/revision.ts';
import { membersOf, type ResourceState } from '../../model/state.ts';
import { escapedHtml, printableJson } from '../../platform/text.ts';
import type { View } from '../item.ts';
import { NODE_FACETS_PATH, NODE_TABLE_PATH, NODES_PATH } from '../nodes/node-paths.ts';
import { type ExplorerFiles, gridBody, idAt, type Publication, revisionAt } from '../publication.ts';
import { changesUrl } from '../urls.ts';
import { hasOfflineCopies } from './offline-copies.ts';

export function hasExplorer({ explorer, current }: Publication): boolean {
  return explorer !== undefined && current !== null;
}

export function renderPage(view: View, { page }: ExplorerFiles): string {
  const title = escapedHtml(`Nodes of ${gridName(view.publication)}`);
  const data = [
    ...(hasOfflineCopies(view) ? ['<meta name="gridpress-data" content="data.js">'] : []),
    ...(view.publication.badges === 'none' ? [] : ['<meta name="gridpress-badges">']),
  ].join('\n');
  const parts = { title, data, text: textOf(view), dataset: datasetOf(view) };
  return page.replace(/\{\{(title|data|text|dataset)\}\}/g, (_, name: keyof typeof parts) => parts[name]);
}

function gridName(publication: Publication): string {
  const { name, uid } = gridBody(publication) ?? {};
  return typeof name === 'string' && name !== '' ? name : asText(uid ?? '');
}

function bodyOf({ publication }: View, { body }: ResourceState): JsonObject | undefined {
  return parsedObject(publication.store.get(body.handle));
}

/**
 * Returns the text for readers without scripts. It lists the sites with their node counts, and the documents for
 * programs.
 */
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

function datasetOf(view: View): string {
  const { publication, index } = view;
  const name = gridName(publication);
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
  // Escapes "<", which could end the script element.
  return printableJson(JSON.stringify(dataset)).replaceAll('<', '\\u003c');
}
