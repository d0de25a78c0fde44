/** Reading git repositories with git itself: one `git log`, one `git cat-file --batch`, both streamed. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finding } from '../diagnostics/finding.ts';
import { type GitCommit, LOG_ARGUMENTS, parseGitLog } from '../history/git-log.ts';
import { fail, systemCode } from './failure.ts';

export interface Repository {
  readonly folder: string;
  readonly close: () => void;
}

/** Opens a clone, a bare repository, or a bundle, which is unpacked into a temporary folder. */
export function openRepository(source: string): Repository {
  if (!source.endsWith('.bundle')) {
    const shallow = git(source, ['rev-parse', '--is-shallow-repository']).trim();
    if (shallow === 'true') refuse(source, 'it is a shallow clone; run "git fetch --unshallow" in it first');
    return { folder: source, close: () => {} };
  }
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-'));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    git(undefined, ['clone', '--quiet', '--bare', '--', source, folder], source);
    return { folder, close };
  } catch (error) {
    close();
    throw error;
  }
}

function refuse(folder: string, reason: string): never {
  return fail(finding('not-a-repository', { folder, reason }));
}

function git(folder: string | undefined, args: readonly string[], shown = folder ?? ''): string {
  try {
    return execFileSync('git', args, {
      ...(folder === undefined ? {} : { cwd: folder }),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 30,
    });
  } catch (error) {
    return refuse(shown, gitReason(error));
  }
}

function gitReason(error: unknown): string {
  if (systemCode(error) === 'ENOENT') return 'git is not installed, or there is no such folder';
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  if (stderr === '') throw error;
  return (stderr.split('\n').at(-1) ?? stderr).replace(/^(fatal|error): /, '');
}

/** The identifier of the commit that a name stands for. */
export function resolveCommit({ folder }: Repository, ref: string): string {
  return git(
    folder,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`].filter(Boolean),
  ).trim();
}

/** The paths of all files at a commit. */
export function listFiles({ folder }: Repository, commit: string): string[] {
  return git(folder, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit])
    .split('\0')
    .filter(Boolean);
}

/** The commits that a commit stands on, itself the last; along first parents alone when `firstParent` is set. */
export async function readCommits(
  { folder }: Repository,
  commit: string,
  firstParent: boolean,
): Promise<GitCommit[]> {
  const child = spawn('git', [...LOG_ARGUMENTS, ...(firstParent ? ['--first-parent'] : []), commit], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const commits = parseGitLog(Buffer.concat(chunks).toString('utf8'));
  if (!firstParent) return commits;
  return commits.map((one) => ({ ...one, parents: one.parents.slice(0, 1) }));
}

/** The contents of blobs, in the order in which they are asked for; undefined for those that are missing. */
export async function* readBlobs(
  { folder }: Repository,
  blobs: readonly string[],
): AsyncGenerator<Buffer | undefined> {
  const child = spawn('git', ['cat-file', '--batch', '--buffer'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // git may end before it has read all of its input, when a repository is broken: what is missing shows on its output.
  child.stdin.on('error', () => {});
  child.stdin.end(blobs.map((blob) => `${blob}\n`).join(''));
  let pending = Buffer.alloc(0);
  const output = child.stdout[Symbol.asyncIterator]();
  const more = async () => {
    const chunk = await output.next();
    if (chunk.done) return false;
    pending = pending.length > 0 ? Buffer.concat([pending, chunk.value]) : chunk.value;
    return true;
  };
  try {
    for (let i = 0; i < blobs.length; i++) {
      let end = pending.indexOf(10);
      while (end < 0 && (await more())) end = pending.indexOf(10);
      if (end < 0) refuse(folder, 'git ended before it gave all contents');
      const size = /^[0-9a-f]+ blob (\d+)$/.exec(pending.toString('latin1', 0, end))?.[1];
      pending = pending.subarray(end + 1);
      if (size === undefined) {
        yield undefined;
        continue;
      }
      const length = Number(size);
      if (pending.length < length + 1) {
        const parts = [pending];
        let got = pending.length;
        while (got < length + 1) {
          const chunk = await output.next();
          if (chunk.done) refuse(folder, 'git ended before it gave all contents');
          else {
            parts.push(chunk.value);
            got += chunk.value.length;
          }
        }
        pending = Buffer.concat(parts);
      }
      yield pending.subarray(0, length);
      pending = pending.subarray(length + 1);
    }
  } finally {
    child.kill();
  }
}

/** A value of the user's git configuration; undefined when there is none. */
export function gitSetting(name: string): string | undefined {
  try {
    return (
      execFileSync('git', ['config', '--get', name], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim() || undefined
    );
  } catch {
    return undefined;
  }
}
