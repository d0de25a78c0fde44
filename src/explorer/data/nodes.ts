import { changesUrl, versionsUrl, versionUrl } from '../../core/api/urls.ts';
import { sourceFields } from '../../core/api/written-fields.ts';
import { isJsonObject, itemsIn, type JsonObject, objectsIn, textOf } from '../../core/model/json.ts';
import { bodyAt } from '../../core/table/node-table.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { type DocumentReader, linkTo, number, ReadError, RevisionChangedError } from './reader.ts';
import type { ShownRegistry } from './registry.ts';

interface ReadNode {
  readonly body: JsonObject;
  /** True if the body comes from the node table, which omits some fields. */
  readonly isPartial: boolean;
  readonly latest: string | undefined;
}

/** Reads a node's document. Uses the node table if the document is missing or the revision is not the head. */
export async function readNode(
  reader: DocumentReader,
  fleet: Fleet,
  row: number,
  { version, newest }: Pick<ShownRegistry, 'version' | 'newest'>,
): Promise<ReadNode> {
  const read = version === newest ? await reader.read(`/${fleet.pathOf(row)}`) : undefined;
  if (!read) return { body: tableBody(fleet, row), isPartial: fleet.table.omittedFields.length > 0, latest: undefined };
  if (read['version'] !== version) throw new RevisionChangedError('Another revision was published.');
  return { body: sourceFields(read), isPartial: false, latest: latestOf(read) };
}

/** Reads complete nodes, with one request for each cluster. */
export async function wholeNodes(
  reader: DocumentReader,
  fleet: Fleet,
  rows: readonly number[],
  version: string,
): Promise<(ReadNode & { readonly row: number })[]> {
  const collections = new Set(rows.map((row) => fleet.pathOf(row).replace(/\/[^/]+$/, '')));
  const byPath = new Map<string, JsonObject>();
  const read = async (path: string) => {
    const collection = await reader.read(`/${path}`);
    if (collection?.['version'] !== version) throw new RevisionChangedError('Another revision was published.');
    for (const item of objectsIn(collection['items'])) byPath.set(`${path}/${textOf(item['uid'])}`, item);
  };
  await Promise.all([...collections].map(read));
  return rows.flatMap((row) => {
    const item = byPath.get(fleet.pathOf(row));
    return item ? [{ row, body: sourceFields(item), isPartial: false, latest: latestOf(item) }] : [];
  });
}

export function tableBody({ table }: Fleet, row: number): JsonObject {
  return { uid: table.uids[row] ?? '', ...bodyAt(table, row) };
}

export function latestOf(node: JsonObject): string | undefined {
  return linkTo(node, 'latest-version')?.split('/').at(-1);
}

export interface VersionSummary {
  readonly id: string;
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly classes: readonly string[];
  /** The number of resources that the revision changed. */
  readonly resources: number;
  /** True if the tree omits the versions before this one. */
  readonly isTruncated: boolean;
}

/** Returns the versions of a resource, newest first. The empty path stands for the whole registry. */
export async function versionsOf(reader: DocumentReader, path: string): Promise<VersionSummary[] | undefined> {
  return reader.isLocal && path !== '' ? versionsInChanges(reader, path) : listedVersions(reader, path);
}

/** Finds the versions of a node in the change feed. Returns only versions on the head's first-parent line. */
async function versionsInChanges(reader: DocumentReader, path: string): Promise<VersionSummary[] | undefined> {
  const revisions = await listedVersions(reader, '');
  const changes = (await allPages(reader, changesUrl(''))).flatMap(changesIn).filter((change) => change.path === path);
  const isTruncated = revisions?.at(-1)?.isTruncated === true;
  if (!revisions || (changes.length === 0 && !isTruncated)) return undefined;
  const classesAt = new Map(changes.map(({ revision, classes }) => [revision, classes]));
  const isAdded = changes.at(-1)?.action === 'added';
  // A limited history starts with a version of each node that already existed.
  const versions = revisions.filter((revision) => classesAt.has(revision.id) || (revision.isTruncated && !isAdded));
  return versions.map((version, i) => ({
    ...version,
    classes: classesAt.get(version.id) ?? [],
    isTruncated: isTruncated && i === versions.length - 1,
  }));
}

async function listedVersions(reader: DocumentReader, path: string): Promise<VersionSummary[] | undefined> {
  const pages = await allPages(reader, versionsUrl(path));
  return pages.length === 0 ? undefined : pages.flatMap(({ items }) => objectsIn(items)).map(versionFrom);
}

/** Returns the newest revisions of the registry, newest first. Reads only one page of the list. */
export async function newestRevisions(reader: DocumentReader): Promise<VersionSummary[]> {
  return objectsIn((await reader.read(versionsUrl('')))?.['items']).map(versionFrom);
}

/** Reads a page and all older pages through `next` links. Returns an empty list if the page does not exist. */
async function allPages(reader: DocumentReader, first: string): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  for (let path: string | undefined = first; path !== undefined; ) {
    const page: JsonObject | undefined = await reader.read(path);
    if (page) pages.push(page);
    path = page && olderPage(reader, page);
  }
  return pages;
}

function olderPage(reader: DocumentReader, page: JsonObject): string | undefined {
  const href = linkTo(page, 'next');
  return href === undefined ? undefined : reader.pathOf(href);
}

function versionFrom({ uid, timestamp, author, message, changes, older_left_out }: JsonObject): VersionSummary {
  const { classes: byClass, ...actions } = isJsonObject(changes) ? changes : {};
  return {
    id: textOf(uid),
    date: textOf(timestamp),
    author: textOf(author),
    message: textOf(message),
    classes: isJsonObject(byClass) ? Object.keys(byClass) : [],
    resources: Object.values(actions).reduce((sum: number, count) => sum + number(count), 0),
    isTruncated: older_left_out === true,
  };
}

/** Reads the document of a revision. In an offline copy, the changes do not list their fields. */
export async function readRevision(reader: DocumentReader, id: string): Promise<JsonObject | undefined> {
  const read = await reader.read(versionUrl('', id));
  if (!read || Array.isArray(read['changes'])) return read;
  const feed = (await allPages(reader, changesUrl(''))).flatMap(({ items }) => objectsIn(items));
  const changes = feed
    .filter(({ revision }) => revision === id)
    .map(({ resource, action, classes }) => ({
      href: textOf(resource),
      action: textOf(action),
      classes: itemsIn(classes),
    }));
  return { ...read, changes };
}

export async function bodyOfVersion(reader: DocumentReader, path: string, id: string): Promise<JsonObject | null> {
  const read = await reader.read(versionUrl(path, id));
  if (!read) throw new ReadError(`Version ${id} of this node does not exist.`);
  const { resource } = read;
  return isJsonObject(resource) ? sourceFields(resource) : null;
}

export interface Change {
  readonly revision: string;
  readonly date: string;
  /** The path has no leading slash. */
  readonly path: string;
  readonly action: string;
  readonly classes: readonly string[];
}

interface ChangePage {
  readonly changes: readonly Change[];
  readonly older: string | undefined;
}

export async function readChanges(reader: DocumentReader, path: string): Promise<ChangePage | undefined> {
  const page = await reader.read(path);
  return page && { changes: changesIn(page), older: olderPage(reader, page) };
}

function changesIn({ items }: JsonObject): Change[] {
  return objectsIn(items).map(({ revision, timestamp, resource, action, classes }) => ({
    revision: textOf(revision),
    date: textOf(timestamp),
    action: textOf(action),
    path: textOf(resource).replace(/^\//, ''),
    classes: itemsIn(classes).map(textOf),
  }));
}
