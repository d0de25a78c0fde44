/**
 * The documents of nodes, of their versions and of the changes, made of the history that lies beside the page: as the API has them,
 * as far as the page reads them. What a revision did to a node is applied to what its first parent had.
 */
import { PAGE_SIZE } from '../../core/api/page-size.ts';
import {
  changesPageAt,
  changesPageUrl,
  pathOfVersions,
  resourceUrl,
  versionAt,
  versionUrl,
} from '../../core/api/urls.ts';
import { fieldOf } from '../../core/model/differences/difference.ts';
import { patch } from '../../core/model/differences/patch.ts';
import { byCodeUnit, isJsonObject, itemsIn, type Json, type JsonObject } from '../../core/model/json.ts';
import { type Lazy, lazily } from '../../core/platform/on-demand.ts';
import { number, text } from './json-values.ts';

interface Revision {
  readonly uid: string;
  readonly timestamp: string;
  readonly author: string;
  readonly message: string;
  /** The index of the first parent; -1 for none. */
  readonly parent: number;
  /** Whether what was before it is left out: its changes are then in no feed. */
  readonly isBase: boolean;
}

/** What a revision did to a resource. */
interface Event {
  readonly index: number;
  readonly action: string;
  readonly classes: readonly Json[];
  /** The body of a node that came, the fields of one that changed, the successor of what went. */
  readonly told: Json | undefined;
}

interface Past {
  readonly version: string;
  readonly revisions: readonly Revision[];
  readonly resources: ReadonlyMap<string, Resource>;
  /** All changes on the head's line of first parents, the oldest first. */
  readonly changes: Lazy<readonly JsonObject[]>;
}

interface Resource {
  readonly path: string;
  /** By the index of the revision. */
  readonly events: ReadonlyMap<number, Event>;
  /** The indexes of its revisions, the newest first; undefined where it has no history here. */
  readonly versions: readonly number[] | undefined;
  /** What was found out of its bodies, by the index of the revision. */
  readonly bodies: Map<number, JsonObject | null>;
}

/** Undefined where the history is not there. `told` is what lies beside the page. */
export function pastDocuments(told: JsonObject): ((path: string) => JsonObject | undefined) | undefined {
  if (!Array.isArray(told['resources'])) return undefined;
  const revisions = itemsIn(told['revisions']).filter(isJsonObject).map(revisionFrom);
  const resources = new Map(
    told['resources']
      .filter(isJsonObject)
      .map((each) => [text(each['path']), resourceFrom(each, itemsIn(told['told']))] as const),
  );
  const changes = lazily(() => changesIn(revisions, resources));
  const past: Past = { version: text(told['version']), revisions, resources, changes };
  return (path) => documentAt(past, path);
}

function revisionFrom({ uid, timestamp, author, message, parent, older_left_out }: JsonObject): Revision {
  return {
    uid: text(uid),
    timestamp: text(timestamp),
    author: text(author),
    message: text(message),
    parent: typeof parent === 'number' ? parent : -1,
    isBase: older_left_out === true,
  };
}

function resourceFrom({ path, events, versions, began }: JsonObject, told: readonly Json[]): Resource {
  const made = itemsIn(events).map((event): Event => {
    const [index, action, classes, place] = itemsIn(event);
    return {
      index: number(index),
      action: text(action),
      classes: itemsIn(classes),
      told: typeof place === 'number' ? told[place] : undefined,
    };
  });
  return {
    path: text(path),
    events: new Map(made.map((event) => [event.index, event])),
    versions: Array.isArray(versions) ? versions.map(number) : undefined,
    bodies: new Map(itemsIn(began).map((body) => bodyFrom(body, told))),
  };
}

/** What a node was after a revision before which everything is left out. */
function bodyFrom(began: Json, told: readonly Json[]): readonly [index: number, body: JsonObject | null] {
  const [index, place] = itemsIn(began).map(number);
  const body = told[place ?? -1];
  return [index ?? -1, isJsonObject(body) ? body : null];
}

function documentAt(past: Past, path: string): JsonObject | undefined {
  const page = changesPageAt(path);
  if (page !== undefined) return changesPage(past, page === 'newest' ? Number.POSITIVE_INFINITY : page);
  const listed = pathOfVersions(path);
  if (listed !== undefined) {
    const subject = past.resources.get(listed);
    return subject?.versions && versionsOf(past, subject);
  }
  const version = versionAt(path);
  const resource = past.resources.get(version?.path ?? path.slice(1));
  if (version) return resource && versionOf(past, resource, version.id);
  if (resource?.versions) return nodeOf(past, resource);
  return collectionAt(past, path);
}

function nodeOf(past: Past, resource: Resource): JsonObject | undefined {
  const body = bodyAt(past, resource, past.revisions.length - 1);
  if (!body) return undefined;
  const latest = resource.versions?.find((index) => resource.events.has(index)) ?? -1;
  const href = versionUrl(resource.path, past.revisions[latest]?.uid ?? '');
  return { ...body, version: past.version, links: [{ rel: 'latest-version', href }] };
}

/** The nodes of a cluster, as they are now. */
function collectionAt(past: Past, path: string): JsonObject | undefined {
  if (!path.endsWith('/nodes')) return undefined;
  const nodes = [...past.resources.values()].filter(
    (resource) => resource.versions && `/${resource.path}`.startsWith(`${path}/`),
  );
  const items = nodes.flatMap((resource) => nodeOf(past, resource) ?? []);
  return { total: items.length, items, version: past.version };
}

function versionsOf(past: Past, resource: Resource): JsonObject {
  const touched = resource.path === '' ? classesByRevision(past) : undefined;
  const versions = resource.versions ?? [];
  const items = versions.map((index, i) => {
    const classes = touched ? [...(touched.get(index) ?? [])] : resource.events.get(index)?.classes;
    const { uid = '', isBase = false } = past.revisions[index] ?? {};
    // What did not begin with its oldest version had others before it.
    const isCut = isBase && i === versions.length - 1 && resource.events.get(index)?.action !== 'added';
    return {
      ...toldOf(past, index),
      ...(isCut ? { older_left_out: true } : {}),
      changes: { classes: Object.fromEntries((classes ?? []).map((name) => [text(name), 1])) },
      links: [{ rel: 'self', href: versionUrl(resource.path, uid) }],
    };
  });
  return { total: items.length, items, version: past.version };
}

function classesByRevision({ resources }: Past): Map<number, Set<Json>> {
  const found = new Map<number, Set<Json>>();
  for (const { events } of resources.values()) {
    for (const { index, classes } of events.values()) {
      const known = found.get(index) ?? new Set();
      found.set(index, known);
      for (const name of classes) known.add(name);
    }
  }
  return found;
}

function versionOf(past: Past, resource: Resource, id: string): JsonObject | undefined {
  const index = past.revisions.findIndex(({ uid }) => uid === id);
  if (index < 0) return undefined;
  const event = resource.events.get(index);
  const { action, classes = [], told } = event ?? {};
  const change = {
    action: action ?? '',
    classes,
    ...(Array.isArray(told) ? { fields: told } : {}),
    ...(typeof told === 'string' ? { successor: told } : {}),
  };
  return {
    ...toldOf(past, index),
    changes: event ? [change] : [],
    resource: bodyAt(past, resource, index),
    version: id,
  };
}

function toldOf({ revisions }: Past, index: number): JsonObject {
  const { uid = '', timestamp = '', author = '', message = '' } = revisions[index] ?? {};
  return { uid, timestamp, author, message };
}

/** What a node was after a revision; null where it was not there. */
function bodyAt(past: Past, resource: Resource, index: number): JsonObject | null {
  const unknown: Event[] = [];
  let at = index;
  let body: JsonObject | null = null;
  for (; at >= 0; at = past.revisions[at]?.parent ?? -1) {
    const known = resource.bodies.get(at);
    if (known !== undefined) {
      body = known;
      break;
    }
    const event = resource.events.get(at);
    if (event) unknown.push(event);
  }
  for (const event of unknown.reverse()) {
    body = bodyAfter(body, event);
    resource.bodies.set(event.index, body);
  }
  return body;
}

function bodyAfter(before: JsonObject | null, { told }: Event): JsonObject | null {
  if (isJsonObject(told)) return told;
  if (!Array.isArray(told) || !before) return null;
  const patched = patch(before, told.flatMap(fieldOf));
  return patched.conflict ? null : patched.body;
}

/** By revision, the oldest first, and in code-unit order of paths. */
function changesIn(revisions: Past['revisions'], resources: Past['resources']): JsonObject[] {
  const byRevision = new Map<number, { readonly path: string; readonly event: Event }[]>();
  for (const { path, events } of resources.values()) {
    for (const event of events.values()) {
      const known = byRevision.get(event.index);
      if (known) known.push({ path, event });
      else byRevision.set(event.index, [{ path, event }]);
    }
  }
  const line: number[] = [];
  for (let at = revisions.length - 1; at >= 0; at = revisions[at]?.parent ?? -1) line.push(at);
  return line.reverse().flatMap((at) => {
    const { uid = '', timestamp = '', isBase = false } = revisions[at] ?? {};
    if (isBase) return [];
    const made = (byRevision.get(at) ?? []).sort((a, b) => byCodeUnit(a.path, b.path));
    return made.map(({ path, event: { action, classes } }) => ({
      revision: uid,
      timestamp,
      resource: resourceUrl(path),
      action,
      classes: [...classes],
    }));
  });
}

/** Counted from the oldest, which is 1; the newest where there is none of that number. */
function changesPage({ changes, version }: Past, number: number): JsonObject {
  const all = changes();
  const page = Math.min(number, Math.floor(all.length / PAGE_SIZE) + 1);
  const items = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).reverse();
  const older = { rel: 'next', href: changesPageUrl('', page - 1) };
  return { total: items.length, items, version, links: page > 1 ? [older] : [] };
}
