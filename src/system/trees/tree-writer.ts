/** Writes the files of a stage. Synchronous calls with one buffer are fast enough for millions of files. */

import { futimesSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { sha256 } from '../../core/model/digest.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { createFile, digestOf, NEW_FILE, type WrittenFile, withFile, writeAll } from '../files/file-io.ts';
import { linker, linkOrCopy } from '../files/link-folder.ts';
import { isAbsent, undefinedOnSystemError, writing } from '../files/system-errors.ts';

export interface TreeWriter {
  /** Writes a file, or hard-links an identical file of the previous tree. `modified` is in epoch seconds. */
  readonly write: (file: string, content: string | Uint8Array, modified: number) => WrittenFile;
  /** Writes a file from several parts. No part may end between the two halves of a surrogate pair. */
  readonly writeParts: (file: string, parts: Iterable<string>, modified: number) => WrittenFile;
  readonly link: (target: string, file: string) => void;
}

/** The maximum number of cached folder names. Creating a folder again costs less than caching millions of names. */
const MOST_FOLDERS = 10_000;

export function digestingWriter(): TreeWriter {
  return {
    write: (_, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      return { sha256: sha256(bytes), size: bytes.length };
    },
    writeParts: (_, parts) => {
      let size = 0;
      const chunks = function* () {
        for (const bytes of encodedParts(parts)) {
          size += bytes.length;
          yield bytes;
        }
      };
      return { sha256: digestOf(chunks()), size };
    },
    link: () => {},
  };
}

/** Returns a writer for a tree. The writer can reuse files of the tree `previous`. */
export function treeWriter(root: string, previous: string | undefined): TreeWriter {
  const encode = textEncoder();
  const makeFolderOf = folderMaker(root);
  const tryLink = linker(root);
  /** Tries to write first, and creates the folder only if it is missing, because most folders exist already. */
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
          if (reused === undefined || !tryLink(reused, path)) create(path, bytes, modified);
        });
        return { sha256: sha256(bytes), size: bytes.length };
      }),
    writeParts: (file, parts, modified) =>
      writing(file, () => {
        makeFolderOf(file);
        return createFile(`${root}/${file}`, encodedParts(parts), modified);
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

/** The maximum length of texts that use the shared buffer, in UTF-16 code units. */
const LONG_TEXT = 1 << 20;
/** The maximum number of bytes that UTF-8 needs for a UTF-16 code unit. */
const MOST_BYTES = 3;

/** Each call of the returned encoder overwrites the bytes that the previous call returned. */
function textEncoder(): (text: string) => Uint8Array {
  let buffer = Buffer.allocUnsafe(1 << 16);
  return (text) => {
    if (text.length > LONG_TEXT) return Buffer.from(text);
    const most = text.length * MOST_BYTES;
    if (most > buffer.length) buffer = Buffer.allocUnsafe(most * 2);
    return buffer.subarray(0, buffer.write(text));
  };
}

export function* encodedParts(parts: Iterable<string>): Generator<Uint8Array> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < LONG_TEXT) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

function create(path: string, bytes: Uint8Array, modified: number): void {
  const write = (file: number) => {
    writeAll(file, bytes);
    futimesSync(file, modified, modified);
  };
  withFile(path, write, NEW_FILE);
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
  return undefinedOnSystemError(isSame) ?? false;
}
