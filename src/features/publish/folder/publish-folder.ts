/** Publishing a tree in a local folder: installed beside what stands there, and swapped as one step. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { grouped, megabytes, plural, shortId } from '../../../core/diagnostics/words.ts';
import { MANIFEST_FILE } from '../../../core/tree/layout.ts';
import type { ManifestSummary } from '../../../core/tree/manifest.ts';
import type { ManifestListing } from '../../../core/tree/manifest-listing.ts';
import { contentsOf } from '../../../core/tree/tree-contents.ts';
import { readListedTree, standingListing, treeReader } from '../../../system/trees/listed-tree.ts';
import { readManifestSummary } from '../../../system/trees/manifest-file.ts';
import { checkReplaceable, overlap } from '../../../system/trees/output-place.ts';
import { recover, stageOf } from '../../../system/trees/staging.ts';
import { plannedText, publishedRecord } from '../describe-published.ts';
import { type PublishedDifference, publishedDifference } from '../published-difference.ts';
import { purgeText, writePurge } from '../purge-list.ts';
import { type TreeChange, treeDifference } from '../tree-difference.ts';
import { documentsIn, standingDocuments } from '../tree-to-publish.ts';
import { install, refuseOlder, stands } from './install.ts';
import type { Installed } from './install-tree.ts';

export interface PublishFolderOptions {
  /** The folder that is served. */
  readonly destination: string;
  readonly tree: string;
  readonly dryRun: boolean;
  /** Whether a tree with a smaller serial may take the place of one with a larger one. */
  readonly older: boolean;
  /** Whether the folder becomes a link that is switched without a gap, if it is none yet. */
  readonly isLinked?: boolean;
  /** Where the changed mutable URLs are written, if anywhere. */
  readonly purgeFile?: string;
  /** With it, they are written as full URLs. */
  readonly baseUrl?: string;
  readonly showsProgress: boolean;
}

export interface PublishedFolder extends Installed {
  readonly folder: string;
  readonly revision: string;
  /** Undefined in trees of older builds. */
  readonly serial: number | undefined;
  readonly digest: string;
  readonly dryRun: boolean;
  /** False when the tree stood there already, and in a dry run. */
  readonly isWritten: boolean;
  readonly changes: readonly TreeChange[];
  /** Documents, aliases and other files that stay as they are. */
  readonly unchanged: number;
}

/** Fails when the tree is not whole, or must not take the place of what stands there; then nothing is changed. */
export function publishFolder(options: PublishFolderOptions): PublishedFolder {
  const { destination: folder, tree, dryRun, older, isLinked = false, showsProgress } = options;
  const incoming = { ...readListedTree(tree), read: treeReader(tree) };
  const { summary } = incoming.listing;
  if (overlap(folder, tree)) fail(finding('publish-into-itself', { folder, tree }));
  checkReplaceable(folder);
  if (!dryRun) recover(stageOf(folder));
  const mayReplace = (standing: ManifestSummary | undefined) => {
    if (!older) refuseOlder(folder, standing, summary);
  };
  mayReplace(readManifestSummary(folder));
  const { revision, serial, digest } = summary;
  const standing = standingListing(folder);
  const changes = treeDifference(standing, incoming.listing);
  const total = incoming.listing.targets.size + incoming.listing.files.length;
  const unchanged = total - changes.filter(isSent).length;
  const told = { folder, revision, serial, digest, dryRun, changes, unchanged, isWritten: false };
  if (dryRun) return { ...told, ...planned(standing, incoming.listing, tree) };
  if (stands(folder, incoming, isLinked)) return { ...told, written: 0, bytes: 0, kept: 0 };
  const admit = (found: ManifestSummary | undefined) => {
    mayReplace(found);
    // Of what stands there when nobody else writes.
    const { purgeFile, baseUrl } = options;
    if (purgeFile !== undefined) writePurge(purgeFile, purgeOf(folder, incoming.manifest, baseUrl));
  };
  const installed = install({ label: 'Publishing', folder, isLinked, incoming, admit, showsProgress });
  return { ...told, isWritten: true, ...installed };
}

/** What would be written: the files whose bytes do not stand there under their names. */
function planned(standing: ManifestListing | undefined, listing: ManifestListing, tree: string): Installed {
  const known = new Map<string, string>();
  if (standing) for (const { file, sha256 } of contentsOf(standing)) known.set(file, sha256);
  let [written, bytes, kept] = [0, 0, 0];
  for (const { file, sha256, size } of contentsOf(listing)) {
    if (known.get(file) === sha256) kept++;
    else {
      written++;
      bytes += size ?? statSync(join(tree, file), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return { written, bytes, kept };
}

/** The same list as that of a bucket. */
function purgeOf(standing: string, manifest: Uint8Array, baseUrl: string | undefined): string {
  const reason = 'it lists what this gridpress does not know';
  const documents =
    documentsIn(manifest) ?? fail(finding('verify-manifest', { reason }, { file: MANIFEST_FILE }));
  const published = { documents: standingDocuments(standing), inProgress: [] };
  return purgeText(publishedDifference(documents, published), baseUrl);
}

export function folderRecord(published: PublishedFolder): object {
  const { folder, revision, serial = 0, digest, dryRun, isWritten, written, bytes } = published;
  return publishedRecord({
    ...{ destination: folder, revision, serial, digest, bytes, objects: written, requests: 0 },
    ...{ difference: differenceOf(published), isDryRun: dryRun, isUnchanged: !isWritten },
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
  return `Published revision ${shortId(revision)} in ${folder}: ${plural(written, 'file')} written (${megabytes(bytes)}), ${grouped(kept)} kept.\n`;
}
