/** The nodes of a tree or of a service, all of one revision, read by the links from its root. */
import { snapshotUrl } from '../../core/api/endpoints.ts';
import { baseOf } from '../../core/client/base-url.ts';
import { type FetchedDocument, linkOf } from '../../core/client/pinned-reader.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { Graph, Placed } from '../../core/history/graph.ts';
import { labelling } from '../../core/labels/labels.ts';
import type { NodeState, Origin } from '../../core/lock/lock-format.ts';
import { publishedNodes } from '../../core/lock/published-nodes.ts';
import { isJsonObject, itemsIn, type Json } from '../../core/model/json.ts';
import { isoTimestamp } from '../../core/model/revision.ts';
import type { PublishedApi } from '../../system/client/api-over-http.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { type FleetSource, inOrder, surveyOf } from './fleet-source.ts';

/** Reads with `read`; the last answer of all makes sure that no other revision was published meanwhile. */
export async function publishedFleet<T>(
  origin: Origin,
  api: PublishedApi,
  at: string | undefined,
  read: (source: FleetSource) => Promise<T>,
): Promise<T> {
  const rootPath = at === undefined ? api.rootPath : await rootAt(api, at);
  const source = await publishedNodes(api, rootPath);
  const nodes = inOrder(await source.nodes());
  const wholeNode = async (row: number): Promise<NodeState> => {
    const node = nodes[row];
    if (node === undefined) throw new Error(`no node has the row ${row}`);
    // Only what links to its latest version is known to stand whole in its collection.
    return node.latest === undefined ? ((await source.node(node.path)) ?? node) : node;
  };
  const result = await read({
    origin,
    revision: source.revision(),
    survey: surveyOf(nodes),
    labels: labelling(undefined),
    nodesAt: (rows) => Promise.all(rows.map(wholeNode)),
    siteNames: source.siteNames,
  });
  await source.settle();
  return result;
}

/** The root of the API as it was at a revision or a date. */
async function rootAt(api: PublishedApi, at: string): Promise<string> {
  const root = await api.get(api.rootPath);
  const versions = root && linkOf(root.body, 'versions');
  if (!root || versions === undefined) return fail(finding('no-api', { url: api.shown(api.rootPath) }));
  const base = baseOf(root.path, linkOf(root.body, 'self'));
  const history = await api.get(base.resolve(versions));
  if (!history) return fail(finding('site-dead-link', { url: api.shown(base.resolve(versions)) }));
  const graph = graphOf(history);
  const id = graph.revisions[indexAtRevisionOrDate(graph, at)]?.id ?? '';
  if (id === root.body['version']) return api.rootPath;
  const snapshot = base.place(snapshotUrl(id));
  return (await api.get(snapshot))
    ? snapshot
    : fail(finding('no-snapshot', { id, url: api.shown(snapshot) }));
}

/** The revisions of a history, each with the one before it on its line. */
function graphOf({ url, body }: FetchedDocument): Graph<Placed> {
  const revisions = itemsIn(body['items'])
    .flatMap((item) => revisionOf(item) ?? [])
    .reverse();
  if (revisions.length === 0)
    return fail(finding('site-shape', { url, lacks: 'versions with a uid and a date' }));
  const indexOf = new Map(revisions.map(({ id }, index) => [id, index]));
  const parents = revisions.map((revision) => revision.parents.flatMap((id) => indexOf.get(id) ?? []));
  return { revisions, parents, indexOf };
}

function revisionOf(item: Json): Placed | undefined {
  if (!isJsonObject(item)) return undefined;
  const { uid, date } = item;
  const seconds = typeof date === 'string' ? Math.floor(Date.parse(date) / 1000) : Number.NaN;
  if (typeof uid !== 'string' || !Number.isFinite(seconds)) return undefined;
  const predecessor = linkOf(item, 'predecessor-version')?.split('/').at(-1);
  return { id: uid, date: isoTimestamp(seconds), parents: predecessor === undefined ? [] : [predecessor] };
}
