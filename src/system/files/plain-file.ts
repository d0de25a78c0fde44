/**
 * Reading files that others made: plain ones alone, since a pipe or a device may never end, and none that is larger than
 * is said, before memory is taken for it.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { tooLarge } from '../../core/diagnostics/words.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { fillFrom } from './file-chunks.ts';
import { unlessRefused } from './system-errors.ts';

/** A pipe is not waited for. */
const OPEN = constants.O_RDONLY | constants.O_NONBLOCK;

type Shown = string;

/**
 * All bytes of a file of at most so many, which `limit` may raise. System errors are thrown on; whatever else it is ends
 * the command.
 */
export function readPlainFile(path: string, most: number, shown: Shown = path, limit?: keyof SourceLimits): Buffer {
  const { file, size } = openWithin(path, most, shown, limit);
  try {
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, fillFrom(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** A text of others as a clone with the newlines of Unix has it, so that digests are the same wherever it lies. */
export function readSource(path: string, most: number, shown: Shown = path, limit?: keyof SourceLimits): Buffer {
  return withUnixNewlines(readPlainFile(path, most, shown, limit));
}

/**
 * Such a text in a room that the next is read into, without asking first what the file is: of thousands that are only
 * digested, that is a fifth of the time. Undefined where it has to be asked: what is refused, empty, larger than `most` or
 * fills the room.
 */
export function readSmallSource(path: string, most: number, room: Buffer): Buffer | undefined {
  const length = unlessRefused(() => {
    const file = openSync(path, OPEN);
    try {
      // Pipes and terminals have no places in them, and are refused.
      return fillFrom(file, room, 0);
    } finally {
      closeSync(file);
    }
  });
  const isWhole = length !== undefined && length > 0 && length <= most && length < room.length;
  return isWhole ? withUnixNewlines(room.subarray(0, length)) : undefined;
}

function withUnixNewlines(bytes: Buffer): Buffer {
  return bytes.includes('\r\n') ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : bytes;
}

/** A file that is open for reading, and its size in bytes. System errors are thrown on; what is no file ends the command. */
export function openPlainFile(path: string, shown: Shown = path): { file: number; size: number } {
  const file = openSync(path, OPEN);
  const status = fstatSync(file);
  if (status.isFile()) return { file, size: status.size };
  closeSync(file);
  const reason = status.isDirectory() ? 'it is a folder' : 'it is no plain file, but a pipe or a device';
  return fail(finding('read-failed', { file: shown, reason }));
}

function openWithin(
  path: string,
  most: number,
  shown: Shown,
  limit: keyof SourceLimits | undefined,
): { file: number; size: number } {
  const opened = openPlainFile(path, shown);
  if (opened.size <= most) return opened;
  closeSync(opened.file);
  return fail(finding('too-large', { file: shown, reason: tooLarge(opened.size, most), limit }));
}
