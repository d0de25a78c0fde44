/**
 * Git repositories: clones, bare ones and bundles. A repository's own configuration is there only while a name is looked
 * up in it; all objects are read through a folder of our own, which has no configuration but ours and only borrows them.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { type GitCommit, gitLogReader, LOG_ARGUMENTS } from './git-log.ts';
import { proveObjects } from './git-objects.ts';
import { type GitPlace, git, readOutput, refuse, tryGit } from './run-git.ts';

export interface Repository {
  readonly names: GitPlace;
  readonly objects: GitPlace;
  readonly close: () => void;
}

/** Opens a clone, a bare repository, or a bundle, which is unpacked into a temporary folder. */
export function openRepository(name: string): Repository {
  const isBundle = existsSync(name) && statSync(name).isFile();
  if (isBundle && !startsAsBundle(name)) refuse({ folder: '.', name }, 'it is a file, and no bundle');
  const borrowed = isBundle ? undefined : objectsOf({ folder: name, name });
  const own = mkdtempSync(join(tmpdir(), 'gridpress-'));
  const close = () => rmSync(own, { recursive: true, force: true });
  try {
    makeBare(own);
    const directories = borrowed === undefined ? { GIT_DIR: own } : { GIT_DIR: own, GIT_OBJECT_DIRECTORY: borrowed };
    const objects = { folder: own, name, directories };
    if (!isBundle) return { names: { folder: name, name }, objects, close };
    writeFileSync(join(own, 'packed-refs'), unbundle(objects, resolve(name)));
    return { names: objects, objects, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** gitformat-bundle(5) */
const BUNDLE_SIGNATURE = /^# v[23] git bundle\n/;

function startsAsBundle(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(16);
    return BUNDLE_SIGNATURE.test(start.toString('latin1', 0, readSync(file, start)));
  } finally {
    closeSync(file);
  }
}

function objectsOf(place: GitPlace): string {
  const asked = ['--is-shallow-repository', '--show-object-format', '--git-path', 'objects'];
  const [isShallow, format, ...path] = git(place, ['rev-parse', ...asked]).split('\n');
  if (isShallow === 'true') refuse(place, 'it is a shallow clone; run "git fetch --unshallow" in it first');
  if (format === 'sha256') refuse(place, 'its commits have SHA-256 identifiers, not those of 40 digits');
  return resolve(place.folder, path.slice(0, -1).join('\n'));
}

/** Whether git would fetch what is missing, were it asked to. */
export function isPartialClone({ names }: Repository): boolean {
  return tryGit(names, ['config', '--get-regexp', '^remote\\..*\\.promisor$']) !== undefined;
}

/** The least that git takes for a repository (gitrepository-layout(5)). */
function makeBare(folder: string): void {
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'config'), '[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n');
}

/** Unpacks a bundle, every object of which git digests, and gives its references as they stand in `packed-refs`. */
function unbundle(objects: GitPlace, bundle: string): string {
  const said = git(objects, ['bundle', 'unbundle', bundle]);
  const head = /^([0-9a-f]+) HEAD$/m.exec(said)?.[1];
  if (head !== undefined) writeFileSync(join(objects.folder, 'HEAD'), `${head}\n`);
  return said.replace(/^.* (?!refs\/).*\n/gm, '');
}

/** The identifier of the commit that a name stands for. */
export function resolveCommit({ names, objects }: Repository, ref: string): string {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options'];
  const named = tryGit(names, [...asked, ref])?.trim();
  const id = named && tryGit(objects, [...asked, `${named}^{}`])?.trim();
  if (id && git(objects, ['cat-file', '-t', id]).trim() === 'commit') return id;
  const others = git(names, ['for-each-ref', '--count=10', '--format=%(refname:short)']);
  return fail(finding('import-unknown-ref', { ref, names: others.split('\n').filter(Boolean) }));
}

export function listFiles({ objects }: Repository, commit: string): string[] {
  return git(objects, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]).split('\0').filter(Boolean);
}

export type ListedCommit = Pick<GitCommit, 'id' | 'parents'>;

/** A commit and all that it descends from, in no certain order, as git lists them: no object is verified. */
export async function listCommits(
  { objects }: Repository,
  commit: string,
  firstParent: boolean,
): Promise<ListedCommit[]> {
  const parts: string[] = [];
  await readOutput(objects, ['rev-list', '--parents', ...lineOption(firstParent), commit], (part) => parts.push(part));
  const lines = parts.join('').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [id = '', ...parents] = line.split(' ');
    return { id, parents: firstParent ? parents.slice(0, 1) : parents };
  });
}

/** The commits that a commit stands on, itself the last; along first parents alone when `firstParent` is set. */
export async function readCommits({ objects }: Repository, commit: string, firstParent: boolean): Promise<GitCommit[]> {
  const log = gitLogReader();
  await readOutput(objects, [...LOG_ARGUMENTS, ...lineOption(firstParent), commit], log.add);
  const commits = log.end();
  await proveObjects(objects, [...new Set(commits.flatMap(({ id, trees }) => [id, ...trees]))]);
  return commits.map(({ trees: _, parents, ...one }) => ({
    ...one,
    parents: firstParent ? parents.slice(0, 1) : parents,
  }));
}

function lineOption(firstParent: boolean): string[] {
  return firstParent ? ['--first-parent'] : [];
}
