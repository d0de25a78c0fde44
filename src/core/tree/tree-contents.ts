/**
 * What a tree is made of on disk, from its manifest alone: the files with bytes of their own, and the names that are
 * links to them. Whoever carries a tree elsewhere carries the first and makes the second.
 */
import { resourceUrl } from '../api/urls.ts';
import { fileOfUrl, MANIFEST_FILE, namesOfUrl, variantFilesOf } from './layout.ts';
import type { ManifestSummary } from './manifest/manifest.ts';
import type { ManifestEntry } from './manifest/manifest-entries.ts';
import type { Manifest } from './manifest/read-manifest.ts';

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
export function* contentsOf(manifest: Manifest): Generator<TreeContent> {
  const { entries, files, summary } = manifest;
  for (const entry of entries) {
    if (entry.alias !== undefined) continue;
    const { file, sha256, size, modified, variantDigests } = entry;
    yield { file, sha256, size, modified };
    if (variantDigests.length === 0) continue;
    for (const [i, name] of variantFilesOf(file, summary.variants).entries())
      yield { file: name, sha256: variantDigests[i] ?? '', size: undefined, modified };
  }
  const modified = headTime(manifest);
  for (const { file, sha256, size } of files) yield { file, sha256, size, modified };
}

/** The time of the head, which files that are no documents have too, in epoch seconds: that of the root. */
export function headTime({ entries }: Manifest): number {
  const root = entries.get(ROOT);
  return root?.alias === undefined ? (root?.modified ?? 0) : 0;
}

/** Other names of documents, and aliases with all that accompanies them. */
export function* linksOf({ entries, summary }: Manifest): Generator<TreeLink> {
  for (const entry of entries) {
    const { file, alias } = entry;
    const target = alias === undefined ? file : fileOfUrl(alias);
    for (const name of fileNamesOf(entry, summary)) if (name !== target) yield { file: name, target };
    if (alias === undefined) continue;
    const sources = variantFilesOf(target, summary.variants);
    for (const [i, name] of variantFilesOf(file, summary.variants).entries())
      yield { file: name, target: sources[i] ?? '' };
  }
}

/** The names under which the bytes of an entry's document stand, its own first. */
export function fileNamesOf({ path, file }: ManifestEntry, { variants }: ManifestSummary): string[] {
  return [file, ...namesOfUrl(path, variants)];
}

/** Every file that there must be. */
export function* expectedFiles({ summary, entries, files }: Manifest): Generator<string> {
  yield MANIFEST_FILE;
  for (const { file } of files) yield file;
  for (const entry of entries) {
    yield* fileNamesOf(entry, summary);
    yield* variantFilesOf(entry.file, summary.variants);
  }
}
