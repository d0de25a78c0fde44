/**
 * Small git repositories in temporary folders. Parents, dates and authors of commits are explicit, so that identifiers
 * are reproducible.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

/** Excludes the configuration of the user and of the system. */
export const GIT_ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  LC_ALL: 'C',
};

/** The contents of a file; null deletes it. */
export type Entry = string | Uint8Array | { readonly mode: string; readonly contents: string } | null;

export interface CommitOptions {
  /** The changes relative to the first parent. */
  readonly files?: Readonly<Record<string, Entry>>;
  readonly message?: string | Uint8Array;
  /** Default: the tip of the branch. */
  readonly parents?: readonly string[];
  readonly branch?: string;
  /** Git's format: seconds since the epoch and an offset. Default: one minute after the previous commit. */
  readonly date?: string;
  readonly author?: string;
}

export interface GitRepository {
  readonly folder: string;
  readonly git: (...args: string[]) => string;
  /** Creates a commit and moves its branch to it. Returns its identifier. */
  readonly commit: (options?: CommitOptions) => string;
  /** Stores an object unchecked. Returns its identifier. */
  readonly store: (type: 'commit' | 'tree', contents: Uint8Array) => string;
  /** Deletes the contents of a file from the object store. */
  readonly loseContents: (commit: string, path: string) => void;
}

const FIRST_DATE = 1_700_000_000;

/** Uses a new folder of the test by default, or a given empty one. */
export function gitRepository(folder = temporaryFolder()): GitRepository {
  const run = (args: readonly string[], input: Uint8Array | string = '') =>
    execFileSync('git', args, { cwd: folder, env: GIT_ENVIRONMENT, encoding: 'utf8', input, stdio: 'pipe' });
  run(['init', '--quiet', '--initial-branch=main']);
  const tips = new Map<string, string>();
  let made = 0;

  const commit = (options: CommitOptions = {}) => {
    const { branch = 'main', files = {} } = options;
    const tip = tips.get(branch);
    const parents = options.parents ?? (tip === undefined ? [] : [tip]);
    // Not in UTC, which versions of git write differently (+00:00 or Z).
    const date = options.date ?? `${FIRST_DATE + 60 * made} +0100`;
    made++;
    const marks = join(folder, '.git', 'marks');
    run(
      ['fast-import', '--quiet', '--force', `--export-marks=${marks}`],
      Buffer.concat([
        Buffer.from(`commit refs/heads/${branch}\nmark :1\n`),
        Buffer.from(`author ${options.author ?? 'Ada Brown <ada@example.org>'} ${date}\n`),
        Buffer.from(`committer Hook <hook@example.org> ${date}\n`),
        blob(options.message ?? `Commit ${made}`),
        ...parents.map((parent, i) => Buffer.from(`${i === 0 ? 'from' : 'merge'} ${parent}\n`)),
        ...Object.entries(files).map(([path, entry]) => fileCommand(path, entry)),
        Buffer.from('\n'),
      ]),
    );
    const id = readFileSync(marks, 'utf8').trim().split(' ')[1] ?? '';
    tips.set(branch, id);
    return id;
  };

  return {
    folder,
    git: (...args) => run(args),
    commit,
    store: (type, contents) => run(['hash-object', '-w', '-t', type, '--literally', '--stdin'], contents).trim(),
    loseContents: (id, path) => {
      const object = run(['rev-parse', `${id}:${path}`]).trim();
      rmSync(join(folder, '.git', 'objects', object.slice(0, 2), object.slice(2)));
    },
  };
}

function fileCommand(path: string, entry: Entry): Buffer {
  const octal = (_: string, hex: string) => `\\${Number.parseInt(hex, 16).toString(8).padStart(3, '0')}`;
  const quoted = JSON.stringify(path).replace(/\\u00([0-9a-f]{2})/g, octal);
  if (entry === null) return Buffer.from(`D ${quoted}\n`);
  const { mode, contents } =
    typeof entry === 'string' || entry instanceof Uint8Array ? { mode: '100644', contents: entry } : entry;
  if (mode === '160000') return Buffer.from(`M 160000 ${contents} ${quoted}\n`);
  return Buffer.concat([Buffer.from(`M ${mode} inline ${quoted}\n`), blob(contents)]);
}

/** A `data` command of `git fast-import`. */
function blob(contents: string | Uint8Array): Buffer {
  const bytes = Buffer.from(contents);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

/** JSON in the style of other registries. */
export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function executable(contents: string): Entry {
  return { mode: '100755', contents };
}

export function symbolicLink(target: string): Entry {
  return { mode: '120000', contents: target };
}

export function submodule(commit: string): Entry {
  return { mode: '160000', contents: commit };
}
