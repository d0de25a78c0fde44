/** What publishing one tree over another comes to, from their manifests: which files come, change and go, and why. */
import type { CacheClass } from '../api/endpoints.ts';
import { byCodeUnit } from '../model/json.ts';
import { fileOfUrl } from './layout.ts';
import type { Listing } from './verify-manifest.ts';

export interface TreeChange {
  readonly action: 'create' | 'update' | 'delete';
  /** The file of a document, an alias or what is no document; other names of it go with it. */
  readonly file: string;
  readonly reason: string;
}

interface Known {
  /** The digests of its bytes and of what is made of them. */
  readonly digests: string;
  readonly cache: CacheClass;
}

/** In the order of their files. `before` is undefined where nothing stands yet. */
export function treeDifference(before: Listing | undefined, after: Listing): TreeChange[] {
  const old = before ? filesOf(before) : new Map<string, Known>();
  const now = filesOf(after);
  const changes: TreeChange[] = [];
  for (const [file, { digests, cache }] of now) {
    const known = old.get(file);
    if (!known)
      changes.push({ action: 'create', file, reason: before ? 'it is new' : 'nothing is there yet' });
    else if (known.digests !== digests)
      changes.push({
        action: 'update',
        file,
        reason:
          cache === 'immutable'
            ? 'its content differs, though it should never change'
            : 'its content differs',
      });
  }
  for (const file of old.keys())
    if (!now.has(file)) changes.push({ action: 'delete', file, reason: 'it is no longer in the tree' });
  return changes.sort((a, b) => byCodeUnit(a.file, b.file));
}

function filesOf({ entries, files }: Listing): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const entry of entries()) {
    const { cache } = entry.endpoint;
    const digests =
      entry.alias === undefined
        ? [entry.sha256, ...entry.companions].join()
        : (known.get(fileOfUrl(entry.alias))?.digests ?? '');
    known.set(entry.file, { digests, cache });
  }
  for (const { file, sha256 } of files) known.set(file, { digests: sha256, cache: 'mutable' });
  return known;
}
