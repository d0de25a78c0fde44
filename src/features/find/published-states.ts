/** Reads resources at revisions from the version documents and snapshots of a tree or a service. */

import { resourceUrl, snapshotUrl, versionsUrl, versionUrl } from '../../core/api/urls.ts';
import { sourceFields } from '../../core/api/written-fields.ts';
import { linkOf, listVersions } from '../../core/client/pinned-reader.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { firstParentLine } from '../../core/history/graph.ts';
import { isJsonObject, type JsonObject, objectsIn, textOf } from '../../core/model/json.ts';
import { KINDS } from '../../core/model/kinds.ts';
import { isAtOrBelow, parsePath } from '../../core/model/resource-path.ts';
import { getOrCreate, itemAt } from '../../core/platform/lookups.ts';
import { isNodeAtStart } from './names-in-history.ts';
import type { PublishedRevisions } from './published-fleet.ts';

export interface PublishedHistory extends PublishedRevisions {
  /** Maps paths to the changes of a revision. Repeated calls do not read the changes again. */
  readonly changesAt: (index: number) => Promise<ReadonlyMap<string, JsonObject>>;
  /** Whether all revisions are on the line of the newest one. */
  readonly isLinear: boolean;
}

export function withChanges(revisions: PublishedRevisions): PublishedHistory {
  const known = new Map<number, Promise<ReadonlyMap<string, JsonObject>>>();
  const read = (index: number) => changesOf(itemAt(revisions.graph.revisions, index).id, revisions);
  const { length } = revisions.graph.revisions;
  return {
    ...revisions,
    changesAt: (index) => getOrCreate(known, index, () => read(index)),
    isLinear: firstParentLine(revisions.graph, length - 1).length === length,
  };
}

export async function versionsOf(path: string, { api, base }: PublishedRevisions): Promise<readonly JsonObject[]> {
  const target = base.pathOnServer(versionsUrl(path));
  const versions = await listVersions(base, target, api.get, api.get);
  return versions ?? fail(finding('site-dead-link', { url: api.format(target) }));
}

/** Returns undefined if the resource did not exist at this revision. */
export async function bodyAt(path: string, index: number, history: PublishedHistory): Promise<JsonObject | undefined> {
  const { api, base, graph, changesAt, isLinear } = history;
  const { id } = itemAt(graph.revisions, index);
  const direct = await api.get(base.pathOnServer(versionUrl(path, id)));
  if (direct?.body['resource'] !== undefined) return bodyIn(direct.body);
  // The tree has no document for this resource at this revision.
  const listed = await versionsOf(path, history);
  const indexOf = ({ uid }: JsonObject) => graph.indexOf.get(textOf(uid)) ?? Number.POSITIVE_INFINITY;
  const versions = listed.filter((version) => indexOf(version) <= index);
  const line = new Set(firstParentLine(graph, index));
  const own = versions.find((version) => line.has(indexOf(version)));
  if (own !== versions[0] || !isLinear) {
    // Like `git log`, the list of versions omits changes that no merge took over.
    const start = own ? indexOf(own) : -1;
    for (const at of line) {
      const change = at > start ? (await changesAt(at)).get(path) : undefined;
      if (change) return await bodyAfter(change, path, index, history);
    }
  }
  if (own) return await bodyOf(linkOf(own, 'self'), path, id, history);
  const older = listed.filter((version) => isBeforeStart(version, graph));
  return older.length === 0 ? undefined : await bodyAtStart(older, path, index, history);
}

/** Whether a tree with a limited history lists the version, but not its revision. Other such versions are newer. */
function isBeforeStart({ uid, date }: JsonObject, { revisions, indexOf }: PublishedHistory['graph']): boolean {
  const head = itemAt(revisions, revisions.length - 1);
  return !indexOf.has(textOf(uid)) && Date.parse(textOf(date)) <= Date.parse(head.date);
}

/**
 * Reads a resource that did not change since the start of a limited history. `older` lists its versions before the
 * start, newest first. If the history has several starts, the version of a start is only known with a snapshot, or for
 * a node with one older version.
 */
async function bodyAtStart(
  older: readonly JsonObject[],
  path: string,
  index: number,
  history: PublishedHistory,
): Promise<JsonObject | undefined> {
  const { api, base, graph } = history;
  const { id } = itemAt(graph.revisions, index);
  const [version] = older;
  const hasOneStart = graph.parents.filter((parents) => parents.length === 0).length === 1;
  const isThere =
    hasOneStart || (older.length === 1 ? isNodeAtStart(path, startOf(index, history), history) : undefined);
  if (isThere === false) return undefined;
  if (version && isThere) return await bodyOf(linkOf(version, 'self'), path, id, history);
  const snapshot = snapshotUrl(id);
  const read = await api.get(base.pathOnServer(resourceUrl(path, snapshot)));
  if (read) return sourceFields(read.body);
  if (await api.get(base.pathOnServer(snapshot))) return undefined;
  return fail(finding('no-version-at', { path, id }));
}

/** Returns the oldest listed revision on the line to a revision. */
export function startOf(index: number, { graph }: PublishedHistory): string {
  const [at = index] = firstParentLine(graph, index).slice(-1);
  return itemAt(graph.revisions, at).id;
}

/** Reads the last change of a resource up to the revision `index`. */
async function bodyAfter(
  { action, href }: JsonObject,
  path: string,
  index: number,
  history: PublishedHistory,
): Promise<JsonObject | undefined> {
  if (action === 'removed') return undefined;
  const { id } = itemAt(history.graph.revisions, index);
  return (await bodyOf(textOf(href), path, id, history)) ?? fail(finding('no-version-at', { path, id }));
}

/** Reads a version document. Returns undefined if the revision removed the resource. */
async function bodyOf(
  href: string | undefined,
  path: string,
  id: string,
  { api, base }: PublishedHistory,
): Promise<JsonObject | undefined> {
  const read = href === undefined ? undefined : await api.get(base.resolve(href));
  if (!read) return fail(finding('no-version-at', { path, id }));
  if (read.body['resource'] === undefined) return fail(finding('site-shape', { url: read.url, lacks: 'resource' }));
  return bodyIn(read.body);
}

function bodyIn({ resource }: JsonObject): JsonObject | undefined {
  return isJsonObject(resource) ? sourceFields(resource) : undefined;
}

export async function membersAt(
  path: string,
  index: number,
  { api, base, graph }: PublishedRevisions,
): Promise<string[]> {
  const { id } = itemAt(graph.revisions, index);
  const isHead = index === graph.revisions.length - 1;
  const target = base.pathOnServer(isHead ? resourceUrl(path) : resourceUrl(path, snapshotUrl(id)));
  const read = await api.get(target);
  if (!read) return fail(finding('no-snapshot', { id, url: api.format(target) }));
  const { items } = read.body;
  if (!Array.isArray(items)) return fail(finding('site-shape', { url: read.url, lacks: 'items' }));
  return items.flatMap((item) => (isJsonObject(item) ? [textOf(item['uid'])] : []));
}

/** The first and the last change of a resource. */
interface Changed {
  readonly first: JsonObject;
  readonly last: JsonObject;
}

/**
 * Returns the changes by path on the line to a revision, since its last common revision with the line to another. Omits
 * kinds that the registry declares, because their names are unknown.
 */
export async function changesSince(
  other: number,
  index: number,
  within: string,
  history: PublishedHistory,
): Promise<ReadonlyMap<string, Changed>> {
  const common = new Set(firstParentLine(history.graph, other));
  const line = firstParentLine(history.graph, index).filter((at) => !common.has(at));
  const changed = new Map<string, Changed>();
  for (const changes of await Promise.all(line.map(history.changesAt))) {
    for (const [path, change] of changes) {
      if (isAtOrBelow(path, within) && parsePath(path, KINDS))
        changed.set(path, { first: change, last: changed.get(path)?.last ?? change });
    }
  }
  return changed;
}

/**
 * Returns the bodies of changed resources at a revision. `changed` has the changes on the line to this revision, and
 * `changedThere` the changes on the line to the compared revision, both since the last common revision.
 */
export async function bodiesAt(
  index: number,
  changed: ReadonlyMap<string, Changed>,
  changedThere: ReadonlyMap<string, Changed>,
  history: PublishedHistory,
): Promise<ReadonlyMap<string, JsonObject>> {
  const bodyOf = async (path: string): Promise<JsonObject | undefined> => {
    const own = changed.get(path);
    if (own) return await bodyAfter(own.last, path, index, history);
    const isNew = changedThere.get(path)?.first['action'] === 'added';
    return isNew ? undefined : await bodyAt(path, index, history);
  };
  const paths = new Set([...changed.keys(), ...changedThere.keys()]);
  const read = await Promise.all(Array.from(paths, async (path) => [path, await bodyOf(path)] as const));
  return new Map(read.flatMap(([path, body]) => (body ? [[path, body] as const] : [])));
}

/** Matches the paths of all kinds, including kinds that this program does not know. */
const RESOURCE_PATH = /^(?:[\w~-][\w.~-]*(?:\/(?!$)|$))*$/;

/** Reads the changes of a revision against its first parent, by path. */
async function changesOf(id: string, { api, base }: PublishedRevisions): Promise<ReadonlyMap<string, JsonObject>> {
  const target = base.pathOnServer(versionUrl('', id));
  const { url, body } = (await api.get(target)) ?? fail(finding('site-dead-link', { url: api.format(target) }));
  if (!Array.isArray(body['changes'])) return fail(finding('site-shape', { url, lacks: 'changes' }));
  const mount = base.pathOnServer('');
  const changes = objectsIn(body['changes']);
  return new Map(
    changes.map((change) => {
      const resolved = base.resolve(textOf(change['href'])).slice(mount.length + 1);
      const path = resolved.replace(/(^|\/)versions(\/[^/]*)?$/, '');
      if (!RESOURCE_PATH.test(path)) fail(finding('site-shape', { url, lacks: 'changes' }));
      return [path, change] as const;
    }),
  );
}
