import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { resourceUrl } from '../../core/api/urls.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { megabytes } from '../../core/diagnostics/words.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { fileOfUrl, MANIFEST_FILE, variantFilesOf } from '../../core/tree/layout.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf, linksOf, type TreeContent } from '../../core/tree/tree-contents.ts';
import { type Chunks, chunkReader, digestOf, writeChecked } from '../../system/files/file-io.ts';
import { linker, linkOrCopy } from '../../system/files/link-folder.ts';
import { failToRead, undefinedOnSystemError, writing } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { isInstalled } from '../../system/trees/listed-tree.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkReplaceable, isLinkedPlace, isTree } from '../../system/trees/output-place.ts';
import { closeStage, openStage, type Stage, swap } from '../../system/trees/staging.ts';
import { folderMaker } from '../../system/trees/tree-writer.ts';

/** Fails if the new tree has a lower serial than the existing tree. A provisional tree has serial 0. */
export function rejectOlder(folder: string, existing: ManifestSummary | undefined, incoming: ManifestSummary): void {
  const existingSerial = existing?.provisional ? 0 : (existing?.serial ?? 0);
  const serial = incoming.serial ?? 0;
  if (serial < existingSerial) fail(finding('install-older', { folder, existing: existingSerial, incoming: serial }));
  // After a tree with a wrong, high serial, all later trees of the registry would look older.
  if (existingSerial > 0 && serial > existingSerial + MAX_SERIAL_STEP)
    fail(finding('install-serial', { folder, existing: existingSerial, incoming: serial }));
}

const MAX_SERIAL_STEP = 1_000_000;

export function rejectUnsigned(folder: string, existing: ManifestSummary | undefined, incoming: ManifestSummary): void {
  if (existing?.signature !== undefined && incoming.signature === undefined)
    fail(finding('install-unsigned', { folder }));
}

/** Fails if the new tree lacks a host of the existing tree. A server that includes this host's file would not start. */
export function rejectDroppedHosts(
  folder: string,
  existing: ManifestSummary | undefined,
  incoming: ManifestSummary,
): void {
  const hosts = existing?.hosts.filter((host) => !incoming.hosts.includes(host)) ?? [];
  if (hosts.length > 0) fail(finding('install-drops-host', { folder, hosts }));
}

export function isUpToDate(folder: string, manifest: Manifest, isLinked: boolean): boolean {
  return (!isLinked || isLinkedPlace(folder)) && isInstalled(folder, manifest);
}

interface Incoming {
  readonly manifest: Manifest;
  /** Returns undefined if the source lacks the file. Called in the order of `contentsOf`, with the manifest last. */
  readonly read: (content: { readonly file: string }) => Chunks | undefined;
}

interface InstallOptions {
  readonly folder: string;
  readonly isLinked: boolean;
  readonly incoming: Incoming;
  /** Throws if the tree must not replace the existing tree. The folder is locked during this call. */
  readonly admit: (existing: ManifestSummary | undefined) => void;
  readonly label: string;
  readonly showsProgress: boolean;
}

export interface Installed {
  readonly written: number;
  readonly bytes: number;
  readonly kept: number;
}

/** Stages the new tree next to the folder, so that the existing tree stays complete after a failure. */
export function install({ folder, isLinked, incoming, admit, label, showsProgress }: InstallOptions): Installed {
  checkReplaceable(folder);
  const { counts, variants, files } = incoming.manifest.summary;
  // The total is an estimate, because raw documents have fewer variants than other documents.
  const each = 1 + variantFilesOf(fileOfUrl(resourceUrl('')), variants).length;
  const stage = openStage(folder, isLinked);
  const shown = progress(label, counts.documents * each + files.length, showsProgress);
  try {
    // `openStage` may have restored a tree after an interrupted command.
    checkReplaceable(folder);
    admit(readManifestSummary(folder));
    const installed = fill(stage, incoming, (done, bytes) => shown.at(done, megabytes(bytes)));
    swap(stage);
    return installed;
  } finally {
    shown.end();
    closeStage(stage);
  }
}

function fill(stage: Stage, { manifest, read }: Incoming, onProgress: (files: number, bytes: number) => void) {
  const reuse = fileReuser(stage);
  const makeFolderOf = folderMaker(stage.next);
  const incoming = (file: string) => readable(file, read({ file }) ?? fail(finding('install-lacks', { file })));
  const inStage = (file: string) => `${stage.next}/${file}`;
  const counts = { written: 0, bytes: 0, kept: 0 };
  for (const content of contentsOf(manifest)) {
    writing(content.file, () => {
      makeFolderOf(content.file);
      const path = inStage(content.file);
      if (reuse(content, path)) counts.kept++;
      else {
        counts.bytes += writeChecked(path, incoming(content.file), content);
        counts.written++;
      }
    });
    onProgress(counts.written + counts.kept, counts.bytes);
  }
  for (const { file, target } of linksOf(manifest)) {
    writing(file, () => {
      makeFolderOf(file);
      linkOrCopy(inStage(target), inStage(file));
    });
  }
  writing(MANIFEST_FILE, () =>
    writeChecked(inStage(MANIFEST_FILE), incoming(MANIFEST_FILE), {
      file: MANIFEST_FILE,
      sha256: manifest.sha256,
      modified: undefined,
    }),
  );
  return counts;
}

/** Reports a read error as such, although the file is read while its copy is written. */
function* readable(file: string, chunks: Chunks): Generator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    failToRead(file, error);
  }
}

/** Compares the bytes of reused files, because the manifest of the existing tree may be wrong. */
function fileReuser({ out, next }: Stage): (content: TreeContent, path: string) => boolean {
  if (!isTree(out)) return () => false;
  const chunks = chunkReader();
  const tryLink = linker(next);
  const isOwnFolder = realFolders(out);
  return (content, path) => {
    const { file, sha256, size, modified } = content;
    const old = `${out}/${file}`;
    const status = lstatSync(old, { throwIfNoEntry: false });
    if (!status?.isFile() || (size ?? status.size) !== status.size || !isOwnFolder(file)) return false;
    // A file that cannot be read is written again.
    if (undefinedOnSystemError(() => digestOf(chunks(old))) !== sha256) return false;
    // A hard link has the time of its original, so a file with another time is written again.
    if (status.mtimeMs !== modified * 1000 || !tryLink(old, path)) writeChecked(path, chunks(old), content);
    return true;
  };
}

/** Tests that all parent folders of a file are real folders, not symbolic links. */
function realFolders(root: string): (file: string) => boolean {
  const known = new Map<string, boolean>([['', true]]);
  const isOwn = (folder: string): boolean => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const own =
      isOwn(pathAbove(folder)) && lstatSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory() === true;
    known.set(folder, own);
    return own;
  };
  return (file) => isOwn(pathAbove(file));
}
