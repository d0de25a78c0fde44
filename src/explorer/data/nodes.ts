/** Nodes and their pasts as the API has them: whole bodies, and the versions of each. */

import { changesUrl, versionsUrl, versionUrl } from '../../core/api/urls.ts';
import { sourceFields } from '../../core/api/written-fields.ts';
import { isJsonObject, itemsIn, type JsonObject } from '../../core/model/json.ts';
import { bodyAt } from '../../core/table/node-table.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { type DocumentReader, linkTo, MovedError, ReadError, text } from './reader.ts';
import type { ShownRegistry } from './registry.ts';

interface ReadNode {
  readonly body: JsonObject;
  /** Whether fields are missing that the table leaves out. */
  readonly isPartial: boolean;
  readonly latest: string | undefined;
}

/** Of former revisions, and from a folder where the pasts of nodes would be too long, what the table knows. */
export async function readNode(
  reader: DocumentReader,
  fleet: Fleet,
  row: number,
  { version, newest }: Pick<ShownRegistry, 'version' | 'newest'>,
): Promise<ReadNode> {
  const read = version === newest ? await reader.read(`/${fleet.pathOf(row)}`) : undefined;
  if (!read) return { body: tableBody(fleet, row), isPartial: fleet.table.leftOut.length > 0, latest: undefined };
  if (read['version'] !== version) throw new MovedError('Another revision was published.');
  return { body: sourceFields(read), isPartial: false, latest: latestOf(read) };
}

/** The nodes of rows, from as few documents as can be: a cluster's nodes come together. */
export async function wholeNodes(
  reader: DocumentReader,
  fleet: Fleet,
  rows: readonly number[],
  version: string,
): Promise<(ReadNode & { readonly row: number })[]> {
  const clusters = new Set(rows.map((row) => fleet.pathOf(row).replace(/\/[^/]+$/, '')));
  const documents = await Promise.all([...clusters].map((path) => reader.read(`/${path}`)));
  const byPath = new Map<string, JsonObject>();
  for (const [i, path] of [...clusters].entries()) {
    if (documents[i]?.['version'] !== version) throw new MovedError('Another revision was published.');
    for (const item of itemsIn(documents[i]?.['items'])) {
      if (isJsonObject(item)) byPath.set(`${path}/${text(item['uid'])}`, item);
    }
  }
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
  /** ISO 8601. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly classes: readonly string[];
  readonly isCut: boolean;
}

/** Undefined where there is no history to read. An empty path is that of the registry. */
export async function versionsOf(reader: DocumentReader, path: string): Promise<VersionSummary[] | undefined> {
  return reader.isLocal && path !== '' ? versionsInChanges(reader, path) : listedVersions(reader, path);
}

/** The versions of a node according to the changes of the registry, which are those on the main line. */
async function versionsInChanges(reader: DocumentReader, path: string): Promise<VersionSummary[] | undefined> {
  const [revisions, changes] = [await listedVersions(reader, ''), await changesOf(reader, path)];
  const isCut = revisions?.at(-1)?.isCut === true;
  if (!revisions || (changes.length === 0 && !isCut)) return undefined;
  const classesAt = new Map(changes.map(({ revision, classes }) => [revision, classes]));
  const isAdded = changes.at(-1)?.action === 'added';
  // The revision at which a history is cut is a version of each node that was there before.
  const versions = revisions.filter((revision) => classesAt.has(revision.id) || (revision.isCut && !isAdded));
  return versions.map((version, i) => ({
    ...version,
    classes: classesAt.get(version.id) ?? [],
    isCut: isCut && i === versions.length - 1,
  }));
}

async function listedVersions(reader: DocumentReader, path: string): Promise<VersionSummary[] | undefined> {
  const versions: VersionSummary[] = [];
  // A long history is in pages, of which each leads to the next older one.
  for (let at: string | undefined = versionsUrl(path); at !== undefined; ) {
    const read: JsonObject | undefined = await reader.read(at);
    if (!read && at === versionsUrl(path)) return undefined;
    versions.push(...itemsIn(read?.['items']).filter(isJsonObject).map(versionFrom));
    const older = read && linkTo(read, 'next');
    at = older === undefined ? undefined : reader.pathOf(older);
  }
  return versions;
}

function versionFrom({ uid, timestamp, author, message, changes, older_left_out }: JsonObject): VersionSummary {
  const classes = isJsonObject(changes) && isJsonObject(changes['classes']) ? Object.keys(changes['classes']) : [];
  return {
    id: text(uid),
    date: text(timestamp),
    author: text(author),
    message: text(message),
    classes,
    isCut: older_left_out === true,
  };
}

/** What a node was at one of its versions; null once it was gone. */
export async function bodyOfVersion(reader: DocumentReader, path: string, id: string): Promise<JsonObject | null> {
  const read = await reader.read(versionUrl(path, id));
  if (!read) throw new ReadError(`The version ${id} of this node is not there.`);
  const { resource } = read;
  return isJsonObject(resource) ? sourceFields(resource) : null;
}

/** The feed of changes, page by page, the newest first. */
export interface Change {
  readonly revision: string;
  /** ISO 8601. */
  readonly date: string;
  /** Without the slash that it begins with. */
  readonly path: string;
  readonly action: string;
  readonly classes: readonly string[];
}

interface ChangePage {
  readonly changes: readonly Change[];
  readonly older: string | undefined;
}

export async function readChanges(reader: DocumentReader, path: string): Promise<ChangePage | undefined> {
  const read = await reader.read(path);
  if (!read) return undefined;
  const changes = itemsIn(read['items']).filter(isJsonObject).map(changeFrom);
  const older = linkTo(read, 'next');
  return { changes, older: older === undefined ? undefined : reader.pathOf(older) };
}

async function changesOf(reader: DocumentReader, path: string): Promise<Change[]> {
  const found: Change[] = [];
  for (let page: string | undefined = changesUrl(''); page !== undefined; ) {
    const read: ChangePage | undefined = await readChanges(reader, page);
    found.push(...(read?.changes ?? []).filter((change) => change.path === path));
    page = read?.older;
  }
  return found;
}

function changeFrom({ revision, timestamp, resource, action, classes }: JsonObject): Change {
  return {
    revision: text(revision),
    date: text(timestamp),
    action: text(action),
    path: text(resource).replace(/^\//, ''),
    classes: itemsIn(classes).map(text),
  };
}
