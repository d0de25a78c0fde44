/** The nodes of a tree or of a service, all of one revision, read by the links from its root. */
import { LINKS_PATH } from '../../core/api/description/description-paths.ts';
import { NODE_HISTORY_PATH } from '../../core/api/nodes/node-paths.ts';
import { snapshotUrl } from '../../core/api/urls.ts';
import { type Base, baseOf } from '../../core/client/base-url.ts';
import { linkOf } from '../../core/client/pinned-reader.ts';
import { publishedLabelling } from '../../core/client/published-table.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { Graph, Placed } from '../../core/history/graph.ts';
import type { Labelling } from '../../core/labels/labels.ts';
import type { NodeState, Origin } from '../../core/lock/lock-format.ts';
import { type PublishedNodes, publishedNodes } from '../../core/lock/published-nodes.ts';
import { isJsonObject, itemsIn, type Json, type JsonObject } from '../../core/model/json.ts';
import { isoTimestamp } from '../../core/model/revision.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { QueryFleet } from '../../core/query/columns.ts';
import { tableFleet } from '../../core/query/table-fleet.ts';
import { clusterOfRows, type NodeTable } from '../../core/table/node-table.ts';
import type { PublishedApi } from '../../system/client/api-over-http.ts';
import { isDate } from '../sources/moment-names.ts';
import { type FleetSource, inOrder } from './fleet-source.ts';

/** What decides what is read. */
export interface PublishedQuery {
  /** A revision or a date; by default what is published now. */
  readonly at: string | undefined;
  /** Whether nodes in columns, of which some fields may be left out, tell what is asked. */
  readonly isEnough: (fleet: QueryFleet) => boolean;
}

/** Reads with `read`; the last answer of all makes sure that no other revision was published meanwhile. */
export async function publishedFleet<T>(
  origin: Origin,
  api: PublishedApi,
  { at, isEnough }: PublishedQuery,
  read: (source: FleetSource) => Promise<T>,
): Promise<T> {
  const rootPath = at === undefined ? api.rootPath : await rootAt(api, at);
  const source = await publishedNodes(api, rootPath);
  // The table is of the head alone.
  const table = rootPath === api.rootPath ? await source.table() : undefined;
  const labels = publishedLabelling(table ?? (await (await publishedNodes(api, api.rootPath)).table()));
  const inColumns = table && { table, fleet: tableFleet(table, labels) };
  const nodes =
    inColumns && isEnough(inColumns.fleet) ? nodesOfTable(inColumns, source) : await wholeFleet(source, labels);
  const result = await read({ origin, labels, revision: source.revision(), siteNames: source.siteNames, ...nodes });
  await source.settle();
  return result;
}

/** So many nodes are read one by one; to read more, all are read. */
const MOST_ALONE = 100;

type Nodes = Pick<FleetSource, 'fleet' | 'survey' | 'nodesAt'>;

/** The nodes of a table: a few of its rows by their links, and many as all are read. */
function nodesOfTable(
  { table, fleet }: { readonly table: NodeTable; readonly fleet: QueryFleet },
  source: PublishedNodes,
): Nodes {
  const clusters = lazily(() => [...clusterOfRows(table)]);
  const pathOf = (row: number) => {
    const { site, cluster } = itemAt(clusters(), row);
    return `sites/${site}/clusters/${cluster}/nodes/${itemAt(table.uids, row)}`;
  };
  const deadLink = (url: string) => fail(finding('site-dead-link', { url }));
  const nodesAt = async (rows: readonly number[]) => {
    const paths = rows.map(pathOf);
    if (rows.length <= MOST_ALONE)
      return await Promise.all(paths.map(async (path) => (await source.node(path)) ?? deadLink(path)));
    const nodes = new Map((await source.nodes()).map((node) => [node.path, node]));
    return paths.map((path) => nodes.get(path) ?? deadLink(path));
  };
  return { fleet, survey: undefined, nodesAt };
}

/** All nodes, read whole. */
async function wholeFleet(source: PublishedNodes, labels: Labelling): Promise<Nodes> {
  const nodes = inOrder(await source.nodes());
  const wholeNode = async (row: number): Promise<NodeState> => {
    const node = nodes[row];
    if (node === undefined) throw new Error(`no node has the row ${row}`);
    // Only what links to its latest version is known to stand whole in its collection.
    return node.latest === undefined ? ((await source.node(node.path)) ?? node) : node;
  };
  const { surveyOf } = await import('./survey-of.ts');
  const survey = surveyOf(nodes);
  const fleet = tableFleet(survey.table, labels);
  return { fleet, survey: () => survey, nodesAt: (rows) => Promise.all(rows.map(wholeNode)) };
}

/** The root of the API as it was at a revision or a date. */
async function rootAt(api: PublishedApi, at: string): Promise<string> {
  const root = await api.get(api.rootPath);
  const versions = root && linkOf(root.body, 'versions');
  if (!root || versions === undefined) return fail(finding('no-api', { url: api.shown(api.rootPath) }));
  const base = baseOf(root.path, linkOf(root.body, 'self'));
  const url = base.resolve(versions);
  const { listedVersions } = await import('../../core/client/listed-versions.ts');
  const listed = await listedVersions(base, url, api.get, api.get);
  if (!listed) return fail(finding('site-dead-link', { url: api.shown(url) }));
  const { indexAtRevisionOrDate, knownRevision, nearestRevisions } = await import('../sources/resolve-revision.ts');
  const graph = graphOf(listed, api.shown(url), isDate(at) ? await firstParents(api, base) : undefined);
  const index = isDate(at) ? indexAtRevisionOrDate(graph, at) : knownRevision(graph, at);
  if (index === undefined) {
    const since = (await api.get(base.place(LINKS_PATH)))?.body['history_since'];
    const args = {
      given: at,
      nearest: nearestRevisions(graph, at),
      since: typeof since === 'string' ? since : undefined,
      url: api.shown(url),
    };
    return fail(finding('unlisted-revision', args));
  }
  const id = itemAt(graph.revisions, index).id;
  if (id === root.body['version']) return api.rootPath;
  const snapshot = base.place(snapshotUrl(id));
  return (await api.get(snapshot)) ? snapshot : fail(finding('no-snapshot', { id, url: api.shown(snapshot) }));
}

/**
 * The first parent of each revision, as the table of nodes over time tells them: a version leads to the one before it that
 * it goes on from, which for a merge may be on the other side. Undefined where a service has no such table.
 */
async function firstParents(api: PublishedApi, base: Base): Promise<FirstParents | undefined> {
  const url = base.place(NODE_HISTORY_PATH);
  const history = await api.get(url);
  if (history?.body['too_large'] !== undefined) fail(finding('no-first-parents', { url: api.shown(url) }));
  const revisions = itemsIn(history?.body['revisions']).filter(isJsonObject);
  if (revisions.length === 0) return undefined;
  return new Map(revisions.map(({ uid, parent }) => [uid, revisions[Number(parent ?? Number.NaN)]?.['uid']]));
}

type FirstParents = ReadonlyMap<Json | undefined, Json | undefined>;

/** The revisions of a history, each with its first parent; where these are not known, with the version that it goes on from. */
function graphOf(versions: readonly JsonObject[], url: string, parentsOf: FirstParents | undefined): Graph<Placed> {
  const revisions = versions.flatMap((item) => revisionOf(item, parentsOf) ?? []).reverse();
  if (revisions.length === 0) return fail(finding('site-shape', { url, lacks: 'versions with a uid and a date' }));
  const indexOf = new Map(revisions.map(({ id }, index) => [id, index]));
  const parents = revisions.map((revision) => revision.parents.flatMap((id) => indexOf.get(id) ?? []));
  return { revisions, parents, indexOf };
}

function revisionOf(item: JsonObject, parentsOf: FirstParents | undefined): Placed | undefined {
  const { uid, date } = item;
  const seconds = typeof date === 'string' ? Math.floor(Date.parse(date) / 1000) : Number.NaN;
  if (typeof uid !== 'string' || !Number.isFinite(seconds)) return undefined;
  const before = parentsOf ? parentsOf.get(uid) : linkOf(item, 'predecessor-version')?.split('/').at(-1);
  return { id: uid, date: isoTimestamp(seconds), parents: typeof before === 'string' ? [before] : [] };
}
