/** Runs `log`, `show` and `diff` on the version documents of a tree or a service. */

import { resourceUrl, snapshotUrl, versionsUrl, versionUrl } from '../../core/api/urls.ts';
import { sourceFields } from '../../core/api/written-fields.ts';
import { linkOf, listVersions } from '../../core/client/pinned-reader.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { MOST_SUGGESTIONS, suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { changesOfBodies } from '../../core/history/changes-between.ts';
import { firstParentLine } from '../../core/history/graph.ts';
import { ACTIONS } from '../../core/history/revision-file.ts';
import type { Counts } from '../../core/history/touches.ts';
import { namesIn } from '../../core/lock/node-source.ts';
import { publishedNodes } from '../../core/lock/published-nodes.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject, objectsIn, textOf } from '../../core/model/json.ts';
import { KINDS, kindsWith } from '../../core/model/kinds.ts';
import { isAtOrBelow, lastSegment, parsePath, type Subject } from '../../core/model/resource-path.ts';
import { isoTimestamp } from '../../core/model/revision.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { getOrCreate, itemAt } from '../../core/platform/lookups.ts';
import { originOf } from '../lock/node-source.ts';
import { type ReachOptions, readPublished } from '../lock/published-source.ts';
import { type DiffOptions, type DiffResult, diff, sideAt } from '../revisions/diff.ts';
import { countsOf, differingResources, displayNameOf } from '../revisions/differing-resources.ts';
import { filterOf, type LogEntry, type LogOptions, type LogResult, log } from '../revisions/log.ts';
import {
  namedAt,
  type ResolvedSide,
  type ResourceDiffOptions,
  type ResourceDiffResult,
  resourceDiff,
  resourceDifference,
} from '../revisions/resource-diff.ts';
import { type ShowOptions, type ShowResult, show } from '../revisions/show.ts';
import { isNodeAtStart, nodesEverCalled } from './names-in-history.ts';
import { type PublishedRevisions, publishedIndex, publishedRevisions } from './published-fleet.ts';

interface PublishedOptions extends Pick<ReachOptions, 'timeout' | 'maxRequests' | 'config'> {
  /** A base URL, or the folder of a tree or a registry. */
  readonly place: string;
}

export function publishedLog(options: LogOptions & PublishedOptions): Promise<LogResult> {
  return askPlace(options, log, async (history) => {
    const subject = await anySubjectNamed(options.resource ?? '', history);
    const items = await versionsOf(subject.path, history);
    const isAsked = filterOf(options);
    const entries = items.map(entryOf);
    const found = entries.filter(
      (entry) => isAsked(entry) && (options.classes?.some((name) => (entry.changes.classes[name] ?? 0) > 0) ?? true),
    );
    return { resource: `/${subject.path}`, total: found.length, revisions: found.slice(0, options.limit) };
  });
}

export function publishedShow(options: ShowOptions & PublishedOptions): Promise<ShowResult> {
  return askPlace(options, show, async (history) => {
    const index = await publishedIndex(options.at ?? 'head', history);
    const subject = await anySubjectNamed(options.resource, history, index);
    const { id, date } = itemAt(history.graph.revisions, index);
    const { path } = subject;
    const body = subject.isCollection ? await membersAt(path, index, history) : await bodyAt(path, index, history);
    if (body === undefined) return fail(finding('resource-not-at', { path, id }));
    return { resource: `/${path}`, revision: id, date, body };
  });
}

export function publishedDiff(options: DiffOptions & PublishedOptions): Promise<DiffResult> {
  return askPlace(options, diff, async (history) => {
    const [from, to] = [await publishedIndex(options.from, history), await publishedIndex(options.to, history)];
    const { path } = await subjectNamed(options.resource ?? '', history);
    if (startOf(from, history) !== startOf(to, history)) {
      const [one, other] = [from, to].map((at) => itemAt(history.graph.revisions, at).id);
      fail(finding('older-revisions', { from: textOf(one), to: textOf(other) }));
    }
    const changedFrom = await changesSince(to, from, path, history);
    const changedTo = await changesSince(from, to, path, history);
    const before = await bodiesAt(from, changedFrom, changedTo, history);
    const after = await bodiesAt(to, changedTo, changedFrom, history);
    const compared = changesOfBodies(before, after, KINDS);
    const changes = differingResources(compared, { within: path, classes: options.classes });
    const sides = { from: sideAt(history.graph, from), to: sideAt(history.graph, to) };
    return { ...sides, resource: `/${path}`, counts: countsOf(changes), changes };
  });
}

export function publishedResourceDiff(options: ResourceDiffOptions & PublishedOptions): Promise<ResourceDiffResult> {
  return askPlace(options, resourceDiff, async (history) => {
    const sideOf = async (given: string): Promise<ResolvedSide> => {
      const named = namedAt(given, options.at ?? 'head');
      const index = await publishedIndex(named.moment, history);
      const { path, kind, isCollection } = await subjectNamed(named.given, history, index);
      if (isCollection) return fail(finding('collection-not-compared', { path }));
      const body = await bodyAt(path, index, history);
      const side = sideAt(history.graph, index);
      if (!body) return fail(finding('resource-not-at', { path, id: itemAt(history.graph.revisions, index).id }));
      return { kind, body, side: { resource: `/${path}`, name: displayNameOf(body), ...side } };
    };
    return resourceDifference(await sideOf(options.from), await sideOf(options.to), options.classes);
  });
}

interface PublishedHistory extends PublishedRevisions {
  /** Maps paths to the changes of a revision. Repeated calls do not read the changes again. */
  readonly changesAt: (index: number) => Promise<ReadonlyMap<string, JsonObject>>;
  /** Whether all revisions are on the line of the newest one. */
  readonly isLinear: boolean;
}

function withChanges(revisions: PublishedRevisions): PublishedHistory {
  const known = new Map<number, Promise<ReadonlyMap<string, JsonObject>>>();
  const read = (index: number) => changesOf(itemAt(revisions.graph.revisions, index).id, revisions);
  const { length } = revisions.graph.revisions;
  return {
    ...revisions,
    changesAt: (index) => getOrCreate(known, index, () => read(index)),
    isLinear: firstParentLine(revisions.graph, length - 1).length === length,
  };
}

async function askPlace<O extends PublishedOptions, T>(
  options: O,
  ofRegistry: (options: O) => T | Promise<T>,
  ofPublished: (history: PublishedHistory) => Promise<T>,
): Promise<T> {
  const origin = originOf(options.place);
  if (origin.kind === 'registry') return await ofRegistry({ ...options, registry: origin.place });
  const { timeout, maxRequests, config } = options;
  return await readPublished(origin, { timeout, maxRequests, config }, async (api) =>
    ofPublished(withChanges(await publishedRevisions(api, true))),
  );
}

/** Finds a resource by its path, or a node by its uid or name. Prefers nodes with this name at the revision `index`. */
async function subjectNamed(given: string, history: PublishedHistory, index?: number): Promise<Subject> {
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
async function anySubjectNamed(given: string, history: PublishedHistory, index?: number): Promise<Subject> {
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

async function versionsOf(path: string, { api, base }: PublishedRevisions): Promise<readonly JsonObject[]> {
  const target = base.pathOnServer(versionsUrl(path));
  const versions = await listVersions(base, target, api.get, api.get);
  return versions ?? fail(finding('site-dead-link', { url: api.format(target) }));
}

function entryOf({ uid, date, author, message, changes }: JsonObject): LogEntry {
  const seconds = Math.floor(Date.parse(textOf(date)) / 1000);
  return {
    id: textOf(uid),
    date: Number.isFinite(seconds) ? isoTimestamp(seconds) : '',
    author: textOf(author),
    message: textOf(message),
    changes: countsFrom(changes),
  };
}

function countsFrom(changes: Json | undefined): Counts {
  const numberIn = (holder: Json | undefined, name: string) => {
    const value = isJsonObject(holder) ? holder[name] : undefined;
    return typeof value === 'number' ? value : 0;
  };
  const classes = isJsonObject(changes) ? changes['classes'] : undefined;
  const [added = 0, updated = 0, removed = 0, replaced = 0] = ACTIONS.map((action) => numberIn(changes, action));
  return {
    added,
    updated,
    removed,
    replaced,
    classes: Object.fromEntries(
      FIELD_CLASSES.flatMap((name) => (numberIn(classes, name) > 0 ? [[name, numberIn(classes, name)]] : [])),
    ),
  };
}

/** Returns undefined if the resource did not exist at this revision. */
async function bodyAt(path: string, index: number, history: PublishedHistory): Promise<JsonObject | undefined> {
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
function startOf(index: number, { graph }: PublishedHistory): string {
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

async function membersAt(path: string, index: number, { api, base, graph }: PublishedRevisions): Promise<string[]> {
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
async function changesSince(
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
async function bodiesAt(
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
