/** What publishing one tree over another comes to, from their manifests: which files come, change and go, and why. */
import { byCodeUnit } from '../../core/model/json.ts';
import { fileOfUrl, NOT_FOUND_FILE } from '../../core/tree/layout.ts';
import type { DocumentEntry, ManifestEntries, ManifestEntry } from '../../core/tree/manifest/manifest-entries.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { urlOfRequest } from '../../core/tree/url-forms.ts';
import { differenceIn, type PublishedChange, type PublishingReason } from './published-difference.ts';

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
