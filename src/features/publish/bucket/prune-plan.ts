/**
 * Which objects of a bucket no manifest needs any more. Only objects of our kind that prove to be ours are removed: those
 * that one of the manifests of all publications lists, and those that carry the digest which every upload leaves.
 */
import { byCodeUnit } from '../../../core/model/json.ts';
import { kindOfKey } from './bucket-objects.ts';

export interface StoredKey {
  readonly key: string;
  /** Epoch seconds. */
  readonly modified: number;
}

export interface PruneInput {
  readonly prefix: string;
  readonly listed: readonly StoredKey[];
  readonly isNeeded: (key: string) => boolean;
  /** Objects stay that were written at or after it, in epoch seconds. */
  readonly before: number;
}

export interface PastManifest {
  readonly name: string;
  readonly modified: number;
}

/** The manifests of all publications that were begun, the newest first, as they were last published. */
export function pastManifestsIn(listed: readonly StoredKey[], prefix: string): PastManifest[] {
  const found = listed.flatMap(({ key, modified }) => {
    const kind = kindOfKey(key, prefix);
    return typeof kind === 'object' && 'archived' in kind ? [{ name: kind.archived, modified }] : [];
  });
  return found.sort((a, b) => b.modified - a.modified || byCodeUnit(b.name, a.name));
}

export type PruneReason = 'unneeded' | 'old-manifest' | 'probe';

export interface Candidate {
  readonly key: string;
  readonly reason: PruneReason;
  readonly document?: string;
}

export function pruneCandidates({ prefix, listed, isNeeded, before }: PruneInput): Candidate[] {
  return listed
    .filter(({ key, modified }) => modified < before && !isNeeded(key))
    .flatMap(({ key }) => candidate(key, prefix))
    .sort((a, b) => byCodeUnit(a.key, b.key));
}

function candidate(key: string, prefix: string): Candidate[] {
  const kind = kindOfKey(key, prefix);
  if (!kind) return [];
  if (kind === 'probe') return [{ key, reason: 'probe' }];
  if ('archived' in kind) return [{ key, reason: 'old-manifest' }];
  return [{ key, reason: 'unneeded', document: kind.document }];
}
