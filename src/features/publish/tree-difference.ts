/** What publishing one tree over another comes to, from their manifests: which files come, change and go, and why. */
import type { CacheClass } from '../../core/api/endpoints.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { fileOfUrl } from '../../core/tree/layout.ts';
import type { ManifestListing } from '../../core/tree/manifest-listing.ts';
import type { PublishedChange, PublishingReason } from './published-difference.ts';

/** Its path is that of a document or alias, or the file with a slash before it. */
export interface TreeChange extends PublishedChange {
  /** The file of a document, an alias or what is no document; other names of it go with it. */
  readonly file: string;
}

interface Known {
  readonly path: string;
  /** The digests of its bytes and of what is made of them. */
  readonly digests: string;
  readonly cache: CacheClass;
}

/** In the order of their files. `before` is undefined where nothing stands yet. */
export function treeDifference(before: ManifestListing | undefined, after: ManifestListing): TreeChange[] {
  const old = before ? filesOf(before) : new Map<string, Known>();
  const now = filesOf(after);
  const changes: TreeChange[] = [];
  const otherIn = ({ cache }: Known): PublishingReason =>
    cache === 'immutable' ? 'immutable-content' : 'other-content';
  for (const [file, entry] of now) {
    const { path, digests } = entry;
    const known = old.get(file);
    if (!known) changes.push({ path, file, action: 'create', reason: 'new' });
    else if (known.digests !== digests)
      changes.push({ path, file, action: 'update', reason: otherIn(entry) });
  }
  for (const [file, { path }] of old)
    if (!now.has(file)) changes.push({ path, file, action: 'delete', reason: 'not-in-tree' });
  return changes.sort((a, b) => byCodeUnit(a.file, b.file));
}

function filesOf({ entries, files }: ManifestListing): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const entry of entries()) {
    const { cache } = entry.endpoint;
    const digests =
      entry.alias === undefined
        ? [entry.sha256, ...entry.companions].join()
        : (known.get(fileOfUrl(entry.alias))?.digests ?? '');
    known.set(entry.file, { path: entry.path, digests, cache });
  }
  for (const { file, sha256 } of files)
    known.set(file, { path: `/${file}`, digests: sha256, cache: 'mutable' });
  return known;
}
