/**
 * By what a revision file is known again: its size, its number and its times, which every change of it moves, and the digest
 * of its text. What changed so shortly before it was looked at that its times could stay the same is known by its
 * digest alone.
 */

import { lstatSync } from 'node:fs';
import type { Json } from '../../core/model/json.ts';

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

/** All of it but the digest; undefined where it says nothing, since it is no plain file or changed just now. */
export type FileStatus = Omit<FileMark, 'digest'>;

/** File systems count in steps of up to two seconds. */
const UNSETTLED_MS = 2_000;

export function statusOf(path: string, now: number): FileStatus | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status?.isFile()) return undefined;
  const { size, ino: number, mtimeMs: modified, ctimeMs: changed } = status;
  const isSettled = Math.max(modified, changed) + UNSETTLED_MS < now;
  return isSettled ? { size, number, modified, changed } : undefined;
}

/** What no file has. */
export const UNSETTLED: FileStatus = { size: -1, number: -1, modified: -1, changed: -1 };

export function isSameStatus(a: FileStatus, b: FileStatus): boolean {
  return a.size === b.size && a.number === b.number && a.modified === b.modified && a.changed === b.changed;
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
  return {
    ...{ size: Number(size), number: Number(number), modified: Number(modified), changed: Number(changed) },
    digest,
  };
}
