/** Lists the files and hard links of a tree. A copy contains the same files, and its hard links are created again. */
import { resourceUrl } from '../api/urls.ts';
import { fileOfUrl, MANIFEST_FILE, namesOfUrl, variantFilesOf } from './layout.ts';
import type { ManifestSummary } from './manifest/manifest.ts';
import type { ManifestEntry } from './manifest/manifest-entries.ts';
import type { Manifest } from './manifest/read-manifest.ts';

const ROOT = resourceUrl('');

/** A document, a variant, or another file such as an error document. */
export interface TreeContent {
  readonly file: string;
  readonly sha256: string;
  /** The size in bytes. Undefined for variants, because the manifest does not contain their size. */
  readonly size: number | undefined;
  /** Epoch seconds. */
  readonly modified: number;
}

export interface TreeLink {
  readonly file: string;
  readonly target: string;
}

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

/** The time of the head in epoch seconds. The root and all files that are not documents have this time. */
export function headTime({ entries }: Manifest): number {
  const root = entries.get(ROOT);
  return root?.alias === undefined ? (root?.modified ?? 0) : 0;
}

/** Yields the hard links of a tree: the additional file names of documents, the aliases, and the aliases' variants. */
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

/** Returns all file names of an entry, without its variants. The first name is the entry's `file`. */
export function fileNamesOf({ path, file }: ManifestEntry, { variants }: ManifestSummary): string[] {
  return [file, ...namesOfUrl(path, variants)];
}

export function* expectedFiles({ summary, entries, files }: Manifest): Generator<string> {
  yield MANIFEST_FILE;
  for (const { file } of files) yield file;
  for (const entry of entries) {
    yield* fileNamesOf(entry, summary);
    yield* variantFilesOf(entry.file, summary.variants);
  }
}
