/**
 * By what a source is known again: its size, its number and its times, which every change of it moves, and the digest
 * of its text. What changed so shortly before it was looked at that its times could stay the same is known by its
 * digest alone.
 */

import { lstatSync } from 'node:fs';
import type { Json } from '../../core/model/json.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';

export interface FileMark {
  readonly size: number;
  /** Of the file, in its file system. */
  readonly number: number;
  /** Milliseconds since 1970, and parts of them. */
  readonly modified: number;
  readonly changed: number;
  /** SHA-256 in base64. */
  readonly digest: string;
}

type FileStatus = Omit<FileMark, 'digest'>;

/** File systems count in steps of up to two seconds. */
const UNSETTLED_MS = 2_000;

/** Undefined where it says nothing, since it is no plain file or changed just now. */
function statusOf(path: string, now: number): FileStatus | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status?.isFile()) return undefined;
  const { size, ino: number, mtimeMs: modified, ctimeMs: changed } = status;
  const isSettled = Math.max(modified, changed) + UNSETTLED_MS < now;
  return isSettled ? { size, number, modified, changed } : undefined;
}

/** What no file has. */
const UNSETTLED: FileStatus = { size: -1, number: -1, modified: -1, changed: -1 };

/** What files are known by as they are now, in columns: there may be tens of thousands. */
function fileStatuses(folder: string, files: readonly string[]) {
  const now = Date.now();
  const [sizes, numbers] = [new Float64Array(files.length), new Float64Array(files.length)];
  const [modified, changed] = [new Float64Array(files.length), new Float64Array(files.length)];
  const places = new Map<string, number>();
  for (const [at, file] of files.entries()) {
    const status = statusOf(`${folder}/${file}`, now) ?? UNSETTLED;
    places.set(file, at);
    sizes[at] = status.size;
    numbers[at] = status.number;
    modified[at] = status.modified;
    changed[at] = status.changed;
  }
  return {
    has: (file: string) => places.has(file),
    isSame: (file: string, mark: FileStatus): boolean => {
      const at = mustGet(places, file);
      const isSettled = sizes[at] !== UNSETTLED.size;
      const isSameFile = sizes[at] === mark.size && numbers[at] === mark.number;
      return isSettled && isSameFile && modified[at] === mark.modified && changed[at] === mark.changed;
    },
    of: (file: string): FileStatus => {
      const at = places.get(file);
      if (at === undefined) return UNSETTLED;
      const [size, number] = [itemAt(sizes, at), itemAt(numbers, at)];
      return { size, number, modified: itemAt(modified, at), changed: itemAt(changed, at) };
    },
  };
}

export interface MarkOptions {
  readonly registry: string;
  /** Whether every file is read, whatever its mark says. */
  readonly isThorough: boolean;
}

/** The mark of a file whose contents have a digest. */
export type MarkOf = (file: string, digest: string) => FileMark;

export interface MarkedFiles {
  /** Whether a file is what a mark says. */
  readonly isSame: (file: string, mark: FileMark) => boolean;
  /** The mark that a file has now whose contents have a digest. */
  readonly markOf: MarkOf;
  /** How many of them had other marks, though the same contents; none where all are read. */
  readonly doubted: () => number;
}

/** Files as they are now, before any of them is read. */
export function markedFiles(
  sources: ReadFolder,
  files: readonly string[],
  { registry, isThorough }: MarkOptions,
): MarkedFiles {
  return isThorough ? digestedFiles(sources, files, registry) : settledFiles(sources, files, registry);
}

/** All of them are read, so that of those alone the times are asked that get another mark. */
function digestedFiles(sources: ReadFolder, files: readonly string[], registry: string): MarkedFiles {
  const markOf = marksSince(registry, Date.now());
  const listed = new Set(files);
  return {
    isSame: (file, { digest }) => listed.has(file) && sources.digestOf(file) === digest,
    markOf,
    doubted: () => 0,
  };
}

/** Read are those that their times do not tell of. */
function settledFiles(sources: ReadFolder, files: readonly string[], registry: string): MarkedFiles {
  const statuses = fileStatuses(registry, files);
  let doubted = 0;
  return {
    isSame: (file, mark) => {
      if (!statuses.has(file)) return false;
      if (statuses.isSame(file, mark)) return true;
      if (sources.digestOf(file) !== mark.digest) return false;
      doubted++;
      return true;
    },
    markOf: (file, digest) => ({ ...statuses.of(file), digest }),
    doubted: () => doubted,
  };
}

/**
 * Marks of files that were as their digests say at a moment (milliseconds since 1970), though they are looked at later:
 * what changed since, or shortly before, is known by its digest alone.
 */
export function marksSince(registry: string, moment: number): MarkOf {
  return (file, digest) => ({ ...(statusOf(`${registry}/${file}`, moment) ?? UNSETTLED), digest });
}

export function markAsJson({ size, number, modified, changed, digest }: FileMark): Json {
  return [size, number, modified, changed, digest];
}

/** Undefined where it is no mark. */
export function markFrom(json: Json | undefined): FileMark | undefined {
  if (!Array.isArray(json) || json.length !== 5) return undefined;
  const [size, number, modified, changed, digest]: readonly Json[] = json;
  const numbers = [size, number, modified, changed].every((each) => typeof each === 'number');
  if (!numbers || typeof digest !== 'string') return undefined;
  return { size: Number(size), number: Number(number), modified: Number(modified), changed: Number(changed), digest };
}
