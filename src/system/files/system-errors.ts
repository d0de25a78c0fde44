/** Distinguishes errors of the operating system from bugs, and describes these errors. */
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { Failure, fail, finding } from '../../core/diagnostics/finding.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or folder',
  EEXIST: 'it already exists',
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
  EXDEV: 'it is on another file system',
  ENXIO: 'it is a socket, or a device that is missing',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
  // This error comes from Node, not from the operating system.
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
};

/** System codes come from the system, libuv or the resolver. Node's own codes (`ERR_...`) indicate bugs. */
function isSystemCode(code: string): boolean {
  if (Object.hasOwn(constants.errno, code) || Object.hasOwn(REASONS, code)) return true;
  return [...getSystemErrorMap().values()].some(([name]) => name === code) || code.startsWith(UNNAMED);
}

/** libuv uses this prefix for system errors that have no name. */
const UNNAMED = 'Unknown system error';

export function systemCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && isSystemCode(code) ? code : undefined;
}

/** Converts a system error to a failure. Returns all other errors unchanged. */
export function systemFailure(error: unknown): unknown {
  if (!(error instanceof Error) || systemCode(error) === undefined) return error;
  return new Failure([finding('system-error', { message: error.message })]);
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (typeof error.code !== 'string') return undefined;
  return error.code.startsWith(UNNAMED) ? (codeOfNumber(error.code) ?? error.code) : error.code;
}

/** Returns the code of an error without a name in libuv, such as EDQUOT for `Unknown system error -122`. */
function codeOfNumber(unnamed: string): string | undefined {
  const number = -Number(unnamed.slice(UNNAMED.length));
  return Object.entries(constants.errno).find(([, value]) => value === number)?.[0];
}

/** Returns the reason of a system error. Throws all other errors again. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return REASONS[code] ?? code;
}

/** Converts a system error of `read` to a failure that names the file. */
export function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return failToRead(file, error);
  }
}

export function failToRead(file: string, error: unknown): never {
  if (error instanceof Failure) throw error;
  return fail(finding('read-failed', { file, reason: reasonOf(error) }));
}

export function writing<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    return failToWrite(file, error);
  }
}

/** Converts a system error to a failure, and throws other errors again. If `isKept`, the old file is unchanged. */
export function failToWrite(file: string, error: unknown, isKept = true): never {
  if (error instanceof Failure) throw error;
  return fail(finding('write-failed', { file, reason: reasonOf(error), kept: isKept }));
}

export function readingIfExists<T>(file: string, read: () => T): T | undefined {
  return reading(file, () => {
    try {
      return read();
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  });
}

/** Whether a file, or a folder in its path, does not exist. */
export function isAbsent(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function undefinedOnSystemError<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
