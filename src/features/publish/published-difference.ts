/**
 * What publishing a tree changes: its documents held against those of the manifest that is there, by digest, media type
 * and cache class. Where other publications were begun and not finished, a document is as it was only if none of them
 * has another one.
 */
import { endpointOf, resourceUrl } from '../../core/api/endpoints.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import type { ServedDocument } from '../../core/tree/served-tree.ts';

/** Documents by their paths without suffix. */
export type Documents = ReadonlyMap<string, ServedDocument>;

export interface There {
  /** Those of the manifest that is there; undefined where nothing of it can be relied on. */
  readonly documents: Documents | undefined;
  /** Those of each publication that was begun since; undefined where that is not known. */
  readonly begun: readonly (Documents | undefined)[];
}

export type Reason =
  | 'new'
  | 'other-content'
  | 'immutable-content'
  | 'other-type'
  | 'other-cache'
  | 'unknown'
  | 'unfinished'
  | 'not-in-tree';

export interface Change {
  readonly path: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly reason: Reason;
}

export interface Difference {
  /** What is to be sent, in the order of paths. */
  readonly sent: readonly Change[];
  /** What is there and no longer in the tree: publishing leaves it, pruning removes it. */
  readonly left: readonly Change[];
  readonly unchanged: number;
}

export function publishedDifference(tree: Documents, there: There): Difference {
  const sent: Change[] = [];
  for (const [path, document] of tree) {
    const change = changeOf(path, document, there);
    if (change) sent.push(change);
  }
  const left = [...(there.documents?.keys() ?? [])]
    .filter((path) => !tree.has(path))
    .map((path): Change => ({ path, action: 'delete', reason: 'not-in-tree' }));
  return { sent: sent.sort(byPath), left: left.sort(byPath), unchanged: tree.size - sent.length };
}

function changeOf(path: string, document: ServedDocument, there: There): Change | undefined {
  if (!there.documents) return { path, action: 'update', reason: 'unknown' };
  const before = there.documents.get(path);
  if (!before) return { path, action: 'create', reason: 'new' };
  const reason = otherIn(document, before);
  if (reason) return { path, action: 'update', reason };
  const isSettled = there.begun.every((begun) => {
    const other = begun?.get(path);
    return begun && (!other || !otherIn(document, other));
  });
  return isSettled ? undefined : { path, action: 'update', reason: 'unfinished' };
}

function otherIn(one: ServedDocument, other: ServedDocument): Reason | undefined {
  if (one.sha256 !== other.sha256) return 'other-content';
  if (one.type !== other.type) return 'other-type';
  return one.cache === other.cache ? undefined : 'other-cache';
}

function byPath(a: Change, b: Change): number {
  return byCodeUnit(a.path, b.path);
}

/**
 * The order in which documents are sent, each stage complete before the next begins: nothing points to what is not there
 * yet, and the root is last.
 */
export const STAGES = ['immutable', 'items', 'collections', 'indexes', 'root'] as const;
export type Stage = (typeof STAGES)[number];

const ROOT = resourceUrl('');

export function stageOf(path: string): Stage {
  const endpoint = endpointOf(path);
  if (path === ROOT) return 'root';
  if (endpoint?.cache === 'immutable') return 'immutable';
  switch (endpoint?.content) {
    case 'resource':
    case 'legacy-item':
    case 'latest-version':
      return 'items';
    case 'resources':
    case 'legacy-collection':
      return 'collections';
    default:
      return 'indexes';
  }
}
