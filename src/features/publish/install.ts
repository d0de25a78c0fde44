import { linkSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { resourceUrl } from '../../core/api/urls.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { megabytes } from '../../core/diagnostics/words.ts';
import { fileOfUrl, MANIFEST_FILE, variantFilesOf } from '../../core/tree/layout.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf, linksOf, type TreeContent } from '../../core/tree/tree-contents.ts';
import { type Chunks, chunkReader, digestOf, writeChecked } from '../../system/files/file-chunks.ts';
import { linkOrCopy } from '../../system/files/link-folder.ts';
import { unlessRefused, writing } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { isLinkedPlace } from '../../system/trees/linked-place.ts';
import { isInstalled } from '../../system/trees/listed-tree.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkReplaceable, isTree } from '../../system/trees/output-place.ts';
import { dropStage, openStage, type Stage, swap } from '../../system/trees/staging.ts';
import { folderMaker } from '../../system/trees/tree-writer.ts';

/** Refuses a tree with a smaller serial than that of the one that stands there; a provisional one counts for nothing. */
export function refuseOlder(folder: string, standing: ManifestSummary | undefined, comes: ManifestSummary): void {
  const standingSerial = standing?.provisional ? 0 : (standing?.serial ?? 0);
  const serial = comes.serial ?? 0;
  if (serial < standingSerial) fail(finding('install-older', { folder, standing: standingSerial, comes: serial }));
  // After it, no tree of the same registry would be newer.
  if (standingSerial > 0 && serial > standingSerial + MOST_AHEAD)
    fail(finding('install-serial', { folder, standing: standingSerial, comes: serial }));
}

/** How many revisions nobody records between two publications. */
const MOST_AHEAD = 1_000_000;

export function refuseUnsigned(folder: string, standing: ManifestSummary | undefined, comes: ManifestSummary): void {
  if (standing?.signature !== undefined && comes.signature === undefined) fail(finding('install-unsigned', { folder }));
}

export function stands(folder: string, manifest: Manifest, isLinked: boolean): boolean {
  return (!isLinked || isLinkedPlace(folder)) && isInstalled(folder, manifest);
}

interface InstallRun extends Omit<InstallOptions, 'onProgress'> {
  readonly label: string;
  readonly showsProgress: boolean;
}

export function install({ label, showsProgress, ...options }: InstallRun): Installed {
  const { counts, variants, files } = options.incoming.manifest.summary;
  // Raw documents have fewer variants: there are few of them, and the total is only shown.
  const each = 1 + variantFilesOf(fileOfUrl(resourceUrl('')), variants).length;
  const shown = progress(label, counts.documents * each + files.length, showsProgress);
  try {
    return installTree({ ...options, onProgress: (done, bytes) => shown.at(done, megabytes(bytes)) });
  } finally {
    shown.end();
  }
}

/**
 * Installing a tree: making a folder equal to what a manifest lists. It is staged beside the folder, of what stands there
 * already (linked in, where it has the right bytes and time) and of what comes in, and swapped when it is whole.
 */
interface Incoming {
  readonly manifest: Manifest;
  /**
   * The bytes of a file, the manifest among them; undefined where the source lacks it. Files are asked for in the order of
   * `contentsOf`.
   */
  readonly read: (content: { readonly file: string }) => Chunks | undefined;
}

interface InstallOptions {
  readonly folder: string;
  readonly isLinked: boolean;
  readonly incoming: Incoming;
  /** Throws when the tree must not replace the one that stands there. Nobody else writes there from then on. */
  readonly admit: (standing: ManifestSummary | undefined) => void;
  readonly onProgress: (files: number, bytes: number) => void;
}

export interface Installed {
  readonly written: number;
  readonly bytes: number;
  readonly kept: number;
}

/** Fails when the folder is not ours. Whatever fails or is interrupted, the tree that stands there stays whole. */
function installTree({ folder, isLinked, incoming, admit, onProgress }: InstallOptions): Installed {
  checkReplaceable(folder);
  const stage = openStage(folder, isLinked);
  try {
    // What an interrupted command had left aside is back in its place now.
    checkReplaceable(folder);
    admit(readManifestSummary(folder));
    const installed = fill(stage, incoming, onProgress);
    swap(stage);
    return installed;
  } finally {
    dropStage(stage);
  }
}

function fill(stage: Stage, { manifest, read }: Incoming, onProgress: InstallOptions['onProgress']) {
  checkPlaces(manifest);
  const reuse = reuser(stage);
  const makeFolderOf = folderMaker(stage.next);
  const incoming = (file: string) => read({ file }) ?? fail(finding('install-lacks', { file }));
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

/** Folders at the top whose names begin with a dot belong to those who publish the tree: no tree of ours has any. */
function checkPlaces({ files }: Manifest): void {
  for (const { file } of files) if (/^\..*\//.test(file)) fail(finding('install-place', { file }));
}

/** Takes files over from the tree that stands there, whatever its manifest says of them: their bytes are looked at. */
function reuser({ out }: Stage): (content: TreeContent, path: string) => boolean {
  if (!isTree(out)) return () => false;
  const chunks = chunkReader();
  const isOwnFolder = ownFolders(out);
  return (content, path) => {
    const { file, sha256, size, modified } = content;
    const old = `${out}/${file}`;
    const status = lstatSync(old, { throwIfNoEntry: false });
    if (!status?.isFile() || (size ?? status.size) !== status.size || !isOwnFolder(file)) return false;
    if (digestOf(chunks(old)) !== sha256) return false;
    // A link shares its time: with another time, the tree that is being served would get the new one.
    if (status.mtimeMs !== modified * 1000 || !isLinked(old, path)) writeChecked(path, chunks(old), content);
    return true;
  };
}

/** Not on another file system, on one without hard links, or where there are too many of them. */
function isLinked(old: string, path: string): boolean {
  const link = () => {
    linkSync(old, path);
    return true;
  };
  return unlessRefused(link) ?? false;
}

/** Whether the folders above a file are folders and no links, which could lead anywhere. */
function ownFolders(root: string): (file: string) => boolean {
  const known = new Map<string, boolean>([['', true]]);
  const isOwn = (folder: string): boolean => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const above = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    const own = isOwn(above) && lstatSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory() === true;
    known.set(folder, own);
    return own;
  };
  return (file) => isOwn(file.slice(0, Math.max(0, file.lastIndexOf('/'))));
}
