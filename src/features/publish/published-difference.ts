/**
 * What publishing a tree changes: its documents held against those of the manifest that is there, by digest, media type,
 * cache class and headers. Where other publications were begun and not finished, a document is as it was only if none of them
 * has another one.
 */
import { type CacheClass, endpointOf } from '../../core/api/endpoints.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import type { DocumentsByPath, ServedDocument } from '../../core/tree/served-documents.ts';

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

export function differenceIn(
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
export type UploadStage = (typeof UPLOAD_STAGES)[number];

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
