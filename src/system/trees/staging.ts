/**
 * Where a tree is made: staged beside the old one, then put in its place by renaming. Whenever it is interrupted, the
 * old tree is whole: in its place, or beside it, from where the next command puts it back.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure, fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { isRunning, pidOf, processMark } from '../files/processes.ts';
import { isInside } from '../files/read-folder.ts';
import { failToWrite, reasonOf, systemCode } from '../files/system-errors.ts';
import { readManifestSummary } from './manifest-file.ts';
import { retireTree } from './retire-tree.ts';

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

/** Puts back or clears away what an interrupted run left. What a running one does is its own affair. */
export function recover({ out, next, old }: Stage): void {
  if (isWriting({ out, next, old })) return;
  writable(dirname(out), () => {
    if (existsSync(old)) {
      if (existsSync(out)) discard(old, out);
      else renameSync(old, out);
    }
    rmSync(next, { recursive: true, force: true });
    rmSync(join(out, OWNER_FILE), { force: true });
    for (const begun of begunStages(next)) rmSync(begun, { recursive: true, force: true });
  });
}

/** A stage in the making, which its process has not put in its place yet. */
function begunStage(next: string): string {
  return `${next}-${process.pid}`;
}

/** Those of processes that have ended. */
function begunStages(next: string): string[] {
  const begin = `${basename(next)}-`;
  const folder = dirname(next);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(begin)) : [];
  return names.filter((name) => !isRunning(name.slice(begin.length))).map((name) => join(folder, name));
}

/** Refuses an output that is a file, that lies in the registry (or the other way round), or that is not ours. */
export function checkOutput(folder: string, registry: string): void {
  checkApart(folder, registry);
  checkUnused(folder, isTree(realPlace(folder)));
}

/** Refuses an output that lies in the registry, or the other way round. */
export function checkApart(folder: string, registry: string): void {
  if (overlap(folder, registry)) fail(finding('output-in-registry', { folder, registry }));
}

/** Whether one of two places lies in the other, or they are the same. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [realPlace(one), realPlace(other)];
  return isInside(a, b) || isInside(b, a);
}

/** Refuses a folder that is a tree or lies in one, which would then hold what its manifest does not list. */
export function checkInNoTree(path: string): void {
  for (let place = realPlace(path); ; place = dirname(place)) {
    if (isTree(place))
      fail(finding('output-in-tree', { folder: path, isTree: place === realPlace(path), tree: place }));
    if (dirname(place) === place) return;
  }
}

/** Refuses what is no folder, or one that holds something, unless what it holds is known to be ours. */
export function checkUnused(folder: string, isOurs = false): void {
  const isThere = checkFolder(folder);
  const names = writable(folder, () => (isThere && !isOurs ? readdirSync(folder) : []));
  if (names.length > 0) fail(finding('output-not-ours', { folder }));
}

/** Refuses what is no folder; tells whether it is there. */
export function checkFolder(folder: string): boolean {
  return writable(folder, () => {
    const status = statSync(folder, { throwIfNoEntry: false });
    if (status && !status.isDirectory()) fail(finding('output-is-file', { folder }));
    if (!status && lstatSync(folder, { throwIfNoEntry: false }))
      fail(finding('output-not-writable', { folder, reason: 'it is a symbolic link that leads nowhere' }));
    return status !== undefined;
  });
}

/** Whether a folder is a tree that gridpress wrote. */
export function isTree(folder: string): boolean {
  return readManifestSummary(folder) !== undefined;
}

/** The real path of a folder that may not be there yet: of the nearest one above it that is. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(resolve(path));
    return above === path ? path : join(realPlace(above), basename(path));
  }
}

/** Runs what makes or needs the output folder; a system error ends the command with a finding that names it. */
function writable<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail(finding('output-not-writable', { folder, reason: reasonOf(error) }));
  }
}

/** Begins a stage: an empty folder that this process owns. */
export function openStage(stage: Stage): void {
  recover(stage);
  writable(dirname(stage.out), () => {
    if (isOwned(stage.out) || !isMade(stage.next)) {
      const held = isOwned(stage.out) ? join(stage.out, OWNER_FILE) : stage.next;
      const pid = pidOf(ownerOf(isOwned(stage.out) ? stage.out : stage.next));
      fail(finding('build-running', { folder: stage.out, held, pid }));
    }
  });
}

/** Like the recursive mkdir, which never ends when /proc is asked for a folder. */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  mkdirSync(folder);
}

/**
 * Makes a stage with its owner in it, in one step: no other process ever sees one that is no one's. False when there is
 * one already, since another process was first.
 */
function isMade(next: string): boolean {
  const begun = begunStage(next);
  makeFolders(dirname(next));
  rmSync(begun, { recursive: true, force: true });
  try {
    mkdirSync(begun);
    writeFileSync(join(begun, OWNER_FILE), processMark());
    renameSync(begun, next);
    return true;
  } catch (error) {
    rmSync(begun, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
    return false;
  }
}

export function dropStage(stage: Stage): void {
  rmSync(stage.next, { recursive: true, force: true });
}

/** Puts the staged tree in the old one's place; when that cannot be done, the old one is put back. */
export function swap({ out, next, old }: Stage): void {
  try {
    if (existsSync(out)) renameSync(out, old);
    renameSync(next, out);
  } catch (error) {
    if (existsSync(old) && !existsSync(out)) renameSync(old, out);
    failToWrite(out, error);
  }
  if (existsSync(old)) writable(dirname(out), () => discard(old, out));
  rmSync(join(out, OWNER_FILE));
}

/** Removes what a swap has replaced: a tree of ours, or a registry whose files are all in the new one. */
function discard(old: string, out: string): void {
  const tree = readManifestSummary(old);
  if (tree) retireTree(old, out, new Set(tree.files.map(({ file }) => file)));
  else rmSync(old, { recursive: true, force: true });
}

/** Whether another process writes there now. */
export function isWriting({ out, next }: Stage): boolean {
  return isOwned(out) || isOwned(next);
}

function isOwned(folder: string): boolean {
  const owner = ownerOf(folder);
  return owner !== processMark() && isRunning(owner);
}

/** The mark that a folder's owner left in it; empty where there is none. */
function ownerOf(folder: string): string {
  try {
    return readFileSync(join(folder, OWNER_FILE), 'utf8');
  } catch {
    return '';
  }
}
