/**
 * What publishing a tree changes: its documents held against those of the manifest that is there, by digest, media type,
 * cache class and headers. Where other publications were begun and not finished, a document is as it was only if none of them
 * has another one.
 */

import { type CacheClass, endpointOf } from '../../core/api/endpoints.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { fileOfUrl, MANIFEST_URL, NOT_FOUND_FILE } from '../../core/tree/layout.ts';
import type { DocumentEntry, ManifestEntries, ManifestEntry } from '../../core/tree/manifest/manifest-entries.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import type { DocumentsByPath, ServedDocument } from '../../core/tree/served-documents.ts';
import { urlOfRequest } from '../../core/tree/url-forms.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { requestForms } from './bucket/bucket-objects.ts';

export interface PublishedDocuments {
  readonly documents: DocumentsByPath;
  /** Whether documents of a cache class were sent with the headers that they would get now. */
  readonly hasSameHeaders: (cache: CacheClass) => boolean;
}

export interface PublishedState {
  /** Those of the manifest that is there; undefined where nothing of it can be relied on. */
  readonly published: PublishedDocuments | undefined;
  /** Those of each publication that was begun since; undefined where that is not known. */
  readonly inProgress: readonly (PublishedDocuments | undefined)[];
}

export type PublishingReason =
  | 'new'
  | 'other-content'
  | 'immutable-content'
  | 'other-type'
  | 'other-cache'
  | 'other-headers'
  | 'unknown'
  | 'unfinished'
  | 'not-in-tree';

export interface PublishedChange {
  readonly path: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly reason: PublishingReason;
}

export interface PublishedDifference {
  readonly sent: readonly PublishedChange[];
  /** What is there and no longer in the tree: publishing leaves it, pruning removes it. */
  readonly obsolete: readonly PublishedChange[];
  readonly unchanged: number;
}

export function publishedDifference(tree: DocumentsByPath, state: PublishedState): PublishedDifference {
  const sent: PublishedChange[] = [];
  for (const path of tree.keys()) {
    const document = tree.get(path);
    const change = document && changeOf(path, document, state);
    if (change) sent.push(change);
  }
  const obsolete: PublishedChange[] = [];
  for (const path of state.published?.documents.keys() ?? [])
    if (!tree.has(path)) obsolete.push({ path, action: 'delete', reason: 'not-in-tree' });
  const unchanged = tree.size - sent.length;
  return { sent: sent.sort(byPath), obsolete: obsolete.sort(byPath), unchanged };
}

function changeOf(
  path: string,
  document: ServedDocument,
  { published, inProgress }: PublishedState,
): PublishedChange | undefined {
  if (!published) return { path, action: 'update', reason: 'unknown' };
  const before = published.documents.get(path);
  if (!before) return { path, action: 'create', reason: 'new' };
  const reason = differenceIn(document, before) ?? headerDifference(document, published);
  if (reason) return { path, action: 'update', reason };
  const isSettled = inProgress.every((begun) => {
    const other = begun?.documents.get(path);
    return begun && (!other || !(differenceIn(document, other) ?? headerDifference(document, begun)));
  });
  return isSettled ? undefined : { path, action: 'update', reason: 'unfinished' };
}

function headerDifference({ cache }: ServedDocument, before: PublishedDocuments): PublishingReason | undefined {
  return before.hasSameHeaders(cache) ? undefined : 'other-headers';
}

function differenceIn(
  one: Pick<ServedDocument, 'sha256' | 'type' | 'cache'>,
  other: Pick<ServedDocument, 'sha256' | 'type' | 'cache'>,
): PublishingReason | undefined {
  if (one.sha256 !== other.sha256) return 'other-content';
  if (one.type !== other.type) return 'other-type';
  return one.cache === other.cache ? undefined : 'other-cache';
}

export function byPath(a: PublishedChange, b: PublishedChange): number {
  return byCodeUnit(a.path, b.path);
}

/**
 * The order in which documents are sent, each stage complete before the next begins: nothing points to what is not there
 * yet, and the root is last.
 */
export const UPLOAD_STAGES = ['immutable', 'items', 'collections', 'indexes', 'root'] as const;
type UploadStage = (typeof UPLOAD_STAGES)[number];

const ROOT = resourceUrl('');

export function uploadStageOf(path: string): UploadStage {
  const endpoint = endpointOf(path);
  if (path === ROOT) return 'root';
  if (endpoint?.cache === 'immutable') return 'immutable';
  // The error document and the manifest are no endpoints.
  if (!endpoint) return 'indexes';
  switch (endpoint.content) {
    case 'resource':
    case 'legacy-item':
    case 'latest-version':
      return 'items';
    case 'resources':
    case 'legacy-collection':
      return 'collections';
    case 'deep':
    case 'versions':
    case 'version-page':
    case 'timemap':
    case 'changes':
    case 'feed':
    case 'snapshots':
    case 'node-page':
    case 'node-search':
    case 'node-table':
    case 'node-facets':
    case 'node-rows':
    case 'node-history':
    case 'node-groups':
    case 'node-group':
    case 'named-node':
    case 'exports':
    case 'node-export':
    case 'change-export':
    case 'inventory':
    case 'targets':
    case 'links':
    case 'openapi':
    case 'schema':
    case 'reference':
    case 'style':
    case 'catalog':
    case 'explorer':
    case 'badge':
    case 'version':
      return 'indexes';
    default:
      return endpoint.content satisfies never;
  }
}

/** Its path is that of a document or alias, or the file with a slash before it. */
export interface TreeChange extends PublishedChange {
  /** The file of a document, an alias or what is no document; other names of it go with it. */
  readonly file: string;
  /** Whether readers get another answer at its path: not where only variants of it change, or files that do not answer. */
  readonly isAnswered: boolean;
}

/** In the order of their files. `before` is undefined where nothing stands yet. */
export function treeDifference(before: Manifest | undefined, after: Manifest): TreeChange[] {
  const changes = [...entryChanges(before, after), ...fileChanges(before, after)];
  return changes.sort((a, b) => byCodeUnit(a.file, b.file));
}

export function removedIn(changes: readonly TreeChange[]): number {
  return changes.filter(({ action }) => action === 'delete').length;
}

function* entryChanges(before: Manifest | undefined, after: Manifest): Generator<TreeChange> {
  for (const entry of after.entries) {
    const { path, file } = entry;
    const old = before?.entries.get(path);
    if (!old || !before) yield { path, file, action: 'create', reason: 'new', isAnswered: true };
    else yield* updateOf(entry, documentOf(old, before.entries), documentOf(entry, after.entries));
  }
  if (!before) return;
  const files = new Set(after.files.map(({ file }) => file));
  for (const path of before.entries.paths()) {
    const file = fileOfUrl(path);
    if (!after.entries.has(path) && !files.has(file)) yield removalOf(path, file);
  }
}

/** The document whose bytes an entry has, with the entry's own cache class. */
function documentOf(entry: ManifestEntry, entries: ManifestEntries): DocumentEntry | undefined {
  if (entry.alias === undefined) return entry;
  const document = entries.get(entry.alias);
  return document?.alias === undefined && document ? { ...document, cache: entry.cache } : undefined;
}

function* updateOf(
  { path, file, cache }: ManifestEntry,
  old: DocumentEntry | undefined,
  now: DocumentEntry | undefined,
): Generator<TreeChange> {
  if (!old || !now) return;
  const difference = differenceIn(now, old);
  const isVariants = now.variantDigests.join() !== old.variantDigests.join();
  const isContent = difference === 'other-content' || (difference === undefined && isVariants);
  const content: PublishingReason = cache === 'immutable' ? 'immutable-content' : 'other-content';
  const reason = isContent ? content : difference;
  if (reason) yield { path, file, action: 'update', reason, isAnswered: difference !== undefined };
}

function* fileChanges(before: Manifest | undefined, after: Manifest): Generator<TreeChange> {
  const old = new Map(before?.files.map(({ file, sha256 }) => [file, sha256]));
  for (const { file, sha256 } of after.files) {
    const [path, isAnswered] = [`/${file}`, file === NOT_FOUND_FILE];
    const known = old.get(file);
    old.delete(file);
    if (known === undefined) yield { path, file, action: 'create', reason: 'new', isAnswered };
    else if (known !== sha256) yield { path, file, action: 'update', reason: 'other-content', isAnswered };
  }
  for (const file of old.keys())
    if (!after.entries.has(urlOfRequest(`/${file}`) ?? '')) yield removalOf(`/${file}`, file);
}

function removalOf(path: string, file: string): TreeChange {
  return { path, file, action: 'delete', reason: 'not-in-tree', isAnswered: false };
}

/** The URLs that caches may hold another answer for after a publication: of what changed and is not immutable. */
export function purgeText(sent: readonly PublishedChange[], baseUrl: string | undefined): string {
  const base = withoutTrailing(baseUrl ?? '', '/');
  const changed = sent.filter(({ path }) => uploadStageOf(path) !== 'immutable');
  const forms = [...changed.flatMap(({ path }) => requestForms(path)), MANIFEST_URL];
  return forms
    .filter((form) => form !== '' || base !== '')
    .map((form) => `${base}${form}\n`)
    .join('');
}

/** Fails where the file cannot be written: before anything is published, so that no list is ever lost. */
export function writePurge(file: string, text: string): void {
  replaceFile('', file, text);
}
