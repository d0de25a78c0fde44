/**
 * Stages a tree or a registry in the lock folder, then replaces the old folder by renaming. After an interruption or a
 * power failure, the old folder is complete at its place or in the lock folder. The next command restores the old
 * folder from the lock folder.
 */

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fs from 'fs-extra';
import { Failure, fail, finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/names.ts';
import { makeFolders, syncFolders, syncTree } from '../files/disk-sync.ts';
import { displayPath } from '../files/display-path.ts';
import { hasLock, holderOf, lockFolderOf, releaseLock, takeLock } from '../files/folder-lock.ts';
import { BY_BYTES, isFolder, linkAll, pathIn } from '../files/link-folder.ts';
import {
  failToWrite,
  readingIfExists,
  reasonOf,
  systemCode,
  undefinedOnSystemError,
  writing,
} from '../files/system-errors.ts';
import { printError } from '../terminal/terminal.ts';
import { changedNames, type Fingerprints, fingerprintsIn } from './fingerprints.ts';
import {
  isReplaceable,
  linkedTree,
  nextTree,
  pruneTrees,
  realPlaceOf,
  switchLink,
  treesOf,
  writable,
} from './output-place.ts';
import { carryOver, retireTree } from './retired-tree.ts';

export interface Stage {
  readonly place: string;
  readonly out: string;
  /** True if the place is a symbolic link to the current tree, or becomes one. */
  readonly isLinked: boolean;
  readonly lock: string;
  /** The new folder, which is empty when the stage opens. */
  readonly next: string;
  readonly old: string;
  readonly adjacent: string;
  /** The fingerprints of the files in the old registry. `swap` fails if a file has changed. Undefined for trees. */
  readonly read?: Fingerprints;
}

/** If the path is a symbolic link to a folder, the stage replaces the folder and keeps the link. */
export function stageOf(path: string, isLinked = false): Stage {
  const place = realPlaceOf(path);
  const linked = linkedTree(place);
  const lock = lockFolderOf(place);
  return {
    place,
    lock,
    out: linked ?? place,
    isLinked: isLinked || linked !== undefined,
    next: join(lock, 'next'),
    old: join(lock, 'old'),
    adjacent: join(lock, 'beside'),
  };
}

/** Fails if another process has the stage open. */
export function openStage(path: string, isLinked = false): Stage {
  const stage = stageOf(path, isLinked);
  const { place: folder, lock: held, next } = stage;
  writable(existsSync(held) ? held : dirname(folder), () => {
    makeFolders(dirname(held));
    rejectOtherFile(held);
    if (!takeLock(held)) fail(finding('build-running', { folder, held, pid: holderOf(held) }));
    try {
      tidy(stage);
      mkdirSync(next);
    } catch (error) {
      undefinedOnSystemError(() => releaseLock(held));
      throw error;
    }
  });
  return stageOf(path, isLinked);
}

/** Restores the old folder after a command was interrupted. Does nothing if another process has the stage open. */
export function recover(stage: Stage): void {
  if (!existsSync(stage.lock)) return;
  writable(stage.lock, () => {
    rejectOtherFile(stage.lock);
    if (takeLock(stage.lock)) closeStage(stage);
  });
}

/** Calls `recover`. If this user may not write there, continues if the tree is at its place, and fails otherwise. */
export function recoverIfPermitted(stage: Stage): void {
  try {
    recover(stage);
  } catch (error) {
    if (!isNotWritable(error)) throw error;
    if (!existsSync(stage.out)) throwNoTree(stage.place);
  }
}

function isNotWritable(error: unknown): boolean {
  return error instanceof Failure && error.findings.some(({ code }) => code === 'output-not-writable');
}

/**
 * Fails because a tree is missing or its folder is unreadable. Names the old tree if a command was interrupted between
 * two renames.
 */
export function throwNoTree(path: string): never {
  const manifest = join(path, MANIFEST_FILE);
  readingIfExists(displayPath(manifest), () => lstatSync(manifest));
  const { place, old, lock } = stageOf(path);
  const held = existsSync(place) ? undefined : [old, wholeIn(lock)].find((each) => existsSync(each));
  if (held === undefined) return fail(finding('no-tree', { folder: displayPath(path) }));
  return fail(finding('tree-set-aside', { folder: displayPath(path), held: displayPath(held) }));
}

/** Fails if a link or a file has the name of the lock. A git clone, for example, can contain such a link. */
function rejectOtherFile(lock: string): void {
  const status = lstatSync(lock, { throwIfNoEntry: false });
  if (!status || status.isDirectory()) return;
  fail(finding('lock-not-folder', { isLink: status.isSymbolicLink() }, { file: displayPath(lock) }));
}

/** Deletes the contents of the stage. Restores the old folder, unless the stage already replaced it. */
export function closeStage(stage: Stage): void {
  const { place, lock, isLinked } = stage;
  let isHeld = false;
  removing(stage, () => {
    isHeld = hasLock(lock);
  });
  if (!isHeld) return;
  try {
    restoreOld(stage);
  } catch (error) {
    failToWrite(displayPath(place), error, false);
  }
  removing(stage, () => {
    removeContents(stage);
    if (isLinked) pruneTrees(place);
    releaseLock(lock);
  });
}

/** Prints a system error instead of failing, because the result is complete. The next `openStage` tries again. */
function removing({ place, lock }: Stage, remove: () => void): void {
  try {
    remove();
  } catch (error) {
    const [shown, target] = [displayPath(lock), displayPath(place)];
    printError(
      `The temporary files in ${shown} could not be deleted: ${reasonOf(error)}. This does not affect the result. The next command that writes ${target} deletes them.\n`,
    );
  }
}

/** Replaces the old folder with the new folder. If the swap fails, `closeStage` restores the old folder. */
export function swap(stage: Stage, fsync = true): void {
  const { place, out, next, lock, isLinked } = stage;
  try {
    if (isLinked && existsSync(out)) carryOver(out, next);
    if (fsync) syncTree(next, out);
    if (isLinked) link(stage, fsync);
    else {
      if (existsSync(out)) moveAside(stage, fsync);
      renameSync(next, out);
    }
    if (existsSync(wholeIn(lock))) renameSync(wholeIn(lock), stage.old);
    if (fsync) syncFolders(dirname(place), lock);
  } catch (error) {
    const isKept = isLinked ? (linkedTree(place) ?? out) === out : existsSync(next);
    failToWrite(displayPath(place), error, isKept);
  }
  // If the old folder cannot be deleted, `closeStage` tries again and prints the reason.
  undefinedOnSystemError(() => discard(stage));
}

/** Moves the staged tree into the folder that stores all trees, and points the symbolic link to the new tree. */
function link(stage: Stage, fsync: boolean): void {
  const { place, out, next, lock } = stage;
  const tree = nextTree(place);
  makeFolders(treesOf(place));
  renameSync(next, tree);
  if (fsync) syncFolders(treesOf(place), dirname(place));
  const before = linkedTree(place);
  if (before === undefined && existsSync(place)) moveAside(stage, fsync);
  switchLink(place, tree, asideIn(lock));
  // The new tree also gets files that other programs created in the old tree during the build.
  if (before !== undefined) carryOver(out, tree);
}

function moveAside(stage: Stage, fsync: boolean): void {
  const { place, old, lock } = stage;
  if (tryRename(place, old)) {
    try {
      // Checks for changes only after the renaming, because no program can then open the files by their old paths.
      rejectChanges(old, stage);
      rejectForeign(old, stage);
    } catch (error) {
      renameSync(old, place);
      throw error;
    }
    return;
  }
  linkAll(place, copyIn(lock));
  if (fsync) syncTree(copyIn(lock), place);
  rejectChanges(place, stage);
  rejectForeign(place, stage);
  renameSync(copyIn(lock), wholeIn(lock));
  if (fsync) syncFolders(lock);
  rmSync(place, { recursive: true });
}

/** Returns false on an overlay file system, which cannot rename a folder of a lower layer. */
function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    return false;
  }
}

function rejectChanges(folder: string, { place, read }: Stage): void {
  const names = read ? changedNames(read, fingerprintsIn(folder)) : [];
  if (names.length > 0) fail(finding('import-changed', { files: names.map((name) => displayPath(join(place, name))) }));
}

/** Fails if a folder that a tree replaces got files of other programs since the stage was opened. */
function rejectForeign(folder: string, { place, read }: Stage): void {
  const isTreeStage = read === undefined;
  if (isTreeStage && !isReplaceable(folder)) fail(finding('output-not-ours', { folder: place }));
}

const copyIn = (lock: string) => join(lock, 'copy');
/** The path of a complete copy. While this copy exists, the original folder can be incomplete. */
const wholeIn = (lock: string) => join(lock, 'whole');

export function hasWholeCopy({ lock }: Stage): boolean {
  return existsSync(wholeIn(lock));
}

const asideIn = (lock: string) => join(lock, 'link');

function tidy(stage: Stage): void {
  restoreOld(stage);
  removeContents(stage);
}

function restoreOld(stage: Stage): void {
  const { place, lock, old, next } = stage;
  // A cloned lock folder can contain links to folders of the user, so links are deleted.
  for (const path of [old, wholeIn(lock)]) if (!isFolder(path)) rmSync(path, { force: true });
  if (existsSync(wholeIn(lock))) {
    if (!existsSync(place) || isPartOf(place, wholeIn(lock))) {
      rmSync(place, { recursive: true, force: true });
      renameSync(wholeIn(lock), place);
    } else if (existsSync(next)) fail(finding('stage-unclear', { place, copy: wholeIn(lock) }));
    else renameSync(wholeIn(lock), old);
    syncFolders(dirname(place), lock);
  }
  if (existsSync(old) && !existsSync(place)) {
    renameSync(old, place);
    syncFolders(dirname(place), lock);
  }
}

function removeContents(stage: Stage): void {
  const { place, lock, old, next, adjacent } = stage;
  if (existsSync(old)) {
    syncFolders(dirname(place), lock);
    discard(stage);
  }
  for (const path of [next, adjacent, copyIn(lock), asideIn(lock)]) rmSync(path, { recursive: true, force: true });
}

/** Whether `whole` contains all files of `part`. Otherwise, `whole` is not a copy of `part`. */
function isPartOf(part: string | Buffer, whole: string | Buffer): boolean {
  return readdirSync(part, BY_BYTES).every((entry) => {
    const [path, copy] = [pathIn(part, entry.name), pathIn(whole, entry.name)];
    if (entry.isDirectory()) return isFolder(copy) && isPartOf(path, copy);
    const [file, copied] = [path, copy].map((each) => lstatSync(each, { throwIfNoEntry: false }));
    if (!file || !copied || file.isFile() !== copied.isFile() || file.size !== copied.size) return false;
    if (file.ino === copied.ino) return true;
    if (file.isSymbolicLink())
      return copied.isSymbolicLink() && readlinkSync(path, 'buffer').equals(readlinkSync(copy, 'buffer'));
    return file.isFile() && readFileSync(path).equals(readFileSync(copy));
  });
}

/** Deletes a replaced registry completely, because `moveAside` has verified that the import read all of its files. */
function discard({ place, old }: Stage): void {
  if (!existsSync(old)) return;
  if (isReplaceable(old)) retireTree(old, place);
  else rmSync(old, { recursive: true, force: true });
}

/** Fills the stage with hard links to the existing files, if any. */
export function stageCopy({ out, next }: Stage): void {
  if (existsSync(out)) writing(next, () => linkAll(out, next));
}

/** Writes a file of the stage, or deletes the file if `text` is null. The original of a hard link stays unchanged. */
export function stageFile({ next }: Stage, file: string, text: string | Uint8Array | null): void {
  const path = join(next, file);
  writing(path, () => {
    rmSync(path, { force: true });
    if (text === null) removeEmptyFolders(next, dirname(file));
    else fs.outputFileSync(path, text, { flag: 'wx' });
  });
}

function removeEmptyFolders(root: string, folder: string): void {
  if (folder === '.' || readdirSync(join(root, folder)).length > 0) return;
  rmSync(join(root, folder), { recursive: true });
  removeEmptyFolders(root, dirname(folder));
}
