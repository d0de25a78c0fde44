import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { formatCount, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import { hostNamed } from '../../core/hosts/all.ts';
import { HOSTS_FOLDER } from '../../core/tree/layout.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf } from '../../core/tree/tree-contents.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { treeReader } from '../../system/trees/listed-tree.ts';
import { existingManifest, readIntactManifest } from '../../system/trees/manifest-file.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkNoOverlap, checkReplaceable, overlap } from '../../system/trees/output-place.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import { type Installed, install, isUpToDate, rejectDroppedHosts, rejectOlder } from './install.ts';
import type { HostReload, PublishOptions } from './publish-options.ts';
import {
  byPath,
  changesText,
  isDeletion,
  type PublishedDifference,
  publishedRecord,
  purgeText,
  type TreeChange,
  treeDifference,
} from './published-difference.ts';

type PublishFolderOptions = Omit<PublishOptions, 'force' | 'bucket'>;

export interface PublishedFolder extends Installed {
  readonly folder: string;
  readonly revision: string;
  readonly serial: number | undefined;
  readonly digest: string;
  readonly dryRun: boolean;
  readonly isWritten: boolean;
  readonly difference: PublishedDifference;
  /** The revision before this publication. */
  readonly previous: string | undefined;
  readonly reloads: readonly HostReload[];
}

/** Fails before any change if the tree is incomplete or must not replace the existing tree. */
export function publishFolder(options: PublishFolderOptions): PublishedFolder {
  const {
    destination: folder,
    tree,
    registry,
    dryRun,
    older,
    dropHost = false,
    isLinked = false,
    showsProgress,
  } = options;
  const manifest = readIntactManifest(tree);
  const { summary, entries, files } = manifest;
  if (overlap(folder, tree)) fail(finding('publish-into-itself', { folder, tree }));
  if (registry !== undefined && existsSync(registry)) checkNoOverlap(folder, registry);
  checkReplaceable(folder);
  if (!dryRun) recover(stageOf(folder));
  const mayReplace = (existing: ManifestSummary | undefined) => {
    if (!older) rejectOlder(folder, existing, summary);
    if (!dropHost) rejectDroppedHosts(folder, existing, summary);
  };
  const existing = existingManifest(folder);
  const replaced = existing?.summary ?? readManifestSummary(folder);
  mayReplace(replaced);
  const { revision, serial, digest } = summary;
  const changes = treeDifference(existing, manifest);
  const { sent } = splitChanges(changes);
  const difference = { ...splitChanges(changes), unchanged: entries.size + files.length - sent.length };
  const reloads = reloadsAfter(summary.hosts, changes);
  const previous = replaced?.revision;
  const published = { folder, revision, serial, digest, dryRun, difference, previous, reloads, isWritten: false };
  if (dryRun) return { ...published, ...countPlannedFiles(existing, manifest, tree) };
  if (isUpToDate(folder, manifest, isLinked)) return { ...published, written: 0, bytes: 0, kept: 0 };
  const admit = (found: ManifestSummary | undefined) => {
    mayReplace(found);
    const { purgeFile, baseUrl } = options;
    if (purgeFile === undefined) return;
    // Another publisher may have replaced the tree before this process locked the tree.
    const isSame = found?.seal !== undefined && found.seal === existing?.summary.seal;
    const current = isSame ? changes : treeDifference(existingManifest(folder), manifest);
    const answered = current.filter(({ isResponseChanged }) => isResponseChanged).sort(byPath);
    replaceFile('', purgeFile, purgeText(answered, baseUrl));
  };
  const incoming = { manifest, read: treeReader(tree) };
  const installed = install({ label: 'Publishing', folder, isLinked, incoming, admit, showsProgress });
  return { ...published, isWritten: true, ...installed };
}

function reloadsAfter(hosts: readonly string[], changes: readonly TreeChange[]): HostReload[] {
  return hosts.flatMap((host) => {
    const command = hostNamed(host)?.reload;
    const isChanged = changes.some(
      ({ file }) => file.startsWith(`${HOSTS_FOLDER}/${host}/`) && /\.(?:conf|caddy)$/.test(file),
    );
    return command !== undefined && isChanged ? [{ host, command }] : [];
  });
}

function countPlannedFiles(existing: Manifest | undefined, manifest: Manifest, tree: string): Installed {
  const known = new Map<string, string>();
  if (existing) for (const { file, sha256 } of contentsOf(existing)) known.set(file, sha256);
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

function splitChanges(changes: readonly TreeChange[]) {
  return { sent: changes.filter((change) => !isDeletion(change)), obsolete: changes.filter(isDeletion) };
}

export function folderRecord(published: PublishedFolder): object {
  const { folder, revision, serial = 0, digest, dryRun, difference, isWritten, written, bytes } = published;
  return publishedRecord({
    destination: folder,
    revision,
    serial,
    digest,
    bytes,
    objects: written,
    requests: 0,
    difference,
    dryRun,
    isUnchanged: !isWritten,
  });
}

export function describeFolder(published: PublishedFolder): string {
  const { folder, revision, dryRun, isWritten, difference, written, bytes, kept, reloads } = published;
  const { sent, obsolete } = difference;
  if (!dryRun && !isWritten) return `Up to date: ${folder} at revision ${shortId(revision)}.\n`;
  const changes = changesText(difference, '');
  if (dryRun) return `${changes}${plural(sent.length + obsolete.length, 'change')} would be made in ${folder}.\n`;
  const done = `Published revision ${shortId(revision)} in ${folder}: ${plural(written, 'file')} written (${megabytes(bytes)}), ${formatCount(kept)} kept, ${formatCount(obsolete.length)} removed.\n`;
  const loading = reloads.map(({ host, command }) => `The configuration of ${host} changed. Load it: ${command}\n`);
  return `${changes}${done}${loading.join('')}`;
}
