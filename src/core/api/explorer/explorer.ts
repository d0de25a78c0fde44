/** Replaces the placeholders for title, text and metadata in the packaged page. */
import { asText } from '../../model/json.ts';
import { escapedHtml } from '../../platform/text.ts';
import { hardwareUrl, nodeExportUrl } from '../exports/export-urls.ts';
import type { View } from '../item.ts';
import { exceedsMaxNodes } from '../nodes/node-columns.ts';
import { NODE_FACETS_PATH, NODE_TABLE_PATH, NODES_PATH } from '../nodes/node-paths.ts';
import { type ExplorerFiles, gridName, type Publication } from '../publication.ts';
import { changesUrl } from '../urls.ts';
import { landingElements, renderDataset, siteBodies } from './dataset.ts';
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
  const parts = {
    title,
    data,
    text: textOf(view),
    links: [landingElements(view), ...view.publication.explorerLinks.map(relatedElement)].join('\n'),
    dataset: datasetOf(view),
    notice: noticeOf(view.publication),
  };
  return page.replace(/\{\{(title|data|text|links|dataset|notice)\}\}/g, (_, name: keyof typeof parts) => parts[name]);
}

/** Returns HTML for readers without scripts. It lists the sites and their node counts, and links to documents. */
function textOf(view: View): string {
  const { table } = view.publication.nodes();
  const counts = new Map<string, number>();
  for (const { site, nodes } of table.clusters) counts.set(site, (counts.get(site) ?? 0) + nodes);
  const sites = siteBodies(view).map(({ uid, name, location }) => {
    const where = typeof location === 'string' ? `, ${location}` : '';
    const nodes = counts.get(asText(uid)) ?? 0;
    return `<li><a href="../sites/${escapedHtml(encodeURIComponent(asText(uid)))}.json">${escapedHtml(`${asText(name ?? uid)}${where}`)}</a>: ${nodes} nodes</li>`;
  });
  const documents = [...exportsOf(view.publication), ...DOCUMENTS.map(([path, words]) => [`${path}.json`, words])];
  return [
    `<p>${table.total} nodes at ${sites.length} sites. This page needs JavaScript. Without it, use these documents:</p>`,
    `<ul>${sites.join('')}</ul>`,
    `<ul>${documents.map(([path, words]) => `<li><a href="..${path}">${words}</a></li>`).join('')}</ul>`,
  ].join('\n');
}

/** Returns the exports that the explorer offers. A very large registry has a CSV file of nodes for each site. */
function exportsOf(publication: Publication): (readonly [path: string, words: string])[] {
  if (!publication.hasExports) return [];
  const hardware = [hardwareUrl('html'), 'Hardware of each site as tables'] as const;
  return exceedsMaxNodes(publication)
    ? [hardware]
    : [hardware, [nodeExportUrl('csv', undefined), 'All nodes as a CSV file']];
}

const DOCUMENTS = [
  [NODES_PATH, 'All nodes, in pages (JSON)'],
  [NODE_TABLE_PATH, 'All nodes as a table in columns (JSON)'],
  [NODE_FACETS_PATH, 'The values of their fields (JSON)'],
  [changesUrl(''), 'All changes (JSON)'],
] as const;

function relatedElement({ title, url }: Publication['explorerLinks'][number]): string {
  return `<link rel="related" href="${escapedHtml(url)}" title="${escapedHtml(title)}">`;
}

/** Announces the planned end of the service, even to readers without scripts. */
function noticeOf({ sunset }: Publication): string {
  if (!sunset) return '';
  const { date, link } = sunset;
  const more = link === undefined ? '' : ` <a href="${escapedHtml(link)}">More about it</a>`;
  return `<p class="sunset" role="note">This service ends on ${date}.${more}</p>`;
}

/** Escapes "<", because `</script>` would end the script element. */
function datasetOf(view: View): string {
  return renderDataset(view).replaceAll('<', '\\u003c');
}
