import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../core/model/digest.ts';
import { PAYLOAD_FOLDER } from '../../core/tree/archive-name.ts';
import { partOf, writeAll } from '../../system/files/file-chunks.ts';
import { failToWrite } from '../../system/files/system-errors.ts';
import { gzipMember } from '../../system/tar/gzip.ts';
import { canBeTarget } from '../../system/tar/tar-header.ts';
import { type TarSink, tarWriter } from '../../system/tar/tar-writer.ts';
import { progress } from '../../system/terminal/progress.ts';
import type { ArchivedFile } from './archive-folder.ts';
import {
  BAG_DECLARATION,
  BAG_INFO,
  type BagInfo,
  bagInfoText,
  bagManifest,
  DECLARATION,
  PAYLOAD_MANIFEST,
  TAG_MANIFEST,
} from './bag.ts';

export interface PackedFile {
  /** Below the payload's folder. */
  readonly name: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes, what makes them when it is their turn, or where they are in an open file. */
  readonly content: Uint8Array | (() => Uint8Array) | StoredBytes;
}

/** Files that share this object are links to each other. */
interface StoredBytes {
  readonly file: number;
  readonly offset: number;
}

interface Bag {
  readonly name: string;
  /** Epoch seconds, of every entry. */
  readonly modified: number;
  readonly info: Omit<BagInfo, 'bytes' | 'files'>;
  /** In the order of their names. */
  readonly payload: readonly PackedFile[];
}

export function writeBag(bag: Bag, sink: TarSink, onFile: (done: number) => void = () => {}): number {
  const { name: folder, modified, payload } = bag;
  const tar = tarWriter(sink);
  const addTag = (file: string, text: string) => {
    const bytes = Buffer.from(text);
    tar.file(`${folder}/${file}`, bytes, modified);
    return { sha256: sha256(bytes), file };
  };
  const bytes = payload.reduce((sum, { size }) => sum + size, 0);
  const info = addTag(BAG_INFO, bagInfoText({ ...bag.info, bytes, files: payload.length }));
  const declaration = addTag(BAG_DECLARATION, DECLARATION);
  /** The first name of stored bytes. */
  const first = new Map<StoredBytes, string>();
  for (const [i, { name: below, content, size }] of payload.entries()) {
    const name = `${folder}/${PAYLOAD_FOLDER}/${below}`;
    if (content instanceof Uint8Array) tar.file(name, content, modified);
    else if (typeof content === 'function') tar.file(name, content(), modified);
    else {
      const target = first.get(content);
      if (target === undefined) first.set(content, name);
      // Where a link cannot reach the first name, the file is written again.
      if (target !== undefined && canBeTarget(target)) tar.link(name, target, modified);
      else tar.chunks(name, partOf(content.file, content.offset, size), size, modified);
    }
    onFile(i + 1);
  }
  const lines = payload.map(({ sha256, name }) => ({ sha256, file: `${PAYLOAD_FOLDER}/${name}` }));
  addTag(TAG_MANIFEST, bagManifest([info, declaration, addTag(PAYLOAD_MANIFEST, bagManifest(lines))]));
  return tar.end();
}

/** Writes `NAME.tar` and `NAME.tar.gz` into a folder that has neither. A system error ends the command with a finding. */
export function packArchive(
  stage: string,
  bag: Bag,
  showsProgress: boolean,
): { readonly tar: ArchivedFile; readonly gzip: ArchivedFile } {
  const shown = progress('Packing', bag.payload.length, showsProgress);
  const name = `${bag.name}.tar`;
  const files: DigestedFile[] = [];
  const add = (file: string) => {
    const added = digestedFile(stage, file);
    files.push(added);
    return added;
  };
  try {
    const [tar, gzip] = [add(name), add(`${name}.gz`)];
    const write = (chunk: Uint8Array) => {
      tar.write(chunk);
      gzip.write(gzipMember(chunk));
    };
    writeBag(bag, write, shown.at);
    return { tar: tar.end(), gzip: gzip.end() };
  } catch (error) {
    return failToWrite(name, error);
  } finally {
    for (const { close } of files) close();
    shown.end();
  }
}

type DigestedFile = ReturnType<typeof digestedFile>;

function digestedFile(folder: string, file: string) {
  const opened = openSync(join(folder, file), 'wx');
  const sha256 = createHash('sha256');
  let size = 0;
  return {
    write: (bytes: Uint8Array) => {
      writeAll(opened, bytes);
      sha256.update(bytes);
      size += bytes.length;
    },
    end: (): ArchivedFile => ({ file, size, sha256: sha256.digest('hex') }),
    close: () => closeSync(opened),
  };
}
