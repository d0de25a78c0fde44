/** Reads git objects through a temporary repository, because a repository's own configuration can be unsafe. */

import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { ownText, withoutTrailing } from '../../core/platform/text.ts';
import { chunkReader } from '../files/file-io.ts';
import { verifyObjects } from './git-objects.ts';
import { type GitPlace, git, readOutput, throwNotRepository, tryGit } from './run-git.ts';

export interface Repository {
  readonly names: GitPlace;
  readonly objects: GitPlace;
  readonly close: () => void;
}

/** Unpacks a bundle into a temporary folder. */
export function openRepository(name: string): Repository {
  const isBundle = existsSync(name) && statSync(name).isFile();
  if (isBundle && !startsAsBundle(name)) throwNotRepository({ folder: '.', name }, 'the file is not a bundle');
  const borrowed = isBundle ? undefined : objectsOf({ folder: name, name });
  const own = mkdtempSync(join(tmpdir(), 'gridpress-'));
  const close = () => rmSync(own, { recursive: true, force: true });
  try {
    makeBare(own);
    const directories = borrowed === undefined ? { GIT_DIR: own } : { GIT_DIR: own, GIT_OBJECT_DIRECTORY: borrowed };
    const objects = { folder: own, name, directories };
    if (!isBundle) return { names: { folder: name, name }, objects, close };
    writeFileSync(join(own, 'packed-refs'), unpackBundle(objects, resolve(name)));
    return { names: objects, objects, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The format is described in gitformat-bundle(5). */
const BUNDLE_SIGNATURE = /^# v[23] git bundle\n/;

function startsAsBundle(path: string): boolean {
  const [start = Buffer.alloc(0)] = chunkReader()(path);
  return BUNDLE_SIGNATURE.test(Buffer.from(start).toString('latin1', 0, 16));
}

function objectsOf(place: GitPlace): string {
  const asked = ['--is-shallow-repository', '--show-object-format', '--git-path', 'objects'];
  const [isShallow, format, ...path] = git(place, ['rev-parse', ...asked]).split('\n');
  if (isShallow === 'true') throwNotRepository(place, 'it is a shallow clone; run "git fetch --unshallow" in it first');
  if (format === 'sha256') throwNotRepository(place, 'its commits have SHA-256 identifiers instead of 40 digits');
  return resolve(place.folder, path.slice(0, -1).join('\n'));
}

export function isPartialClone({ names }: Repository): boolean {
  return tryGit(names, ['config', '--get-regexp', '^remote\\..*\\.promisor$']) !== undefined;
}

/** Creates a minimal repository (see gitrepository-layout(5)). */
function makeBare(folder: string): void {
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'config'), '[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n');
}

/** Unpacking has no time limit, because large bundles take minutes. */
const UNLIMITED = 0;

/** Returns the references of the bundle in the format of `packed-refs`. git verifies the objects. */
function unpackBundle(objects: GitPlace, bundle: string): string {
  const output = git(objects, ['bundle', 'unbundle', bundle], UNLIMITED);
  const head = /^([0-9a-f]+) HEAD$/m.exec(output)?.[1];
  if (head !== undefined) writeFileSync(join(objects.folder, 'HEAD'), `${head}\n`);
  return output.replace(/^.* (?!refs\/).*\n/gm, '');
}

export function resolveCommit({ names, objects }: Repository, ref: string): string {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options'];
  const named = tryGit(names, [...asked, ref])?.trim();
  // git prints a caret before the identifier of `^main`.
  const id = named && !named.startsWith('^') && tryGit(objects, [...asked, `${named}^{}`])?.trim();
  if (id && git(objects, ['cat-file', '-t', id]).trim() === 'commit') return id;
  const others = git(names, ['for-each-ref', '--count=10', '--format=%(refname:short)']);
  return fail(finding('import-unknown-ref', { ref, names: others.split('\n').filter(Boolean) }));
}

export function listFiles({ objects }: Repository, commit: string): string[] {
  return git(objects, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]).split('\0').filter(Boolean);
}

export type ListedCommit = Pick<GitCommit, 'id' | 'parents'>;

/** Lists a commit and its ancestors in any order, without verification. */
export async function listCommits(
  { objects }: Repository,
  commit: string,
  firstParent: boolean,
): Promise<ListedCommit[]> {
  const parts: string[] = [];
  await readOutput(objects, ['rev-list', '--parents', ...firstParentOption(firstParent), commit], (part) =>
    parts.push(part),
  );
  const lines = parts.join('').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [id = '', ...parents] = line.split(' ');
    return { id, parents: firstParent ? parents.slice(0, 1) : [...new Set(parents)] };
  });
}

/** Lists parents before children. */
export async function readCommits({ objects }: Repository, commit: string, firstParent: boolean): Promise<GitCommit[]> {
  const log = gitLogReader();
  await readOutput(objects, [...LOG_ARGUMENTS, ...firstParentOption(firstParent), commit], log.add);
  const commits = log.end();
  await verifyObjects(objects, [...new Set(commits.flatMap(({ id, trees }) => [id, ...trees]))]);
  return commits.map(({ trees: _, parents, ...one }) => ({
    ...one,
    parents: firstParent ? parents.slice(0, 1) : parents,
  }));
}

function firstParentOption(firstParent: boolean): string[] {
  return firstParent ? ['--first-parent'] : [];
}

/** The entries of a merge commit are its differences from its first parent. */
export interface GitCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** The commit date in ISO 8601, with an offset. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly entries: readonly RawEntry[];
}

interface LoggedCommit extends GitCommit {
  /** The identifiers of the tree objects that the first parent does not contain. */
  readonly trees: readonly string[];
}

export interface RawEntry {
  readonly path: string;
  /** The new file mode: `100644` for a file, `120000` for a link, `160000` for a submodule, `000000` for a deletion. */
  readonly mode: string;
  readonly blob: string;
}

const TREE = '040000';

/** Lists parents before children. Does not detect renames, because a new file name means a different resource. */
export const LOG_ARGUMENTS = [
  ...['log', '--topo-order', '--reverse', '--raw', '-t', '-z', '--no-abbrev', '--no-renames'],
  ...['--diff-merges=first-parent', '--no-show-signature', '--encoding=UTF-8'],
  // Overrides settings of the user that would change the output.
  ...['--root', '--no-relative', '--ignore-submodules=none'],
  '--format=%H%x00%P%x00%T%x00%cI%x00%an%x00%B',
] as const;

/** The number of fields per commit, before its entries. */
const FIELDS = 6;

const ENTRY = /^\n?:/;

/**
 * Parses the output of git with `LOG_ARGUMENTS`, part by part. The parser relies on positions, because names and messages
 * can contain every character except NUL.
 */
export function gitLogReader() {
  const commits: LoggedCommit[] = [];
  const texts = new Map<string, string>();
  const oneText = (text: string): string => {
    const known = texts.get(text) ?? ownText(text);
    texts.set(known, known);
    return known;
  };
  let unfinished = '';
  let tokens: string[] = [];
  let isPathNext = false;
  const finish = () => {
    if (tokens.length >= FIELDS) commits.push(commitOf(tokens, oneText));
    tokens = [];
  };
  const take = (token: string) => {
    const isAfterFields = tokens.length >= FIELDS && !isPathNext;
    isPathNext = isAfterFields && ENTRY.test(token);
    if (isAfterFields && !isPathNext) finish();
    tokens.push(token);
  };
  return {
    add: (text: string): void => {
      const parts = text.split('\0');
      parts[0] = unfinished + parts[0];
      unfinished = parts.pop() ?? '';
      parts.forEach(take);
    },
    end: (): LoggedCommit[] => {
      finish();
      return commits;
    },
  };
}

function commitOf(tokens: readonly string[], oneText: (text: string) => string): LoggedCommit {
  const [id = '', parents = '', tree = '', date = '', author = '', message = ''] = tokens;
  const trees = [ownText(tree)];
  const entries: RawEntry[] = [];
  for (let i = FIELDS; i < tokens.length; i++) {
    const [, before, mode = '', blob = ''] = /^\n?:(\d{6}) (\d{6}) [0-9a-f]+ ([0-9a-f]+) /.exec(tokens[i] ?? '') ?? [];
    if (before === undefined) continue;
    const path = tokens[++i] ?? '';
    if (mode === TREE) trees.push(ownText(blob));
    else if (before !== TREE) entries.push({ mode: oneText(mode), blob: ownText(blob), path: oneText(path) });
  }
  return {
    id: ownText(id),
    // git accepts a commit that lists a parent twice.
    parents: [...new Set(parents.split(' ').filter(Boolean))].map(ownText),
    date: ownText(date),
    author: ownText(author),
    message: ownText(withoutTrailing(message, '\n')),
    trees,
    entries,
  };
}
