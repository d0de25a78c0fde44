/** Errors of the operating system: telling them from bugs, and their words. */
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { Failure, fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or folder',
  EEXIST: 'something of that name is there',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  EMLINK: 'too many hard links',
  EFBIG: 'the file would be too large',
  EIO: 'the disk reports an error',
  EBUSY: 'it is in use, or another file system is mounted there',
  ELOOP: 'its symbolic links lead in a circle',
  EXDEV: 'it lies on another file system',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
  // It tells of the file, though Node says it.
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
};

/** Whether a code is of the operating system, of libuv or of the resolver. Node's own (`ERR_...`) tell of bugs. */
function isOfSystem(code: string): boolean {
  if (Object.hasOwn(constants.errno, code) || Object.hasOwn(REASONS, code)) return true;
  return [...getSystemErrorMap().values()].some(([name]) => name === code) || code.startsWith(UNNAMED);
}

/** What libuv calls an error of the system that it has no name for. */
const UNNAMED = 'Unknown system error';

/** The code of a system error, such as ENOENT; undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && isOfSystem(code) ? code : undefined;
}

/** The code of any error, of the system, of Node or of a library; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A system error in words. Anything that is no system error is a bug, and is thrown on. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return REASONS[code] ?? code;
}

/** Runs a read; a system error ends the command with a finding that names the file. */
export function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return failToRead(file, error);
  }
}

/** Ends the command because a file could not be read. Findings and bugs are thrown on. */
export function failToRead(file: string, error: unknown): never {
  if (error instanceof Failure) throw error;
  return fail(finding('read-failed', { file, reason: reasonOf(error) }));
}

/** Runs a write; a system error ends the command with a finding that names the file. */
export function writing<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    return failToWrite(file, error);
  }
}

/**
 * Ends the command because a file could not be written. `isKept` says whether what stood there before is untouched.
 * Findings and bugs are thrown on.
 */
export function failToWrite(file: string, error: unknown, isKept = true): never {
  if (error instanceof Failure) throw error;
  return fail(finding('write-failed', { file, reason: reasonOf(error), kept: isKept }));
}

/** The same for what need not be there: undefined where it is not. */
export function readingIfThere<T>(file: string, read: () => T): T | undefined {
  return reading(file, () => {
    try {
      return read();
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  });
}

/** Whether a system error says that there is no such file, or no such folder on the way to it. */
export function isAbsent(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** What a call gives; undefined where the system refuses it, for whatever reason. Anything else that is thrown is a bug. */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
