/** Finds the resources that arguments of commands name, in a tree or a service. */

import { versionsUrl } from '../../core/api/urls.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { MOST_SUGGESTIONS, suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { firstParentLine } from '../../core/history/graph.ts';
import { namesIn } from '../../core/lock/node-source.ts';
import { publishedNodes } from '../../core/lock/published-nodes.ts';
import { KINDS, kindsWith } from '../../core/model/kinds.ts';
import { lastSegment, parsePath, type Subject } from '../../core/model/resource-path.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { nodesEverCalled } from './names-in-history.ts';
import { bodyAt, type PublishedHistory } from './published-states.ts';

/** Finds a resource by its path, or a node by its uid or name. Prefers nodes with this name at the revision `index`. */
export async function subjectNamed(given: string, history: PublishedHistory, index?: number): Promise<Subject> {
  const { api, base } = history;
  const subject = parsePath(given, KINDS);
  if (subject) {
    if (await api.get(base.pathOnServer(versionsUrl(subject.path)))) return subject;
    return fail(finding('unknown-resource', { path: given, nearest: [] }));
  }
  const nodes = await publishedNodes(api, api.rootPath);
  const past = pathsCalled(given, history, index);
  const paths = past.length > 0 ? past : (await nodes.nodesNamed(given)).map(({ path }) => path);
  const [only] = paths;
  if (paths.length > 1) return fail(finding('several-resources', { given, paths: paths.slice(0, MOST_SUGGESTIONS) }));
  if (only === undefined)
    return fail(
      finding('unknown-resource', { path: given, nearest: suggestSimilar(given, namesIn(await nodes.list())) }),
    );
  if (past.length === 0 && index !== undefined) await checkName(given, only, index, history);
  return (
    parsePath(only, KINDS) ??
    fail(finding('site-shape', { url: api.format(api.rootPath), lacks: `a valid path of ${given}` }))
  );
}

/** Matches the paths of kinds that the registry declares. */
const DECLARED_PATH = /^\/?sites\/[^/]+(?<cluster>\/clusters\/[^/]+)?\/(?<collection>[^/]+)/;

/** Finds a resource like `subjectNamed`, or a resource of a declared kind by its path. */
export async function anySubjectNamed(given: string, history: PublishedHistory, index?: number): Promise<Subject> {
  const { api, base } = history;
  const { cluster, collection } = DECLARED_PATH.exec(given)?.groups ?? {};
  if (collection !== undefined && !parsePath(given, KINDS)) {
    const parent = cluster === undefined ? 'site' : 'cluster';
    const subject = parsePath(given, kindsWith([{ name: collection, collection, parent }]));
    if (subject && (await api.get(base.pathOnServer(versionsUrl(subject.path))))) return subject;
  }
  return await subjectNamed(given, history, index);
}

/** Returns the nodes with this name at the revision `index`, or at the latest revision at which a node has it. */
function pathsCalled(given: string, history: PublishedHistory, index: number | undefined): string[] {
  const { parents, revisions } = history.graph;
  const namedNodes = nodesEverCalled(given, history);
  const changes = namedNodes.flatMap(({ changedAt }) => changedAt);
  const lastRevisions = changes.flatMap((at) => parents[at]?.slice(0, 1) ?? []);
  const latest = [revisions.length - 1, ...changes, ...lastRevisions].sort((a, b) => b - a);
  for (const at of index === undefined ? latest : [index, ...latest]) {
    const line = new Set(firstParentLine(history.graph, at));
    const named = namedNodes.filter(({ isCalledAt }) => isCalledAt(line));
    if (named.length > 0) return named.map(({ path }) => path);
  }
  return [];
}

/**
 * Fails unless `given` is the node's uid or its name at the revision. At that revision, another node can have the name
 * `given`.
 */
async function checkName(given: string, path: string, index: number, history: PublishedHistory): Promise<void> {
  const body = await bodyAt(path, index, history);
  const name = body && nodeNameOf(body);
  if (name === undefined || [name, lastSegment(path)].includes(given)) return;
  fail(finding('earlier-name', { given, path, name, id: itemAt(history.graph.revisions, index).id }));
}
