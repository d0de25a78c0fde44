/**
 * Writing a tree: staged beside the old one, then put in its place by renaming. Whenever it is interrupted, the old
 * tree is whole: in its place, or beside it, from where the next command puts it back.
 */
import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { finding } from '../diagnostics/finding.ts';
import { MANIFEST_FILE } from '../site/layout.ts';
import { fail, reasonOf, systemCode } from './failure.ts';
import { isInside, readBytes } from './read-tree.ts';

/** Where a tree and its stages are. All three are siblings, so that renaming is enough. */
export interface Stage {
  readonly out: string;
  readonly next: string;
  readonly old: string;
}

const OWNER_FILE = '.owner';

/** The stage of an output folder; of a symbolic link's target, so that the link stays. */
export function stageOf(out: string): Stage {
  const target = existsSync(out) ? realpathSync(out) : resolve(out);
  const sibling = (name: string) => join(dirname(target), `.${basename(target)}.gridpress-${name}`);
  return { out: target, next: sibling('next'), old: sibling('old') };
}

/** Puts back or clears away what an interrupted run left. */
export function recover({ out, next, old }: Stage): void {
  if (existsSync(old)) {
    if (existsSync(out)) rmSync(old, { recursive: true, force: true });
    else renameSync(old, out);
  }
  if (existsSync(next) && !isOwned(next)) rmSync(next, { recursive: true, force: true });
}

/** Refuses an output that is a file, that lies in the registry (or the other way round), or that is not ours. */
export function checkOutput(folder: string, registry: string): void {
  const status = lstatOf(folder);
  if (status && !status.isDirectory() && !status.isSymbolicLink())
    fail(finding('output-is-file', { folder }));
  const target = status ? realpathSync(folder) : folder;
  if (isInside(target, registry) || isInside(registry, target))
    fail(finding('output-in-registry', { folder, registry }));
  if (status && !isTree(target) && readdirSync(target).length > 0)
    fail(finding('output-not-ours', { folder }));
}

/** Whether a folder is a tree that gridpress wrote. */
export function isTree(folder: string): boolean {
  try {
    const file = openSync(join(folder, MANIFEST_FILE), 'r');
    closeSync(file);
    return true;
  } catch {
    return false;
  }
}

function lstatOf(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') fail(finding('read-failed', { file: path, reason: reasonOf(error) }));
    return undefined;
  }
}

/** Begins a stage: an empty folder that this process owns. */
export function openStage(stage: Stage): void {
  try {
    recover(stage);
    if (existsSync(stage.next)) fail(finding('build-running', { folder: stage.out }));
    mkdirSync(stage.next, { recursive: true });
    writeFileSync(join(stage.next, OWNER_FILE), String(process.pid));
  } catch (error) {
    fail(finding('output-not-writable', { folder: dirname(stage.out), reason: reasonOf(error) }));
  }
}

export function dropStage(stage: Stage): void {
  rmSync(stage.next, { recursive: true, force: true });
}

/** Puts the staged tree in the old one's place. */
export function swap(stage: Stage, removing: () => void = () => {}): void {
  rmSync(join(stage.next, OWNER_FILE));
  if (existsSync(stage.out)) renameSync(stage.out, stage.old);
  renameSync(stage.next, stage.out);
  removing();
  rmSync(stage.old, { recursive: true, force: true });
}

function isOwned(folder: string): boolean {
  try {
    const pid = Number(readFileSync(join(folder, OWNER_FILE), 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

export interface Written {
  readonly sha256: string;
  readonly size: number;
}

export interface TreeWriter {
  /** Writes one document's file; a file of the previous tree with the same bytes and time is linked in instead. */
  readonly write: (file: string, content: string | Uint8Array, modified: number, reuse: boolean) => Written;
  readonly link: (target: string, file: string) => void;
}

/** Writes below a stage. `previous` is the tree that may hold some of the files already. */
export function treeWriter(root: string, previous: string | undefined): TreeWriter {
  let slab = Buffer.allocUnsafe(1 << 20);
  const encoded = (text: string) => {
    if (text.length * 3 > slab.length) slab = Buffer.allocUnsafe(text.length * 4);
    return slab.subarray(0, slab.write(text, 0, 'utf8'));
  };
  const folders = new Set<string>(['.']);
  const makeFolder = (folder: string) => {
    if (folders.has(folder)) return;
    makeFolder(dirname(folder));
    try {
      mkdirSync(join(root, folder));
    } catch (error) {
      // Another thread may have been first.
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    folders.add(folder);
  };
  const guarded = <T>(file: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      return fail(finding('write-failed', { file, reason: reasonOf(error), kept: true }));
    }
  };
  return {
    write: (file, content, modified, reuse) =>
      guarded(file, () => {
        const bytes = typeof content === 'string' ? encoded(content) : content;
        makeFolder(dirname(file));
        if (!(reuse && previous !== undefined && reuseFile(join(previous, file), join(root, file), bytes))) {
          create(join(root, file), bytes, modified);
        }
        return { sha256: hash('sha256', bytes, 'hex'), size: bytes.length };
      }),
    link: (target, file) =>
      guarded(file, () => {
        makeFolder(dirname(file));
        linkOrCopy(join(root, target), join(root, file));
      }),
  };
}

function create(path: string, bytes: Uint8Array, modified: number): void {
  const file = openSync(path, 'wx');
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    futimesSync(file, modified, modified);
  } finally {
    closeSync(file);
  }
}

/** Links a file of the previous tree in when it holds the same bytes. */
function reuseFile(previous: string, path: string, bytes: Uint8Array): boolean {
  try {
    if (Buffer.compare(readBytes(previous), bytes) !== 0) return false;
    linkSync(previous, path);
    return true;
  } catch {
    return false;
  }
}

/** A hard link; where the file system allows no more of them, a copy with the same time. */
function linkOrCopy(target: string, path: string): void {
  try {
    linkSync(target, path);
  } catch (error) {
    if (systemCode(error) !== 'EMLINK' && systemCode(error) !== 'EPERM' && systemCode(error) !== 'ENOTSUP')
      throw error;
    create(path, readBytes(target), lstatSync(target).mtimeMs / 1000);
  }
}
