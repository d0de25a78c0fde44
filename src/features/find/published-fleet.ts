/** Reads the nodes of a tree or a service by following links from the root. */

import { LINKS_PATH } from '../../core/api/description/description-paths.ts';
import { NODE_HISTORY_PATH } from '../../core/api/nodes/node-paths.ts';
import { snapshotUrl } from '../../core/api/urls.ts';
import { type Base, baseOf } from '../../core/client/base-url.ts';
import { type FetchedDocument, linkOf } from '../../core/client/pinned-reader.ts';
import { publishedLabelling } from '../../core/client/published-table.ts';
import { labelledColumnsIn } from '../../core/client/table-document.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import type { Graph, PositionFields } from '../../core/history/graph.ts';
import type { Labelling } from '../../core/labels/labels.ts';
import type { NodeState, Origin } from '../../core/lock/lock-format.ts';
import { type PublishedNodes, publishedNodes } from '../../core/lock/published-nodes.ts';
import { type Json, type JsonObject, objectsIn } from '../../core/model/json.ts';
import { nodePath } from '../../core/model/node-path.ts';
import { isoTimestamp } from '../../core/model/revision.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { QueryFleet } from '../../core/query/columns.ts';
import { tableFleet } from '../../core/query/table-fleet.ts';
import { clusterOfRows, type NodeTable } from '../../core/table/node-table.ts';
import type { PublishedApi } from '../../system/client/api-over-http.ts';
import { isDate } from '../sources/revision-names.ts';
import { type FleetSource, sortedByPath, surveyOf } from './fleet-source.ts';

interface PublishedQuery {
  readonly at: string | undefined;
  /** Whether a table with only some fields of the nodes is enough for the query. */
  readonly isEnough: (fleet: QueryFleet) => boolean;
}

/** Reads the nodes of one revision. Fails if a new revision is published before all nodes are read. */
export async function publishedFleet<T>(
  origin: Origin,
  api: PublishedApi,
  { at, isEnough }: PublishedQuery,
  read: (source: FleetSource) => Promise<T>,
): Promise<T> {
  const snapshot = at === undefined ? undefined : await snapshotAt(api, at);
  const source = await publishedNodes(api, snapshot?.path ?? api.rootPath);
  // A tree contains a table of nodes only for its head.
  const table = snapshot ? undefined : await source.table();
  const newest = snapshot ? await (await publishedNodes(api, api.rootPath)).table() : table;
  const labels = publishedLabelling([
    ...(snapshot ? [labelledColumnsIn(snapshot.history)] : []),
    ...(newest ? [newest] : []),
  ]);
  const fleet = table && tableFleet(table, labels);
  const nodes = fleet && isEnough(fleet) ? nodesOfTable(table, fleet, source) : await wholeFleet(source, labels);
  const { siteNames, reference } = source;
  const isPast = snapshot !== undefined;
  const result = await read({ origin, labels, revision: source.revision(), isPast, siteNames, reference, ...nodes });
  await source.settle();
  return result;
}

/** The maximum number of nodes to read one by one. For more nodes, gridpress reads complete collections. */
const MAX_SINGLE_READS = 100;

type Nodes = Pick<FleetSource, 'fleet' | 'survey' | 'nodesAt'>;

function nodesOfTable(table: NodeTable, fleet: QueryFleet, source: PublishedNodes): Nodes {
  const clusters = lazily(() => [...clusterOfRows(table)]);
  const pathOf = (row: number) => nodePath({ ...itemAt(clusters(), row), uid: itemAt(table.uids, row) });
  const deadLink = (url: string) => fail(finding('site-dead-link', { url }));
  const nodesAt = async (rows: readonly number[]) => {
    const paths = rows.map(pathOf);
    if (rows.length <= MAX_SINGLE_READS)
      return await Promise.all(paths.map(async (path) => (await source.node(path)) ?? deadLink(path)));
    const nodes = new Map((await source.nodes()).map((node) => [node.path, node]));
    return paths.map((path) => nodes.get(path) ?? deadLink(path));
  };
  return { fleet, survey: undefined, nodesAt };
}

async function wholeFleet(source: PublishedNodes, labels: Labelling): Promise<Nodes> {
  const nodes = sortedByPath(await source.nodes());
  const wholeNode = async (row: number): Promise<NodeState> => {
    const node = nodes[row];
    if (node === undefined) throw new Error(`no node has the row ${row}`);
    // A complete collection contains the complete body of a node only if the node links to its latest version.
    return node.latest === undefined ? ((await source.node(node.path)) ?? node) : node;
  };
  const survey = surveyOf(nodes);
  const fleet = tableFleet(survey.table, labels);
  return { fleet, survey: () => survey, nodesAt: (rows) => Promise.all(rows.map(wholeNode)) };
}

interface Snapshot {
  readonly path: string;
  /** `/nodes/history`, or an empty object if the document does not exist. */
  readonly history: JsonObject;
}

/** Returns undefined for the newest revision. */
async function snapshotAt(api: PublishedApi, at: string): Promise<Snapshot | undefined> {
  const revisions = await publishedRevisions(api, isDate(at));
  const { root, base, graph } = revisions;
  const index = await publishedIndex(at, revisions);
  const id = itemAt(graph.revisions, index).id;
  if (id === root.body['version']) return undefined;
  const path = base.pathOnServer(snapshotUrl(id));
  if (!(await api.get(path))) fail(finding('no-snapshot', { id, url: api.format(path) }));
  const history = revisions.nodeHistory ?? (await api.get(base.pathOnServer(NODE_HISTORY_PATH)))?.body;
  return { path, history: history ?? {} };
}

export interface PublishedRevisions {
  readonly api: PublishedApi;
  readonly root: FetchedDocument;
  readonly base: Base;
  readonly graph: Graph<PositionFields>;
  readonly url: string;
  /** The table of nodes over time. Undefined if the table was not read or does not exist. */
  readonly nodeHistory: JsonObject | undefined;
}

/** Lists all revisions. `isExact` also reads the first parents of merges, which dates and lines of revisions need. */
export async function publishedRevisions(api: PublishedApi, isExact: boolean): Promise<PublishedRevisions> {
  const root = await api.get(api.rootPath);
  const versions = root && linkOf(root.body, 'versions');
  if (!root || versions === undefined) return fail(finding('no-api', { url: api.format(api.rootPath) }));
  const base = baseOf(root.path, linkOf(root.body, 'self'));
  const url = api.format(base.resolve(versions));
  const { listVersions } = await import('../../core/client/pinned-reader.ts');
  const listed = await listVersions(base, base.resolve(versions), api.get, api.get);
  if (!listed) return fail(finding('site-dead-link', { url }));
  const nodeHistory = isExact ? await readNodeHistory(api, base) : undefined;
  return { api, root, base, url, nodeHistory, graph: graphOf(listed, url, firstParents(nodeHistory)) };
}

/** If the root is a snapshot, `head` is the revision of the snapshot. */
export async function publishedIndex(
  given: string,
  { api, root, base, graph, url }: PublishedRevisions,
): Promise<number> {
  const { version } = root.body;
  const at = given === 'head' && base.isSnapshot && typeof version === 'string' ? version : given;
  const { indexAtRevisionOrDate, knownRevision, nearestRevisions } = await import('../sources/resolve-revision.ts');
  const index = isDate(at) ? indexAtRevisionOrDate(graph, at) : knownRevision(graph, at);
  if (index !== undefined) return index;
  const since = (await api.get(base.pathOnServer(LINKS_PATH)))?.body['history_since'];
  const place = { since: typeof since === 'string' ? since : undefined, url };
  return fail(finding('unlisted-revision', { given: at, nearest: nearestRevisions(graph, at), ...place }));
}

async function readNodeHistory(api: PublishedApi, base: Base): Promise<JsonObject | undefined> {
  const url = base.pathOnServer(NODE_HISTORY_PATH);
  const history = await api.get(url);
  if (history?.body['too_large'] !== undefined) fail(finding('no-first-parents', { url: api.format(url) }));
  return history?.body;
}

/** Returns the first parents, because the predecessor version of a merge can belong to another parent. */
function firstParents(nodeHistory: JsonObject | undefined): FirstParents | undefined {
  const revisions = objectsIn(nodeHistory?.['revisions']);
  if (revisions.length === 0) return undefined;
  return new Map(revisions.map(({ uid, parent }) => [uid, revisions[Number(parent ?? Number.NaN)]?.['uid']]));
}

type FirstParents = ReadonlyMap<Json | undefined, Json | undefined>;

/** Uses predecessor versions if the first parents are unknown. */
function graphOf(
  versions: readonly JsonObject[],
  url: string,
  parentsOf: FirstParents | undefined,
): Graph<PositionFields> {
  const revisions = versions.flatMap((item) => revisionOf(item, parentsOf) ?? []).reverse();
  if (revisions.length === 0) return fail(finding('site-shape', { url, lacks: 'versions with a uid and a date' }));
  const indexOf = new Map(revisions.map(({ id }, index) => [id, index]));
  const parents = revisions.map((revision) => revision.parents.flatMap((id) => indexOf.get(id) ?? []));
  // A cycle of parents would have no end.
  if (parents.some((own, index) => own.some((parent) => parent >= index)))
    fail(finding('site-shape', { url, lacks: 'an order in which each version follows its predecessor' }));
  return { revisions, parents, indexOf };
}

function revisionOf(item: JsonObject, parentsOf: FirstParents | undefined): PositionFields | undefined {
  const { uid, date } = item;
  const seconds = typeof date === 'string' ? Math.floor(Date.parse(date) / 1000) : Number.NaN;
  if (typeof uid !== 'string' || !Number.isFinite(seconds)) return undefined;
  const before = parentsOf ? parentsOf.get(uid) : linkOf(item, 'predecessor-version')?.split('/').at(-1);
  return { id: uid, date: isoTimestamp(seconds), parents: typeof before === 'string' ? [before] : [] };
}
