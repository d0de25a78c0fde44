/**
 * What a tree is made of on disk, from its manifest alone: the files with bytes of their own, and the names that are
 * links to them. Whoever carries a tree elsewhere carries the first and makes the second.
 */
import { companionsOf, fileOfUrl } from './layout.ts';
import { type Listing, namesOf } from './verify-manifest.ts';

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
export function* contentsOf({ entries, files, summary }: Listing): Generator<TreeContent> {
  // Files that are no documents have the time of the head, as the root has.
  let head = 0;
  for (const entry of entries()) {
    if (entry.alias !== undefined) continue;
    const { path, file, sha256, size, modified, companions } = entry;
    if (path === '/') head = modified;
    yield { file, sha256, size, modified };
    for (const [i, name] of companionsOf(file, summary.variants).entries())
      yield { file: name, sha256: companions[i] ?? '', size: undefined, modified };
  }
  for (const { file, sha256, size } of files) yield { file, sha256, size, modified: head };
}

/** Other names of documents, and aliases with all that accompanies them. */
export function* linksOf({ entries, summary }: Listing): Generator<TreeLink> {
  for (const entry of entries()) {
    const { file, alias } = entry;
    const target = alias === undefined ? file : fileOfUrl(alias);
    for (const name of namesOf(entry, summary)) if (name !== target) yield { file: name, target };
    if (alias === undefined) continue;
    const sources = companionsOf(target, summary.variants);
    for (const [i, name] of companionsOf(file, summary.variants).entries())
      yield { file: name, target: sources[i] ?? '' };
  }
}
