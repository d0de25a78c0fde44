/**
 * Registries with a history of any shape, for tests: each revision is committed on the parents that it is to have,
 * with what it changes, and recorded by gridpress itself under a fixed author and date.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { record } from '../../../src/features/revisions/record.ts';

/** The texts of files below the registry; null takes a file away. */
export type Edits = Readonly<Record<string, string | null>>;

export interface Commit {
  readonly id: string;
  readonly parents: readonly Commit[];
  /** The registry after it, without its history. */
  readonly files: ReadonlyMap<string, string>;
  readonly revisionFile: readonly [name: string, text: string];
}

export interface Committing {
  /** None for the first revision, two for a merge; the edits are made to the files of the first. */
  readonly parents: readonly Commit[];
  readonly edits: Edits;
  readonly message: string;
  readonly date: string;
}

export const REGISTRY = 'registry-data';
export const AUTHOR = 'Ada Brown';

/** Writes a revision; the folder then holds it as the head, and the revisions that it stands on. */
export function commit(folder: string, { parents, edits, message, date }: Committing): Commit {
  const files = new Map(parents[0]?.files);
  for (const [file, text] of Object.entries(edits)) {
    if (text === null) files.delete(file);
    else files.set(file, text);
  }
  const registry = join(folder, REGISTRY);
  rmSync(registry, { recursive: true, force: true });
  writeFiles(registry, files);
  writeFiles(join(registry, 'history'), revisionFiles(parents));
  const merge = parents[1]?.id;
  const { id, file } = record({ registry, message, author: AUTHOR, date, merge });
  return { id, parents, files, revisionFile: [basename(file), readFileSync(file, 'utf8')] };
}

/** Makes a revision the head of the folder's registry, without whatever came later or beside it. */
export function checkout(folder: string, head: Commit): void {
  const registry = join(folder, REGISTRY);
  rmSync(registry, { recursive: true, force: true });
  writeFiles(registry, head.files);
  writeFiles(join(registry, 'history'), revisionFiles([head]));
}

function revisionFiles(commits: readonly Commit[], found = new Map<string, string>()): Map<string, string> {
  for (const { revisionFile, parents } of commits) {
    if (found.has(revisionFile[0])) continue;
    found.set(...revisionFile);
    revisionFiles(parents, found);
  }
  return found;
}

export function writeFiles(folder: string, files: Iterable<readonly [string, string]>): void {
  for (const [file, text] of files) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
