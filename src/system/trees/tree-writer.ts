/**
 * Writing the files of a stage, many times a thousand: synchronous calls, one buffer, and as little work for each file
 * as there can be.
 */

import { createHash } from 'node:crypto';
import { closeSync, futimesSync, linkSync, lstatSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { sha256 } from '../../core/model/digest.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { NEW_FILE } from '../files/file-chunks.ts';
import { linkOrCopy } from '../files/link-folder.ts';
import { isAbsent, unlessRefused, writing } from '../files/system-errors.ts';

export interface Written {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

export interface TreeWriter {
  /** Writes one file. `modified` is in epoch seconds. A file of the previous tree with the same bytes and time is linked instead. */
  readonly write: (file: string, content: string | Uint8Array, modified: number) => Written;
  /** Writes one file from the parts of its text. Undefined where the writer takes whole texts only. */
  readonly writeParts?: (file: string, parts: Iterable<string>, modified: number) => Written;
  readonly link: (target: string, file: string) => void;
}

/** How many folders are remembered: making one again costs little, remembering millions much. */
const MOST_FOLDERS = 10_000;

/** Writes no file, and returns the digest and the size that it would have. */
export function digestingWriter(): TreeWriter {
  return {
    write: (_, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      return { sha256: sha256(bytes), size: bytes.length };
    },
    link: () => {},
  };
}

/** Writes below a stage. `previous` is the tree that may hold some of the files already. */
export function treeWriter(root: string, previous: string | undefined): Required<TreeWriter> {
  const encode = textEncoder();
  const makeFolderOf = folderMaker(root);
  /** Most folders exist already, because other files are in them: a check for each file takes two calls. */
  const inFolder = (file: string, make: () => void) => {
    try {
      make();
    } catch (error) {
      if (!isAbsent(error)) throw error;
      makeFolderOf(file);
      make();
    }
  };
  return {
    write: (file, content, modified) =>
      writing(file, () => {
        const path = `${root}/${file}`;
        const bytes = typeof content === 'string' ? encode(content) : content;
        const existing = previous === undefined ? undefined : `${previous}/${file}`;
        const reused = existing !== undefined && hasContent(existing, bytes, modified) ? existing : undefined;
        inFolder(file, () => {
          if (reused === undefined || !isLinked(reused, path)) create(path, [bytes], modified);
        });
        return { sha256: sha256(bytes), size: bytes.length };
      }),
    writeParts: (file, parts, modified) =>
      writing(file, () => {
        makeFolderOf(file);
        return createFrom(`${root}/${file}`, encodedParts(parts, encode), modified);
      }),
    link: (target, file) =>
      writing(file, () => {
        if (pathAbove(target) !== pathAbove(file)) makeFolderOf(file);
        linkOrCopy(`${root}/${target}`, `${root}/${file}`);
      }),
  };
}

export function folderMaker(root: string): (file: string) => void {
  const folders = new Set<string>();
  return (file) => {
    const folder = pathAbove(file);
    if (folder === '' || folders.has(folder)) return;
    mkdirSync(`${root}/${folder}`, { recursive: true });
    if (folders.size >= MOST_FOLDERS) folders.clear();
    folders.add(folder);
  };
}

/** UTF-16 code units. A longer text gets memory of its own. */
const LONG_TEXT = 1 << 20;
/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const MOST_BYTES = 3;

/** Encodes texts as UTF-8. The bytes are valid until the next call. */
function textEncoder(): (text: string) => Uint8Array {
  let buffer = Buffer.allocUnsafe(1 << 16);
  return (text) => {
    if (text.length > LONG_TEXT) return Buffer.from(text);
    const most = text.length * MOST_BYTES;
    if (most > buffer.length) buffer = Buffer.allocUnsafe(most * 2);
    return buffer.subarray(0, buffer.write(text));
  };
}

/** The bytes of a text in parts, of which none ends within a character: many short parts make one chunk. */
function* encodedParts(parts: Iterable<string>, encode: (text: string) => Uint8Array): Generator<Uint8Array> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < LONG_TEXT) continue;
    yield encode(text);
    text = '';
  }
  yield encode(text);
}

function create(path: string, chunks: Iterable<Uint8Array>, modified: number): void {
  const file = openSync(path, NEW_FILE);
  try {
    for (const bytes of chunks) for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    futimesSync(file, modified, modified);
  } finally {
    closeSync(file);
  }
}

/** Writes chunks that are each valid until the next one. */
function createFrom(path: string, chunks: Iterable<Uint8Array>, modified: number): Written {
  const whole = createHash('sha256');
  let size = 0;
  function* seen() {
    for (const bytes of chunks) {
      whole.update(bytes);
      size += bytes.length;
      yield bytes;
    }
  }
  create(path, seen(), modified);
  return { sha256: whole.digest('hex'), size };
}

function hasContent(path: string, bytes: Uint8Array, modified: number): boolean {
  const isSame = () => {
    const status = lstatSync(path, { throwIfNoEntry: false });
    return (
      status?.mtimeMs === modified * 1000 &&
      status.size === bytes.length &&
      Buffer.compare(readFileSync(path), bytes) === 0
    );
  };
  return unlessRefused(isSame) ?? false;
}

function isLinked(from: string, to: string): boolean {
  const link = () => {
    linkSync(from, to);
    return true;
  };
  return unlessRefused(link) ?? false;
}
