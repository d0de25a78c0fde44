/**
 * Reads nodes and their history from a published API. All reads use one revision. A read fails if a mutable response
 * belongs to another revision.
 *
 * The requests are the root, the sites, the clusters of each site and the nodes of each cluster. A history needs the
 * version list and at most `MOST_STEPS` + 1 versions.
 *
 * Older services do not link nodes to their latest versions. Collections of older services can be incomplete, so each
 * node is read separately.
 */

import { publishedReference, type Reference } from '../api/citation.ts';
import { LINKS_PATH } from '../api/description/description-paths.ts';
import { EXPLORER_PATHS } from '../api/explorer/explorer-paths.ts';
import { sourceFields } from '../api/written-fields.ts';
import { type Base, baseOf } from '../client/base-url.ts';
import { type ApiReader, linkOf, type PinnedReader, pinnedReader } from '../client/pinned-reader.ts';
import { publishedTable } from '../client/published-table.ts';
import type { PublishedTable } from '../client/table-document.ts';
import { fail, finding } from '../diagnostics/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { KINDS, type Kind, kindNamed, PATH_TO_NODES } from '../model/kinds.ts';
import { collectionOf, gridOf, itemOf, lastSegment, type Subject } from '../model/resource-path.ts';
import { isoTimestamp } from '../model/revision.ts';
import { isRevisionId, nodeNameOf } from '../model/uid.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { lazily } from '../platform/on-demand.ts';
import type { NodeState } from './lock-format.ts';
import type { NodeSource } from './node-source.ts';
import { publishedNodeHistory } from './published-node-history.ts';

export interface PublishedNodes extends NodeSource {
  readonly nodes: () => Promise<readonly NodeState[]>;
  /** Checks that all reads were from one revision. */
  readonly settle: () => Promise<void>;
  readonly siteNames: () => Promise<ReadonlyMap<string, string>>;
  readonly reference: () => Promise<Reference>;
  /** Returns the table of nodes. Returns undefined if the service publishes no table. */
  readonly table: () => Promise<PublishedTable | undefined>;
}

/** A resource, and the URL of its document. */
interface FetchedResource {
  readonly subject: Subject;
  readonly body: JsonObject;
  readonly url: string;
}

/** The latest time that a Date can represent, in seconds. */
const LATEST_SECONDS = 8.64e12;

export async function publishedNodes(reach: ApiReader, rootPath: string): Promise<PublishedNodes> {
  const root = await reach.get(rootPath);
  const version = root?.body['version'];
  if (!root || typeof version !== 'string' || linkOf(root.body, 'sites') === undefined)
    return fail(finding('no-api', { url: reach.format(rootPath) }));
  const base = baseOf(root.path, linkOf(root.body, 'self'));
  const pinned = pinnedReader(reach, version, rootPath);
  const grid: FetchedResource = { subject: gridOf(KINDS), body: root.body, url: root.url };
  // The timestamp of the root can differ from the date of the revision in older services.
  let isDated = latestOf(root.body) !== undefined;
  const nodeState = (subject: Subject, body: JsonObject): NodeState => {
    const state = stateOf(subject, body);
    isDated ||= state.latest !== undefined;
    return state;
  };
  // Each collection is listed once. Otherwise, N calls of `node` would list N nodes each.
  const known = new Map<string, Promise<Members>>();
  const members: MembersOf = (held, kind) =>
    getOrCreate(known, collectionOf(held.subject, kind).path, () => membersOf(held, kind, base, pinned));
  const nodes = lazily(async () => {
    let held = [grid];
    for (const kind of PATH_TO_NODES) {
      held = (await Promise.all(held.map((each) => members(each, kind)))).flatMap(({ all }) => all);
    }
    return held.map(({ subject, body }) => nodeState(subject, body));
  });
  const sites = async () => (await members(grid, kindNamed('site'))).all;
  return {
    revision: () => ({ id: version, date: isDated ? dateOf(root.body['timestamp']) : undefined }),
    node: async (path) => {
      const held = await heldAt(path, grid, members);
      const self = held && latestOf(held.body) === undefined ? linkOf(held.body, 'self') : undefined;
      const alone = self === undefined ? undefined : await pinned.getLinked(base.resolve(self));
      return held && nodeState(held.subject, alone?.body ?? held.body);
    },
    nodes,
    nodesNamed: async (given) => (await nodes()).filter(({ uid, name }) => given === uid || given === name),
    list: nodes,
    sites: async () => (await sites()).map(({ subject }) => lastSegment(subject.path)),
    history: (asked) => publishedNodeHistory(pinned, base, asked),
    historySince: async () => {
      const read = base.isSnapshot ? pinned.findContinuing : pinned.findPinned;
      const since = (await read(base.pathOnServer(LINKS_PATH)))?.body['history_since'];
      return typeof since === 'string' ? since : undefined;
    },
    table: async () => {
      // A snapshot contains no table, and its link leads to the table of the head.
      const table = base.isSnapshot ? undefined : await publishedTable(pinned, base);
      isDated ||= table !== undefined;
      return table;
    },
    settle: pinned.verifyRevision,
    siteNames: async () => {
      const named = (await sites()).flatMap(({ subject, body: { name } }) =>
        typeof name === 'string' ? [[lastSegment(subject.path), name] as const] : [],
      );
      return new Map(named);
    },
    reference: async () => {
      const dataset = await reach.get(base.pathOnServer(EXPLORER_PATHS.dataset));
      return publishedReference(dataset?.body, root.body);
    },
  };
}

interface Members {
  readonly all: readonly FetchedResource[];
  /** The first member with each uid. */
  readonly byUid: ReadonlyMap<string, FetchedResource>;
}

type MembersOf = (held: FetchedResource, kind: Kind) => Promise<Members>;

async function heldAt(path: string, grid: FetchedResource, members: MembersOf): Promise<FetchedResource | undefined> {
  let held: FetchedResource | undefined = grid;
  const uids = path.split('/').filter((_, i) => i % 2 === 1);
  for (const [depth, kind] of PATH_TO_NODES.entries()) {
    if (!held) return undefined;
    if (linkOf(held.body, kind.collection ?? '') === undefined)
      return fail(finding('site-shape', { url: held.url, lacks: `a link to its ${kind.collection}` }));
    const { byUid }: Members = await members(held, kind);
    held = byUid.get(uids[depth] ?? '');
  }
  return held?.subject.path === path ? held : undefined;
}

async function membersOf(held: FetchedResource, kind: Kind, base: Base, pinned: PinnedReader): Promise<Members> {
  const href = linkOf(held.body, kind.collection ?? '');
  if (href === undefined) return { all: [], byUid: new Map() };
  const { url, body } = await pinned.getLinked(base.resolve(href));
  const { items, total } = body;
  if (!Array.isArray(items)) return fail(finding('site-shape', { url, lacks: 'items' }));
  if (typeof total === 'number' && total > items.length)
    return fail(finding('site-incomplete', { url, items: items.length, total }));
  const collection = collectionOf(held.subject, kind);
  const all = items.map((item: Json): FetchedResource => {
    const uid = isJsonObject(item) ? item['uid'] : undefined;
    return isJsonObject(item) && typeof uid === 'string'
      ? { subject: itemOf(collection, uid), body: item, url }
      : fail(finding('site-shape', { url, lacks: 'a uid in each of its items' }));
  });
  return { all, byUid: new Map(all.toReversed().map((each) => [lastSegment(each.subject.path), each])) };
}

function stateOf({ path }: Subject, body: JsonObject): NodeState {
  const fields = sourceFields(body);
  return { path, uid: lastSegment(path), name: nodeNameOf(fields), body: fields, latest: latestOf(body) };
}

function latestOf(body: JsonObject): string | undefined {
  const id = lastSegment(linkOf(body, 'latest-version') ?? '');
  return isRevisionId(id) ? id : undefined;
}

/** Parses the `timestamp` of the root: epoch seconds, as a string or a number. */
function dateOf(timestamp: Json | undefined): string | undefined {
  const seconds = typeof timestamp === 'string' ? Number(timestamp) : timestamp;
  return typeof seconds === 'number' && Math.abs(seconds) <= LATEST_SECONDS && timestamp !== ''
    ? isoTimestamp(Math.floor(seconds))
    : undefined;
}
