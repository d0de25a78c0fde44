/**
 * Locks between processes. Whoever writes at a path makes a hidden folder beside it, with a file whose name says which
 * process it is, and works in there. Whatever changes hands does so in one call of the system, so that of many that try at
 * once one succeeds; what a process has left that is over is taken over with all that is in it.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolders } from './disk-sync.ts';
import { systemCode, unlessRefused } from './system-errors.ts';

/** The folder that is the lock of a path. */
export function lockFolderOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.gridpress`);
}

/** Whether a name is that of a lock, or of a file that is being written: nothing that anyone wants to read. */
export function isWorkName(name: string): boolean {
  return /^\..+\.gridpress(-\d+)?$/.test(name);
}

/** Takes a lock. False when a process that runs has it, be it this one. */
export function takeLock(lock: string): boolean {
  if (!isMade(lock) && !isTakenOver(lock)) return false;
  clearBegun(lock);
  return true;
}

/** Gives back a lock that this process has. What is still in its folder is left to the next one. */
export function releaseLock(lock: string): void {
  if (!hasLock(lock)) return;
  rmSync(join(lock, ownFile()), { force: true });
  // Another process may have taken it in between, and may be done with it already.
  unless(['ENOTEMPTY', 'EEXIST', 'ENOENT'], () => rmdirSync(lock));
}

export function hasLock(lock: string): boolean {
  return ownersOf(lock).includes(ownFile());
}

export function holderOf(lock: string): number {
  return pidOf(markIn(ownersOf(lock).find(isAtWork) ?? ''));
}

/** Makes a folder and those above it. Unlike the recursive mkdir, it ends when /proc is asked for one. */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  mkdirSync(folder);
  syncFolders(dirname(folder));
}

/** Makes a lock with its owner in it, in one step: no other process ever sees one that is nobody's. */
function isMade(lock: string): boolean {
  const begun = `${lock}-${process.pid}`;
  rmSync(begun, { recursive: true, force: true });
  try {
    mkdirSync(begun);
    writeFileSync(join(begun, ownFile()), '');
    return unless(['ENOTEMPTY', 'EEXIST'], () => renameSync(begun, lock));
  } finally {
    rmSync(begun, { recursive: true, force: true });
  }
}

/** Takes a lock over from processes that are over: whoever renames the file of one is the only one that could. */
function isTakenOver(lock: string): boolean {
  const owners = ownersOf(lock);
  if (owners.some(isAtWork)) return false;
  const own = join(lock, ownFile());
  const isFirst = unless(['ENOENT'], () => {
    // A power cut may have left no owner.
    if (owners[0] === undefined) writeFileSync(own, '', { flag: 'wx' });
    else renameSync(join(lock, owners[0]), own);
  });
  if (!isFirst) return false;
  const others = ownersOf(lock).filter((owner) => owner !== ownFile());
  const isAlone = !others.some(isAtWork);
  for (const owner of isAlone ? others : [ownFile()]) rmSync(join(lock, owner), { force: true });
  return isAlone;
}

/** What processes left that were over before a lock was theirs. */
function clearBegun(lock: string): void {
  const folder = dirname(lock);
  for (const name of leftIn(folder, `${basename(lock)}-`)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** The names in a folder that are a beginning and the number of a process that is over. */
export function leftIn(folder: string, begin: string): string[] {
  return readdirSync(folder).filter((name) => {
    const pid = pidOf(name.startsWith(begin) ? name.slice(begin.length) : '');
    return !Number.isNaN(pid) && !isRunning(String(pid));
  });
}

/** False where a change fails for one of these reasons. */
function unless(codes: readonly string[], change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (!codes.includes(systemCode(error) ?? '')) throw error;
    return false;
  }
}

const OWNER = 'owner-';

function ownFile(): string {
  return OWNER + processMark().replaceAll(' ', '-');
}

function markIn(owner: string): string {
  return owner.slice(OWNER.length).replaceAll('-', ' ');
}

function isAtWork(owner: string): boolean {
  return isRunning(markIn(owner));
}

function ownersOf(lock: string): string[] {
  try {
    return readdirSync(lock).filter((name) => name.startsWith(OWNER));
  } catch {
    return [];
  }
}

/**
 * What this process leaves where it works: its number and, where that can be known, when it started, and in which run of
 * the machine.
 */
export function processMark(): string {
  const { started } = statusOf(process.pid) ?? {};
  return started === undefined ? String(process.pid) : `${process.pid} ${started} ${runOfMachine()}`;
}

/** Whether the process that left a mark still runs: numbers of processes are given to others in time. */
export function isRunning(mark: string): boolean {
  const pid = pidOf(mark);
  if (Number.isNaN(pid) || !exists(pid)) return false;
  const [, started, run] = mark.split(' ');
  // After the machine has started anew, processes begin at the same moments as before.
  if (run !== undefined && run !== runOfMachine()) return false;
  const status = statusOf(pid);
  return !status || (!status.isOver && (started === undefined || started === status.started));
}

/** NaN where it is no mark. */
export function pidOf(mark: string): number {
  const [pid = ''] = mark.split(' ');
  return /^[1-9]\d*$/.test(pid) ? Number(pid) : Number.NaN;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** What Linux tells of a process (proc(5), /proc/PID/stat); undefined elsewhere. */
function statusOf(pid: number): { readonly isOver: boolean; readonly started: string | undefined } | undefined {
  const stat = unlessRefused(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  // The name of the program may hold anything; the third field follows its last parenthesis, the start is the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { isOver: ['Z', 'X'].includes(fields[0] ?? ''), started: fields[19] };
}

let knownRun: string | undefined;

/** What tells this run of the machine from others (random(4), boot_id), shortened. */
function runOfMachine(): string {
  knownRun ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
  return knownRun;
}
