/**
 * Writing the files of a stage, many times a thousand: synchronous calls, one buffer, and as little work for each file
 * as there can be.
 */

import { createHash } from 'node:crypto';
import { closeSync, futimesSync, linkSync, lstatSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { sha256 } from '../../core/model/digest.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { certain } from '../../core/platform/certain.ts';
import { NEW_FILE } from '../files/file-chunks.ts';
import { linkOrCopy } from '../files/link-folder.ts';
import { isAbsent, unlessRefused, writing } from '../files/system-errors.ts';
import { PIECE, textEncoding } from './text-bytes.ts';

export interface Written {
  readonly sha256: string;
  readonly size: number;
}

export interface TreeWriter {
  /** Writes one document's file; a file of the previous tree with the same bytes and time is linked in instead. */
  readonly write: (file: string, content: string | Uint8Array, modified: number, reuse: boolean) => Written;
  readonly link: (target: string, file: string) => void;
}

export interface StageWriter extends TreeWriter {
  /** Writes one document's file of the parts of its text. */
  readonly writeParts: (file: string, parts: Iterable<string>, modified: number) => Written;
  /** Links a file of the previous tree in, under its own name. */
  readonly keep: (file: string) => void;
}

/** How many folders are remembered: making one again costs little, remembering millions much. */
const MOST_FOLDERS = 10_000;

/** Writes nothing, and tells what would have been written. */
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
export function treeWriter(root: string, previous: string | undefined): StageWriter {
  const { whole, pieces, parts: inParts } = textEncoding();
  // What is long is compared whole, and no room as large as it is kept.
  const bytesOf = (content: string | Uint8Array) => {
    if (typeof content !== 'string') return content;
    return content.length > PIECE ? Buffer.from(content) : whole(content);
  };
  const makeFolderOf = folderMaker(root);
  /** Most folders are there, since names of other documents are in them: to make sure of each takes two calls. */
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
    write: (file, content, modified, reuse) =>
      writing(file, () => {
        const path = `${root}/${file}`;
        const standing = reuse && previous !== undefined ? `${previous}/${file}` : undefined;
        if (typeof content === 'string' && content.length > PIECE && standing === undefined) {
          makeFolderOf(file);
          return createFrom(path, pieces(content), modified);
        }
        const bytes = bytesOf(content);
        const reused = standing !== undefined && isFileOf(standing, bytes, modified) ? standing : undefined;
        inFolder(file, () => {
          if (reused === undefined || !isLinked(reused, path)) create(path, [bytes], modified);
        });
        return { sha256: sha256(bytes), size: bytes.length };
      }),
    writeParts: (file, parts, modified) =>
      writing(file, () => {
        makeFolderOf(file);
        return createFrom(`${root}/${file}`, inParts(parts), modified);
      }),
    link: (target, file) =>
      writing(file, () => {
        // A name beside that of its file is in a folder that is there; most others have a folder of their own.
        if (pathAbove(target) !== pathAbove(file)) makeFolderOf(file);
        linkOrCopy(`${root}/${target}`, `${root}/${file}`);
      }),
    keep: (file) =>
      writing(file, () => inFolder(file, () => linkOrCopy(`${certain(previous)}/${file}`, `${root}/${file}`))),
  };
}

/** Makes the folders that files below a root stand in. */
export function folderMaker(root: string): (file: string) => void {
  const folders = new Set<string>();
  return (file) => {
    const folder = pathAbove(file);
    if (folder === '' || folders.has(folder)) return;
    // Another thread may have been first, which is no error where the folders above are made too.
    mkdirSync(`${root}/${folder}`, { recursive: true });
    if (folders.size >= MOST_FOLDERS) folders.clear();
    folders.add(folder);
  };
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

/** Whether a file of the previous tree holds the bytes, and has the time. */
function isFileOf(path: string, bytes: Uint8Array, modified: number): boolean {
  const isSame = () => lstatSync(path).mtimeMs === modified * 1000 && Buffer.compare(readFileSync(path), bytes) === 0;
  return unlessRefused(isSame) ?? false;
}

/** Links a file in under another path, where the system lets it. */
function isLinked(from: string, to: string): boolean {
  const link = () => {
    linkSync(from, to);
    return true;
  };
  return unlessRefused(link) ?? false;
}
