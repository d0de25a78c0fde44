/** Reading git repositories with git itself: one `git log`, one `git cat-file --batch`, both streamed. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { reasonOf, systemCode } from '../files/system-errors.ts';
import { type GitCommit, LOG_ARGUMENTS, parseGitLog } from './git-log.ts';

export interface Repository {
  readonly folder: string;
  /** How messages name it. */
  readonly name: string;
  readonly close: () => void;
}

/** Variables by which a hook tells git its own repository: the one that is read may be another. */
const OF_THE_CALLER = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX'];

/** The environment without them, and with messages in the words that are read here. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !OF_THE_CALLER.includes(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

/** Opens a clone, a bare repository, or a bundle, which is unpacked into a temporary folder. */
export function openRepository(name: string): Repository {
  if (!isFile(name)) {
    const repository = { folder: name, name, close: () => {} };
    const shallow = git(repository, ['rev-parse', '--is-shallow-repository']).trim();
    if (shallow === 'true')
      refuse(repository, 'it is a shallow clone; run "git fetch --unshallow" in it first');
    return repository;
  }
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-'));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    git({ folder: '.', name }, ['clone', '--quiet', '--bare', '--', name, folder]);
    return { folder, name, close };
  } catch (error) {
    close();
    throw error;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

type Place = Pick<Repository, 'folder' | 'name'>;

function refuse({ name }: Place, reason: string): never {
  return fail(finding('not-a-repository', { folder: name, reason }));
}

/** What git prints; it fails with git's own reason when git does. */
function git(repository: Place, args: readonly string[]): string {
  return tryGit(repository, args) ?? refuse(repository, 'git gives no reason');
}

/** The same; undefined when git fails without a word, as it does with --quiet. */
function tryGit(repository: Place, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: repository.folder,
      env: environment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 30,
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return refuse(repository, 'git is not installed, or there is no such folder');
    if (code !== undefined) return refuse(repository, reasonOf(error));
    if (!(error instanceof Error && 'stderr' in error)) throw error;
    const reason = reasonIn(String(error.stderr));
    return reason === '' ? undefined : refuse(repository, reason);
  }
}

/** Why git gave up: the first line that says so, or else the last. */
function reasonIn(said: string): string {
  const reason = /^fatal: (.*)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
  return reason.replace(/^error: /, '').replace(/\.$/, '');
}

/** The identifier of the commit that a name stands for. */
export function resolveCommit(repository: Repository, ref: string): string {
  const id = tryGit(repository, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ])?.trim();
  if (id === undefined) {
    const names = git(repository, ['for-each-ref', '--count=10', '--format=%(refname:short)']);
    return fail(finding('import-unknown-ref', { ref, names: names.split('\n').filter(Boolean) }));
  }
  return isRevisionId(id)
    ? id
    : refuse(repository, 'its commits have SHA-256 identifiers, not those of 40 digits');
}

/** The paths of all files at a commit. */
export function listFiles(repository: Repository, commit: string): string[] {
  return git(repository, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit])
    .split('\0')
    .filter(Boolean);
}

/** A running git, whose output is read while it runs. */
function start({ folder }: Place, args: readonly string[]) {
  const child = spawn('git', args, { cwd: folder, env: environment() });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<{ status: number | null; reason: string }>((resolve) => {
    child.once('close', (status) => resolve({ status, reason: reasonIn(said) }));
  });
  return { child, ended };
}

/** The commits that a commit stands on, itself the last; along first parents alone when `firstParent` is set. */
export async function readCommits(
  repository: Repository,
  commit: string,
  firstParent: boolean,
): Promise<GitCommit[]> {
  const { child, ended } = start(repository, [
    ...LOG_ARGUMENTS,
    ...(firstParent ? ['--first-parent'] : []),
    commit,
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const { status, reason } = await ended;
  if (status !== 0) refuse(repository, reason);
  const commits = parseGitLog(Buffer.concat(chunks).toString('utf8'));
  if (!firstParent) return commits;
  return commits.map((one) => ({ ...one, parents: one.parents.slice(0, 1) }));
}

/** The contents of blobs, in the order in which they are asked for; undefined for those that are missing. */
export async function* readBlobs(
  repository: Repository,
  blobs: readonly string[],
): AsyncGenerator<Buffer | undefined> {
  const { child, ended } = start(repository, ['cat-file', '--batch', '--buffer']);
  // git may end before it has read all of its input, when a repository is broken: what is missing shows on its output.
  child.stdin.on('error', () => {});
  child.stdin.end(blobs.map((blob) => `${blob}\n`).join(''));
  const output: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);
  const more = async (): Promise<Buffer> => {
    const chunk = await output.next();
    return chunk.done ? refuse(repository, (await ended).reason) : chunk.value;
  };
  /** The next so many bytes. */
  const take = async (length: number) => {
    const parts = [pending];
    for (let got = pending.length; got < length; got += parts.at(-1)?.length ?? 0) parts.push(await more());
    const bytes = parts.length > 1 ? Buffer.concat(parts) : pending;
    pending = bytes.subarray(length);
    return bytes.subarray(0, length);
  };
  try {
    for (let i = 0; i < blobs.length; i++) {
      while (!pending.includes(NEWLINE)) pending = Buffer.concat([pending, await more()]);
      const header = (await take(pending.indexOf(NEWLINE) + 1)).toString('latin1');
      const size = /^[0-9a-f]+ blob (\d+)\n$/.exec(header)?.[1];
      yield size === undefined ? undefined : (await take(Number(size) + 1)).subarray(0, -1);
    }
  } finally {
    child.kill();
  }
}

const NEWLINE = 10;

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
