/**
 * Copies documents into scripts, because a browser loads no other data for a page from a folder. `data.js` contains the
 * documents that every view needs. `history.js` contains the table of nodes over time. `past.js` contains complete
 * nodes, revisions and changes. `history.js` and `past.js` are empty above `explorer.max_history` characters.
 */
import { printableJson } from '../../platform/text.ts';
import type { View } from '../item.ts';
import { exceedsMaxNodes } from '../nodes/node-columns.ts';
import { isNodeRowsUrl, NODE_FACETS_PATH, NODE_HISTORY_PATH, NODE_TABLE_PATH } from '../nodes/node-paths.ts';
import { changesPageAt, changesUrl, resourceUrl, versionsUrl } from '../urls.ts';
import { EXPLORER_PATHS } from './explorer-paths.ts';

const MAX_COPIED_NODES = 20_000;

const EVERY_VIEW = [resourceUrl(''), resourceUrl('sites'), NODE_TABLE_PATH, NODE_FACETS_PATH];
const CLUSTER_NODES = /^\/sites\/[^/]+\/clusters\/[^/]+\/nodes$/;

const isInData = (url: string) => EVERY_VIEW.includes(url) || isNodeRowsUrl(url);
const isInHistory = (url: string) => url === NODE_HISTORY_PATH;
const isInPast = (url: string) =>
  changesPageAt(url) !== undefined || url.replace(/\/pages\/\d+$/, '') === versionsUrl('') || CLUSTER_NODES.test(url);

export type OfflinePart = 'data' | 'history' | 'past';

const CONTENTS: Readonly<Record<OfflinePart, (url: string) => boolean>> = {
  data: isInData,
  history: isInHistory,
  past: isInPast,
};

interface Copied {
  readonly url: string;
  readonly body: () => string;
}

export function hasOfflineCopies({ publication }: View): boolean {
  return publication.nodes().table.total <= MAX_COPIED_NODES && !exceedsMaxNodes(publication);
}

export function renderOfflineCopies({ publication }: View, part: OfflinePart, documents: Iterable<Copied>): string {
  const most = part === 'data' ? Number.POSITIVE_INFINITY : publication.maxOfflineHistoryLength;
  const copies = new Map<string, string>();
  let length = 0;
  for (const { url, body } of documents) {
    if (!CONTENTS[part](url)) continue;
    const text = body();
    length += text.length;
    if (length > most) return script(part, '{}');
    copies.set(url, text);
    // The newest page comes last and replaces older pages. The text of the newest page is also the document of all
    // changes.
    if (changesPageAt(url) !== undefined) copies.set(changesUrl(''), text);
  }
  const members = [...copies].map(([url, text]) => `${JSON.stringify(url)}:${text}`);
  return script(part, `{${members.join(',\n')}}`);
}

/** A computed key replaces `__proto__`, which would set the prototype in an object literal. */
function script(part: OfflinePart, json: string): string {
  const printable = printableJson(json);
  const hasIt = printable.includes('"__proto__":');
  const value = hasIt ? printable.replace(/(?<=[{,])"__proto__":/g, '["__proto__"]:') : printable;
  return `/* ${EXPLORER_PATHS[part]}: documents for a page opened from a folder. */\ngridpress.part(${JSON.stringify(part)},()=>(${value}));\n`;
}
