/**
 * A lock excludes other processes. The lock of a path is a hidden folder next to the path. An empty file in this folder
 * names the owner process. Processes acquire the lock by a rename, so only one process succeeds. Another process takes
 * over the lock after the owner has ended. A process cannot see owners in other containers or on other machines. Users
 * must delete these locks.
 */
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { lazily } from '../../core/platform/on-demand.ts';
import { isAbsent, systemCode, undefinedOnSystemError } from './system-errors.ts';

export function lockFolderOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.gridpress`);
}

export function isTemporaryName(name: string): boolean {
  return /^\..+\.gridpress(-\d+)?$/.test(name);
}

/** Returns false if a running process already has the lock, even if it is this process. */
export function takeLock(lock: string): boolean {
  if (!tryCreateLock(lock) && !tryTakeOverLock(lock)) return false;
  deleteUnfinished(lock);
  // A process of another container with the same number can have replaced the unfinished lock.
  return hasLock(lock);
}

/** Releases a lock of this process. A non-empty lock folder stays for the next process. */
export function releaseLock(lock: string): void {
  if (!hasLock(lock)) return;
  fs.rmSync(join(lock, ownerFile()), { force: true });
  // Another process may have acquired the lock already.
  trySystemCall(['ENOTEMPTY', 'EEXIST', 'ENOENT'], () => fs.rmdirSync(lock));
}

export function hasLock(lock: string): boolean {
  return ownersOf(lock).includes(ownerFile());
}

/** Returns the owner's process number, or NaN if the owner runs in another container or on another machine. */
export function holderOf(lock: string): number {
  return pidOf(ownersOf(lock).map(identityOfOwner).find(isRunning) ?? '');
}

/** Creates a lock together with its owner file, so that no process sees a lock without an owner. */
function tryCreateLock(lock: string): boolean {
  const begun = `${lock}-${process.pid}`;
  fs.rmSync(begun, { recursive: true, force: true });
  try {
    fs.mkdirSync(begun);
    return trySystemCall(['ENOTEMPTY', 'EEXIST', 'ENOENT'], () => {
      fs.writeFileSync(join(begun, ownerFile()), '');
      fs.renameSync(begun, lock);
    });
  } finally {
    fs.rmSync(begun, { recursive: true, force: true });
  }
}

/** Takes over the lock of an ended process. Only one process can rename the owner file. */
function tryTakeOverLock(lock: string): boolean {
  const owners = ownersOf(lock);
  if (owners.some(isHeldBy)) return false;
  const own = join(lock, ownerFile());
  const isFirst = trySystemCall(['ENOENT'], () => {
    // Creates the owner file if a power failure deleted the file.
    if (owners[0] === undefined) fs.writeFileSync(own, '', { flag: 'wx' });
    else fs.renameSync(join(lock, owners[0]), own);
  });
  if (!isFirst) return false;
  const others = ownersOf(lock).filter((owner) => owner !== ownerFile());
  const isAlone = !others.some(isHeldBy);
  for (const owner of isAlone ? others : [ownerFile()]) fs.rmSync(join(lock, owner), { force: true });
  return isAlone;
}

function deleteUnfinished(lock: string): void {
  const folder = dirname(lock);
  for (const name of leftoversIn(folder, `${basename(lock)}-`))
    fs.rmSync(join(folder, name), { recursive: true, force: true });
}

export function leftoversIn(folder: string, begin: string): string[] {
  return fs.readdirSync(folder).filter((name) => {
    const pid = pidOf(name.startsWith(begin) ? name.slice(begin.length) : '');
    return !Number.isNaN(pid) && !isRunning(String(pid));
  });
}

/** Returns false if the change fails with one of the error codes. */
function trySystemCall(codes: readonly string[], change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (!codes.includes(systemCode(error) ?? '')) throw error;
    return false;
  }
}

const OWNER = 'owner-';

function ownerFile(): string {
  return OWNER + processIdentity().replaceAll(' ', '-');
}

/** Only the last part of an owner's name contains hyphens: the name of the machine. */
function identityOfOwner(owner: string): string {
  const [pid = '', started, boot, space, ...host] = owner.slice(OWNER.length).split('-');
  const parts = space === undefined ? [started, boot] : [started, boot, space, host.join('-')];
  return [pid, ...parts].filter((part) => part !== undefined).join(' ');
}

function isHeldBy(owner: string): boolean {
  const mark = identityOfOwner(owner);
  return isRunning(mark) || isElsewhere(mark);
}

function ownersOf(lock: string): string[] {
  return namesIn(lock).filter((name) => name.startsWith(OWNER));
}

function namesIn(lock: string): string[] {
  try {
    return fs.readdirSync(lock);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Identifies this process by its number. On Linux, adds start time, boot, pid namespace and machine name. */
export function processIdentity(): string {
  const { started } = statusOf(process.pid) ?? {};
  return started === undefined
    ? String(process.pid)
    : `${process.pid} ${started} ${bootId()} ${pidNamespace()} ${machine()}`;
}

/** Whether a process runs and is visible here. `mark` comes from `processIdentity`, because systems reuse numbers. */
export function isRunning(mark: string): boolean {
  const pid = pidOf(mark);
  const [, started, boot] = mark.split(' ');
  // Start times are relative to the boot, so the boot must be the same.
  if (Number.isNaN(pid) || isElsewhere(mark) || (boot !== undefined && boot !== bootId()) || !exists(pid)) return false;
  const status = statusOf(pid);
  return !status || (!status.isEnded && (started === undefined || started === status.started));
}

/** Whether a process belongs to another container or machine, so that it is invisible here. */
function isElsewhere(mark: string): boolean {
  const [, , boot, space, host] = mark.split(' ');
  if (space === undefined) return false;
  return boot === bootId() ? space !== pidNamespace() : host !== machine();
}

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

/** Reads /proc/PID/stat (proc(5)). Returns undefined on systems other than Linux. */
function statusOf(pid: number): { readonly isEnded: boolean; readonly started: string | undefined } | undefined {
  const stat = statOf(pid);
  if (stat === undefined) return undefined;
  // The second field, the program name, can contain parentheses. Field 3 is the state, and field 22 the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { isEnded: ['Z', 'X'].includes(fields[0] ?? ''), started: fields[19] };
}

/** Errors of a system without free resources, and of a damaged disk. They say nothing about a process. */
const UNRELATED_CODES = ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'];

function statOf(pid: number): string | undefined {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || UNRELATED_CODES.includes(code)) throw error;
    return undefined;
  }
}

const bootId = lazily(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8));

/** The number of the pid namespace of this process (pid_namespaces(7)). */
const pidNamespace = lazily(
  () => undefinedOnSystemError(() => fs.readlinkSync('/proc/self/ns/pid'))?.replace(/\D/g, '') ?? '',
);

/** The host name, without characters that file names cannot contain. */
const machine = lazily(() => hostname().replace(/[^\w.-]/g, '_'));
