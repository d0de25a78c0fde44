/**
 * The data beside the explorer's page, as scripts: from a folder browsers read nothing else. `data.js` has the documents
 * that the page cannot be without, `history.js` the table of nodes over time, and `past.js` (past-twin.ts) what every
 * revision did to every node. The last two are bounded: where they would be longer than is configured, they say so instead.
 */
import { kindNamed } from '../../model/kinds.ts';
import { collectionOf, gridOf, itemOf } from '../../model/resource-path.ts';
import { membersOf } from '../../model/state.ts';
import { printableJson } from '../../platform/steering.ts';
import type { Facet } from '../../table/facets.ts';
import type { NodeHistory } from '../../table/node-history.ts';
import { renderCollection } from '../collection.ts';
import { renderItem, type View } from '../item.ts';
import { hasRowPages, renderNodeFacets, renderNodeTable } from '../nodes/node-columns.ts';
import { renderNodeHistory } from '../nodes/node-history.ts';
import { NODE_FACETS_PATH, NODE_HISTORY_PATH, NODE_TABLE_PATH } from '../nodes/node-paths.ts';
import { resourceUrl } from '../urls.ts';
import { EXPLORER_PATHS } from './explorer-paths.ts';

/** Up to how many nodes the page has its data beside it. */
const MOST_TWINNED_NODES = 20_000;

export function hasTwins({ publication }: View): boolean {
  return publication.nodes().table.total <= MOST_TWINNED_NODES && !hasRowPages(publication);
}

/** The documents that the page cannot be without. */
export function renderTwins(view: View, facets: readonly Facet[], { since }: NodeHistory): string {
  return documentsScript('data', EXPLORER_PATHS.data, [
    [resourceUrl(''), gridText(view)],
    [resourceUrl('sites'), sitesText(view)],
    [NODE_TABLE_PATH, renderNodeTable(view)],
    [NODE_FACETS_PATH, renderNodeFacets(view, facets, since)],
  ]);
}

export function renderHistoryTwin(view: View, past: NodeHistory): string {
  const text = [...renderNodeHistory(view, past)].join('');
  const documents = text.length <= view.publication.mostTwinnedHistory ? [[NODE_HISTORY_PATH, text]] : [];
  return documentsScript('history', EXPLORER_PATHS.history, documents);
}

function documentsScript(part: string, path: string, documents: readonly (readonly string[])[]): string {
  const members = documents.map(([url, text = '']) => `${JSON.stringify(url)}:${text}`);
  return script(part, path, `{${members.join(',\n')}}`);
}

/** In a script, a plain `__proto__` would be what an object inherits from instead of a field. */
export function script(part: string, path: string, json: string): string {
  const printable = printableJson(json);
  const hasIt = printable.includes('"__proto__":');
  const value = hasIt ? printable.replace(/(?<=[{,])"__proto__":/g, '["__proto__"]:') : printable;
  return `/* ${path}: what the page shows, for where it can read no documents. */\ngridpress.part(${JSON.stringify(part)},()=>(${value}));\n`;
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
