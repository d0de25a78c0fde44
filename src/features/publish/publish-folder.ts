import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { grouped, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf } from '../../core/tree/tree-contents.ts';
import { treeReader } from '../../system/trees/listed-tree.ts';
import { standingManifest, wholeManifest } from '../../system/trees/manifest-file.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkReplaceable, overlap } from '../../system/trees/output-place.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import { plannedText, publishedRecord } from './describe-published.ts';
import { type Installed, install, refuseOlder, stands } from './install.ts';
import type { PublishOptions } from './publish-options.ts';
import {
  byPath,
  type PublishedDifference,
  purgeText,
  removedIn,
  type TreeChange,
  treeDifference,
  writePurge,
} from './published-difference.ts';

type PublishFolderOptions = Omit<PublishOptions, 'force' | 'bucket'>;

export interface PublishedFolder extends Installed {
  readonly folder: string;
  readonly revision: string;
  /** Undefined in trees of older builds. */
  readonly serial: number | undefined;
  readonly digest: string;
  readonly dryRun: boolean;
  readonly isWritten: boolean;
  readonly changes: readonly TreeChange[];
  readonly unchanged: number;
}

/** Fails when the tree is not whole, or must not take the place of what stands there; then nothing is changed. */
export function publishFolder(options: PublishFolderOptions): PublishedFolder {
  const { destination: folder, tree, dryRun, older, isLinked = false, showsProgress } = options;
  const manifest = wholeManifest(tree);
  const { summary, entries, files } = manifest;
  if (overlap(folder, tree)) fail(finding('publish-into-itself', { folder, tree }));
  checkReplaceable(folder);
  if (!dryRun) recover(stageOf(folder));
  const mayReplace = (standing: ManifestSummary | undefined) => {
    if (!older) refuseOlder(folder, standing, summary);
  };
  const standing = standingManifest(folder);
  mayReplace(standing?.summary ?? readManifestSummary(folder));
  const { revision, serial, digest } = summary;
  const changes = treeDifference(standing, manifest);
  const unchanged = entries.size + files.length - changes.filter(isSent).length;
  const published = { folder, revision, serial, digest, dryRun, changes, unchanged, isWritten: false };
  if (dryRun) return { ...published, ...planned(standing, manifest, tree) };
  if (stands(folder, manifest, isLinked)) return { ...published, written: 0, bytes: 0, kept: 0 };
  const admit = (found: ManifestSummary | undefined) => {
    mayReplace(found);
    const { purgeFile, baseUrl } = options;
    if (purgeFile === undefined) return;
    // Of what stands there when nobody else writes: rarely another tree than before.
    const isSame = found?.seal !== undefined && found.seal === standing?.summary.seal;
    const current = isSame ? changes : treeDifference(standingManifest(folder), manifest);
    writePurge(purgeFile, purgeText(answeredChanges(current), baseUrl));
  };
  const incoming = { manifest, read: treeReader(tree) };
  const installed = install({ label: 'Publishing', folder, isLinked, incoming, admit, showsProgress });
  return { ...published, isWritten: true, ...installed };
}

/** What would be written: the files whose bytes do not stand there under their names. */
function planned(standing: Manifest | undefined, manifest: Manifest, tree: string): Installed {
  const known = new Map<string, string>();
  if (standing) for (const { file, sha256 } of contentsOf(standing)) known.set(file, sha256);
  let [written, bytes, kept] = [0, 0, 0];
  for (const { file, sha256, size } of contentsOf(manifest)) {
    if (known.get(file) === sha256) kept++;
    else {
      written++;
      bytes += size ?? statSync(join(tree, file), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return { written, bytes, kept };
}

function answeredChanges(changes: readonly TreeChange[]): TreeChange[] {
  return changes.filter((change) => isSent(change) && change.isAnswered).sort(byPath);
}

export function folderRecord(published: PublishedFolder): object {
  const { folder, revision, serial = 0, digest, dryRun, isWritten, written, bytes } = published;
  return publishedRecord({
    destination: folder,
    revision,
    serial,
    digest,
    bytes,
    objects: written,
    requests: 0,
    difference: differenceOf(published),
    isDryRun: dryRun,
    isUnchanged: !isWritten,
  });
}

function differenceOf({ changes, unchanged }: PublishedFolder): PublishedDifference {
  const [sent, obsolete] = [changes.filter(isSent), changes.filter((change) => !isSent(change))];
  return { sent, obsolete, unchanged };
}

function isSent({ action }: TreeChange): boolean {
  return action !== 'delete';
}

export function describeFolder(published: PublishedFolder): string {
  const { folder, revision, dryRun, isWritten, changes, written, bytes, kept } = published;
  if (dryRun) {
    const lines = plannedText(differenceOf(published), '');
    return `${lines}${plural(changes.length, 'change')} would be made in ${folder}.\n`;
  }
  if (!isWritten) return `Up to date: ${folder} at revision ${shortId(revision)}.\n`;
  return `Published revision ${shortId(revision)} in ${folder}: ${plural(written, 'file')} written (${megabytes(bytes)}), ${grouped(kept)} kept, ${grouped(removedIn(changes))} removed.\n`;
}
