/** Reads tar files that `tarWriter` wrote. Rejects headers, padding and ends that `tarWriter` never writes. */

import { fstatSync } from 'node:fs';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { getOrThrow } from '../../core/platform/lookups.ts';
import { fillFrom, partOf } from '../files/file-io.ts';
import { BLOCK, decodeHeader, tarNames } from './tar-header.ts';
import { paddingOf } from './tar-writer.ts';

export interface TarEntry {
  readonly name: string;
  readonly header: number;
  /** The offset of the contents in the archive. For a link, the offset of the target's contents. */
  readonly offset: number;
  readonly size: number;
  /** The modification time in epoch seconds. */
  readonly modified: number;
  readonly target: string | undefined;
}

export interface TarIndex {
  readonly entries: ReadonlyMap<string, TarEntry>;
  readonly findings: readonly Finding[];
  /** False if reading ended at a corrupt header. */
  readonly isComplete: boolean;
  /** Returns undefined if the entry is missing or has more than `most` bytes, or if the tar file was truncated. */
  readonly read: (name: string, most: number) => Buffer | undefined;
  readonly chunks: (entry: TarEntry) => Generator<Uint8Array>;
  /** Returns fewer than `length` bytes at the end of the entry. */
  readonly chunk: (entry: TarEntry, from: number, length: number) => Buffer;
}

const WINDOW = 1 << 18;

/** Indexes an open tar file. Findings before the first entry use `place` as the file name. Throws system errors. */
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
  readonly names: ReturnType<typeof tarNames>;
}

interface Problem {
  readonly offset: number;
  readonly reason: string;
  /**
   * The name of the entry. If the name is unreadable, it is undefined, and the finding contains the name of the
   * previous entry.
   */
  readonly name?: string | undefined;
}

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
  if (block.length < BLOCK) return stop('it ends before its two zero blocks');
  if (isZero(block)) return { entry: undefined, isEnd: true, problems: endProblems(at, size, offset) };
  const header = decodeHeader(block);
  if ('reason' in header) return stop(header.reason, header.name);
  const { name, target, modified } = header;
  const reason = names.add(name, target);
  if (reason !== undefined) return stop(reason, name);
  if (target !== undefined) {
    if (header.size > 0) return stop('a hard link has a size', name);
    const linked = getOrThrow(entries, target);
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
  const problems = isZero(padding) ? [] : [{ offset: end, reason: 'the padding after the entry is not zero', name }];
  return { entry, next: end + padding.length, problems };
}

function endProblems(at: Window, size: number, offset: number): Problem[] {
  const end = offset + 2 * BLOCK;
  const second = at(offset + BLOCK, BLOCK);
  if (second.length < BLOCK) return [{ offset, reason: 'it ends before its two zero blocks' }];
  if (!isZero(second)) return [{ offset: offset + BLOCK, reason: 'the second block of its end is not zero' }];
  return size > end ? [{ offset: end, reason: `${size - end} bytes follow its end` }] : [];
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Returns fewer than `length` bytes at the end of the file. The next call overwrites the bytes. */
type Window = (offset: number, length: number) => Buffer;

/** Buffers the file, so that one system call reads many small entries. Skips the contents of large entries. */
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
