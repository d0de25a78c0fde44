/**
 * What a tree is made of on disk, from its manifest alone: the files with bytes of their own, and the names that are
 * links to them. Whoever carries a tree elsewhere carries the first and makes the second.
 */
import { resourceUrl } from '../api/endpoints.ts';
import { fileOfUrl, variantFilesOf } from './layout.ts';
import { type ManifestListing, namesOf } from './manifest-listing.ts';

const ROOT = resourceUrl('');

/** A file with bytes of its own: a document, what is made from it, or a file that is no document. */
export interface TreeContent {
  readonly file: string;
  readonly sha256: string;
  /** Bytes; the manifest does not say it of what is made from documents. */
  readonly size: number | undefined;
  /** Epoch seconds. */
  readonly modified: number;
}

export interface TreeLink {
  readonly file: string;
  /** The file whose bytes it has. */
  readonly target: string;
}

/** In the order of the manifest, which is the same whoever asks. */
export function* contentsOf(listing: ManifestListing): Generator<TreeContent> {
  const { entries, files, summary } = listing;
  for (const entry of entries()) {
    if (entry.alias !== undefined) continue;
    const { file, sha256, size, modified, companions } = entry;
    yield { file, sha256, size, modified };
    for (const [i, name] of variantFilesOf(file, summary.variants).entries())
      yield { file: name, sha256: companions[i] ?? '', size: undefined, modified };
  }
  const modified = headTime(listing);
  for (const { file, sha256, size } of files) yield { file, sha256, size, modified };
}

/** The time of the head, which files that are no documents have too, in epoch seconds: that of the root. */
export function headTime({ entries }: ManifestListing): number {
  for (const entry of entries()) if (entry.path === ROOT && entry.alias === undefined) return entry.modified;
  return 0;
}

/** Other names of documents, and aliases with all that accompanies them. */
export function* linksOf({ entries, summary }: ManifestListing): Generator<TreeLink> {
  for (const entry of entries()) {
    const { file, alias } = entry;
    const target = alias === undefined ? file : fileOfUrl(alias);
    for (const name of namesOf(entry, summary)) if (name !== target) yield { file: name, target };
    if (alias === undefined) continue;
    const sources = variantFilesOf(target, summary.variants);
    for (const [i, name] of variantFilesOf(file, summary.variants).entries())
      yield { file: name, target: sources[i] ?? '' };
  }
}
