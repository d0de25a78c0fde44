/** Failures that end a command: findings thrown through layers that cannot go on, and the words of system errors. */
import { type Finding, finding } from '../diagnostics/finding.ts';

/** Carries findings to the command line, which prints them and exits. */
export class Failure extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ code }) => code).join(', '));
    this.findings = findings;
  }
}

export function fail(...findings: Finding[]): never {
  throw new Failure(findings);
}

/** Ends the command with many findings: more than a call can have arguments. */
export function failAll(findings: readonly Finding[]): never {
  throw new Failure(findings);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or folder',
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
};

/** The code of a system error, such as ENOENT; undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A system error in words. Anything that is no system error is a bug, and is thrown on. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return reasonOfCode(code);
}

/** The words for the code of a system error. */
export function reasonOfCode(code: string): string {
  return REASONS[code] ?? code;
}

/** Runs a read; a system error ends the command with a finding that names the file. */
export function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail(finding('read-failed', { file, reason: reasonOf(error) }));
  }
}
