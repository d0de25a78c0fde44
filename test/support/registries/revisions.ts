/**
 * Registries with a history of any shape. Each revision is committed on given parents with given edits, and recorded by
 * gridpress with a fixed author and date.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { record } from '../../../src/features/revisions/record.ts';

/** The texts of files below the registry; null deletes a file. */
export type Edits = Readonly<Record<string, string | null>>;

export interface Commit {
  readonly id: string;
  readonly parents: readonly Commit[];
  /** The registry after the revision, without its history. */
  readonly files: ReadonlyMap<string, string>;
  readonly revisionFile: readonly [name: string, text: string];
}

export interface Committing {
  /** None for the first revision, two for a merge. Edits apply to the files of the first. */
  readonly parents: readonly Commit[];
  readonly edits: Edits;
  readonly message: string;
  readonly date: string;
}

export const REGISTRY = 'registry-data';
export const AUTHOR = 'Ada Brown';

/** Writes a revision. The folder then contains it as the head, with all its ancestors. */
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

/** Makes a revision the head of the folder's registry, with only its ancestors. */
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
