/**
 * Reading nodes and their pasts from whatever publishes the API, by following its links from the root. One revision is
 * read: every answer that can change says which it reflects, and the first that says another ends the reading.
 *
 * Requests: the root, the sites, for each site that is looked at its clusters, and the nodes of each cluster; for each
 * past one, and one for each of its versions, of which `MOST_STEPS` and one are read at the most. A node that does not
 * link to its latest version comes from an older service, whose collections may leave fields out: it is read alone.
 */

import { LINKS_PATH } from '../api/description/description-paths.ts';
import { sourceFields } from '../api/written-fields.ts';
import { type Base, baseOf } from '../client/base-url.ts';
import { type ApiReader, linkOf, type PinnedReader, pinnedReader } from '../client/pinned-reader.ts';
import { type PublishedTable, publishedTable } from '../client/published-table.ts';
import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { KINDS, type Kind, kindNamed, WAY_TO_NODES } from '../model/kinds.ts';
import { collectionOf, gridOf, itemOf, lastSegment, type Subject } from '../model/resource-path.ts';
import { isoTimestamp } from '../model/revision.ts';
import { isRevisionId, nodeNameOf } from '../model/uid.ts';
import { lazily } from '../platform/on-demand.ts';
import type { NodeState } from './lock-format.ts';
import type { NodeSource } from './node-past.ts';
import { publishedPast } from './published-past.ts';

export interface PublishedNodes extends NodeSource {
  readonly nodes: () => Promise<readonly NodeState[]>;
  /** Makes sure that all was read of one revision, where answers did not say so themselves. */
  readonly settle: () => Promise<void>;
  /** What sites are called, by their uids. */
  readonly siteNames: () => Promise<ReadonlyMap<string, string>>;
  /** The nodes in columns, but for what these leave out; undefined where the service has no such table. */
  readonly table: () => Promise<PublishedTable | undefined>;
}

/** A resource that was found, and where it is told of. */
interface Held {
  readonly subject: Subject;
  readonly body: JsonObject;
  readonly url: string;
}

/** The last second of which a Date knows. */
const LATEST_SECONDS = 8.64e12;

/** Reads the root that answers at a path. */
export async function publishedNodes(reach: ApiReader, rootPath: string): Promise<PublishedNodes> {
  const root = await reach.get(rootPath);
  const version = root?.body['version'];
  if (!root || typeof version !== 'string' || linkOf(root.body, 'sites') === undefined)
    return fail(finding('no-api', { url: reach.shown(rootPath) }));
  const base = baseOf(root.path, linkOf(root.body, 'self'));
  const pinned = pinnedReader(reach, version, rootPath);
  const grid: Held = { subject: gridOf(KINDS), body: root.body, url: root.url };
  // What older services call their timestamp need not be the revision's.
  let isDated = false;
  const told = (subject: Subject, body: JsonObject): NodeState => {
    const state = stateOf(subject, body);
    isDated ||= state.latest !== undefined;
    return state;
  };
  const nodes = lazily(async () => {
    let held = [grid];
    for (const kind of WAY_TO_NODES) {
      held = (await Promise.all(held.map((each) => membersOf(each, kind, base, pinned)))).flat();
    }
    return held.map(({ subject, body }) => told(subject, body));
  });
  return {
    revision: () => ({ id: version, date: isDated ? dateOf(root.body['timestamp']) : undefined }),
    node: async (path) => {
      const held = await heldAt(path, grid, base, pinned);
      const self = held && latestOf(held.body) === undefined ? linkOf(held.body, 'self') : undefined;
      const alone = self === undefined ? undefined : await pinned.linked(base.resolve(self));
      return held && told(held.subject, alone?.body ?? held.body);
    },
    nodes,
    called: async (given) => (await nodes()).filter(({ uid, name }) => given === uid || given === name),
    names: async () => (await nodes()).flatMap(({ name, uid }) => (name === undefined ? [uid] : [name, uid])),
    past: (asked) => publishedPast(pinned, base, asked),
    historySince: async () => {
      const read = base.isSnapshot ? pinned.together : pinned.found;
      const since = (await read(base.place(LINKS_PATH)))?.body['history_since'];
      return typeof since === 'string' ? since : undefined;
    },
    table: async () => {
      // Snapshots have none, and what stands in its place is the head's.
      const table = base.isSnapshot ? undefined : await publishedTable(pinned, base);
      isDated ||= table !== undefined;
      return table;
    },
    settle: pinned.settle,
    siteNames: async () => {
      const sites = await membersOf(grid, kindNamed('site'), base, pinned);
      const named = sites.flatMap(({ subject, body: { name } }) =>
        typeof name === 'string' ? [[lastSegment(subject.path), name] as const] : [],
      );
      return new Map(named);
    },
  };
}

/** The node of a path, by the links from the grid on; undefined where there is none. */
async function heldAt(path: string, grid: Held, base: Base, pinned: PinnedReader): Promise<Held | undefined> {
  let held: Held | undefined = grid;
  for (const kind of WAY_TO_NODES) {
    if (!held) return undefined;
    if (linkOf(held.body, kind.collection ?? '') === undefined)
      return fail(finding('site-shape', { url: held.url, lacks: `a link to its ${kind.collection}` }));
    const members: readonly Held[] = await membersOf(held, kind, base, pinned);
    held = members.find(({ subject }) => `${path}/`.startsWith(`${subject.path}/`));
  }
  return held;
}

/** The members of a collection that an item links to; none where it links to none. */
async function membersOf(held: Held, kind: Kind, base: Base, pinned: PinnedReader): Promise<Held[]> {
  const href = linkOf(held.body, kind.collection ?? '');
  if (href === undefined) return [];
  const { url, body } = await pinned.linked(base.resolve(href));
  const { items, total } = body;
  if (!Array.isArray(items)) return fail(finding('site-shape', { url, lacks: 'items' }));
  if (typeof total === 'number' && total > items.length)
    return fail(finding('site-incomplete', { url, items: items.length, total }));
  const collection = collectionOf(held.subject, kind);
  return items.map((item: Json) => {
    const uid = isJsonObject(item) ? item['uid'] : undefined;
    return isJsonObject(item) && typeof uid === 'string'
      ? { subject: itemOf(collection, uid), body: item, url }
      : fail(finding('site-shape', { url, lacks: 'a uid in each of its items' }));
  });
}

function stateOf({ path }: Subject, body: JsonObject): NodeState {
  const fields = sourceFields(body);
  return { path, uid: lastSegment(path), name: nodeNameOf(fields), body: fields, latest: latestOf(body) };
}

/** The newest version of a node, which its link to it names. */
function latestOf(body: JsonObject): string | undefined {
  const id = lastSegment(linkOf(body, 'latest-version') ?? '');
  return isRevisionId(id) ? id : undefined;
}

/** Of the root's `timestamp`: epoch seconds, as a string in one dialect and a number in the other. */
function dateOf(timestamp: Json | undefined): string | undefined {
  const seconds = typeof timestamp === 'string' ? Number(timestamp) : timestamp;
  return typeof seconds === 'number' && Math.abs(seconds) <= LATEST_SECONDS && timestamp !== ''
    ? isoTimestamp(Math.floor(seconds))
    : undefined;
}
