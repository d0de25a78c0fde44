/**
 * The data beside the explorer's page, as scripts: from a folder browsers read nothing else. `data.js` has the documents
 * that the page cannot be without, `history.js` the table of nodes over time, and `past.js` what every revision did to
 * every node, of which the page makes nodes, their versions and the changes as the API has them. The last two are
 * bounded: where they would be longer than is configured, they say so instead.
 */
import type { History, RecordedChange } from '../../history/replay.ts';
import { classNames } from '../../model/field-classes.ts';
import { kindNamed } from '../../model/kinds.ts';
import { collectionOf, gridOf, isNodePath, itemOf } from '../../model/resource-path.ts';
import { epochSeconds, isoTimestamp } from '../../model/revision.ts';
import { type BodyStore, membersOf, resourceAt } from '../../model/state.ts';
import { mustGet } from '../../platform/certain.ts';
import { printableJson } from '../../platform/steering.ts';
import type { Facet } from '../../table/facets.ts';
import type { NodeHistory } from '../../table/node-history.ts';
import { renderCollection } from '../collection.ts';
import { renderItem, type View } from '../item.ts';
import { hasRowPages, renderNodeFacets, renderNodeTable } from '../nodes/node-columns.ts';
import { renderNodeHistory } from '../nodes/node-history.ts';
import { NODE_FACETS_PATH, NODE_HISTORY_PATH, NODE_TABLE_PATH } from '../nodes/node-paths.ts';
import { idAt, type Publication, revisionAt } from '../publication.ts';
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
  const text = renderNodeHistory(view, past);
  const documents = text.length <= view.publication.mostTwinnedHistory ? [[NODE_HISTORY_PATH, text]] : [];
  return documentsScript('history', EXPLORER_PATHS.history, documents);
}

function documentsScript(part: string, path: string, documents: readonly (readonly string[])[]): string {
  const members = documents.map(([url, text = '']) => `${JSON.stringify(url)}:${text}`);
  return script(part, path, `{${members.join(',\n')}}`);
}

/** In a script, a plain `__proto__` would be what an object inherits from instead of a field. */
function script(part: string, path: string, json: string): string {
  const value = printableJson(json).replace(/(?<=[{,])"__proto__":/g, '["__proto__"]:');
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

/**
 * The history as the page replays it: `revisions` in order, each with the index of its first parent, and for each resource
 * `events`, lists of a revision's index, the action, the classes, and the place in `told` of what it did: the body of a node
 * that came, the fields of one that changed, the successor of what went. What many have in common is told once. `versions` are the revisions of a node's own history, the newest first.
 */
export function renderPastTwin({ publication }: View): string {
  const most = publication.mostTwinnedHistory;
  const path = EXPLORER_PATHS.past;
  if (lengthOfPast(publication, most) > most) return script('past', path, '{}');
  const { history, head } = publication;
  const revisions = history.revisions.map((_, index) => {
    const { id: uid, date, author, message } = revisionAt(publication, index);
    const parent = history.parents[index]?.[0] ?? null;
    return { uid, timestamp: isoTimestamp(epochSeconds(date)), author, message, parent };
  });
  const told = new Map<string, number>();
  const resources = [...eventsOf(publication, told)].map(
    ([path, events]) =>
      `{"path":${JSON.stringify(path)},"events":[${events.join(',')}]${versionsText(publication, path)}}`,
  );
  const version = JSON.stringify(idAt(publication, head));
  const text = `{"version":${version},\n"revisions":${JSON.stringify(revisions)},\n"told":[\n${[...told.keys()].join(',\n')}],\n"resources":[\n${resources.join(',\n')}]}`;
  return script('past', path, text);
}

/** By the paths of resources; the grid is always among them. `told` gets the place of each text. */
function eventsOf(publication: Publication, told: Map<string, number>): Map<string, string[]> {
  const events = new Map<string, string[]>([['', []]]);
  for (const [index, changes] of publication.history.changes.entries()) {
    for (const change of changes) {
      if (change.action === 'touched') continue;
      if (!events.has(change.path)) events.set(change.path, []);
      mustGet(events, change.path).push(eventText(publication, index, change, told));
    }
  }
  return events;
}

function eventText(
  publication: Publication,
  index: number,
  change: RecordedChange,
  told: Map<string, number>,
): string {
  const { action, classes, successor } = change;
  const text = successor === undefined ? toldOf(publication, index, change) : JSON.stringify(successor);
  const place = text === undefined ? '' : `,${told.get(text) ?? told.size}`;
  if (text !== undefined && !told.has(text)) told.set(text, told.size);
  return `[${index},"${action}",${JSON.stringify(classNames(classes))}${place}]`;
}

/** The JSON text of the body of a node that came, or of the fields that changed in it. */
function toldOf(
  { history, store }: { readonly history: History; readonly store: BodyStore },
  index: number,
  { path, fields }: RecordedChange,
): string | undefined {
  if (!isNodePath(path)) return undefined;
  if (fields !== undefined) return store.get(fields);
  const node = resourceAt(history.states[index] ?? null, path);
  return node && store.get(node.body.handle);
}

function versionsText({ histories }: Publication, path: string): string {
  return path === '' || isNodePath(path) ? `,"versions":${JSON.stringify(histories.of(path).revisions)}` : '';
}

/** What revisions and changes have besides bodies and fields, about. */
const REVISION_LENGTH = 200;
const EVENT_LENGTH = 40;

/** About how long it would be; no more is gone through than is needed to know that it is too long. */
function lengthOfPast(publication: Publication, most: number): number {
  let length = publication.history.revisions.length * REVISION_LENGTH;
  for (const [index, changes] of publication.history.changes.entries()) {
    for (const change of changes) {
      length += EVENT_LENGTH + (toldOf(publication, index, change)?.length ?? 0);
      if (length > most) return length;
    }
  }
  return length;
}
