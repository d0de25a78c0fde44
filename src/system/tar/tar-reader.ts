/**
 * Reading tar files strictly: only what tar-writer.ts would have written, to the byte, is accepted, so that every
 * altered bit of headers, padding and end is found. Contents stay in the file, and are read when they are asked for.
 */

import { fstatSync } from 'node:fs';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { mustGet } from '../../core/platform/certain.ts';
import { fillFrom, partOf } from '../files/file-chunks.ts';
import { BLOCK, decodeHeader, type TarNames, tarNames } from './tar-header.ts';
import { paddingOf } from './tar-writer.ts';

export interface TarEntry {
  readonly name: string;
  /** Where its header begins. */
  readonly header: number;
  /** Where its contents begin; for a link, those of its target. */
  readonly offset: number;
  readonly size: number;
  /** Epoch seconds. */
  readonly modified: number;
  readonly target: string | undefined;
}

export interface TarIndex {
  readonly entries: ReadonlyMap<string, TarEntry>;
  /** What is wrong, each with the entry as its place. */
  readonly findings: readonly Finding[];
  /** Whether it was read to its end: after a damaged header nothing more is. */
  readonly isComplete: boolean;
  /**
   * The bytes of an entry of at most so many, in a new buffer; undefined where there is none, it is larger, or the file
   * has become shorter.
   */
  readonly read: (name: string, most: number) => Buffer | undefined;
  /** The bytes of an entry in chunks, each of which is valid until the next. */
  readonly chunks: (entry: TarEntry) => Generator<Uint8Array>;
  /** So many bytes of an entry from a place in it, fewer where it ends before, in a new buffer. */
  readonly chunk: (entry: TarEntry, from: number, length: number) => Buffer;
}

const WINDOW = 1 << 18;

/**
 * Indexes an open tar file in one pass. `place` names it in findings that are about no entry. The file must stay open for
 * as long as contents are read. System errors are thrown on.
 */
export function readTar(file: number, place: string): TarIndex {
  const { size } = fstatSync(file);
  const entries = new Map<string, TarEntry>();
  const findings: Finding[] = [];
  const pass = { at: windowOn(file, size), size, entries, names: tarNames() };
  let last = place;
  let isComplete = false;
  for (let at = 0; ; ) {
    const step = entryAt(pass, at);
    for (const { offset, reason, name } of step.problems)
      findings.push(finding('tar-damaged', { at: offset, reason }, { file: name ?? last }));
    if (!step.entry) {
      isComplete = step.isEnd;
      break;
    }
    entries.set(step.entry.name, step.entry);
    last = step.entry.name;
    at = step.next;
  }
  return {
    entries,
    findings,
    isComplete,
    read: (name, most) => {
      const entry = entries.get(name);
      if (!entry || entry.size > most) return undefined;
      const bytes = Buffer.allocUnsafe(entry.size);
      return fillFrom(file, bytes, entry.offset) === entry.size ? bytes : undefined;
    },
    chunks: ({ offset, size }) => partOf(file, offset, size),
    chunk: (entry, from, length) => {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, entry.size - from)));
      return bytes.subarray(0, fillFrom(file, bytes, entry.offset + from));
    },
  };
}

interface Pass {
  readonly at: Window;
  readonly size: number;
  readonly entries: ReadonlyMap<string, TarEntry>;
  readonly names: TarNames;
}

interface Problem {
  readonly offset: number;
  readonly reason: string;
  /** The entry that it is about; of the last one, and of the place before a damaged header, undefined. */
  readonly name?: string | undefined;
}

/** An entry and where the next begins; none at the end of the tar, or where it cannot be read further. */
type Step =
  | { readonly entry: TarEntry; readonly next: number; readonly problems: readonly Problem[] }
  | { readonly entry: undefined; readonly isEnd: boolean; readonly problems: readonly Problem[] };

function entryAt({ at, size, entries, names }: Pass, offset: number): Step {
  const stop = (reason: string, name?: string): Step => ({
    entry: undefined,
    isEnd: false,
    problems: [{ offset, reason, name }],
  });
  const block = at(offset, BLOCK);
  if (block.length < BLOCK) return stop('it ends before its two blocks of zeros');
  if (isZero(block)) return { entry: undefined, isEnd: true, problems: endProblems(at, size, offset) };
  const header = decodeHeader(block);
  if ('reason' in header) return stop(header.reason, header.name);
  const { name, target, modified } = header;
  const reason = names.add(name, target);
  if (reason !== undefined) return stop(reason, name);
  if (target !== undefined) {
    if (header.size > 0) return stop('a hard link has a size', name);
    const linked = mustGet(entries, target);
    return {
      entry: { name, header: offset, offset: linked.offset, size: linked.size, modified, target },
      next: offset + BLOCK,
      problems: [],
    };
  }
  const from = offset + BLOCK;
  const end = from + header.size;
  const padding = at(end, paddingOf(header.size));
  if (padding.length < paddingOf(header.size) || end > size)
    return stop(`it ends within ${name}, which has ${header.size} bytes`, name);
  const entry = { name, header: offset, offset: from, size: header.size, modified, target };
  const problems = isZero(padding)
    ? []
    : [{ offset: end, reason: 'what fills up the last block of the entry is not zero', name }];
  return { entry, next: end + padding.length, problems };
}

function endProblems(at: Window, size: number, offset: number): Problem[] {
  const end = offset + 2 * BLOCK;
  const second = at(offset + BLOCK, BLOCK);
  if (second.length < BLOCK) return [{ offset, reason: 'it ends before its two blocks of zeros' }];
  if (!isZero(second))
    return [{ offset: offset + BLOCK, reason: 'the second of the blocks with which it ends is not zero' }];
  return size > end ? [{ offset: end, reason: `${size - end} bytes follow its end` }] : [];
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** The bytes of a file from an offset on, in a buffer that is used again; fewer at its end. */
type Window = (offset: number, length: number) => Buffer;

/** Many small files are read at once; what is large is passed over. */
function windowOn(file: number, size: number): Window {
  const buffer = Buffer.allocUnsafe(WINDOW);
  let from = 0;
  let to = 0;
  return (offset, length) => {
    if (offset < from || Math.min(offset + length, size) > to) {
      from = offset;
      to = offset + fillFrom(file, buffer, offset);
    }
    const at = Math.min(offset, to) - from;
    return buffer.subarray(at, Math.min(at + length, to - from));
  };
}
