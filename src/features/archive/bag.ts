/** Writes an archive as one bag (BagIt 1.0, RFC 8493) that contains the tree, its registry and its citation. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sha256 } from '../../core/model/digest.ts';
import { PAYLOAD_FOLDER, TREE_NAME } from '../../core/tree/names.ts';
import { partOf, withFile, writeAll } from '../../system/files/file-io.ts';
import { failToWrite } from '../../system/files/system-errors.ts';
import { gzipMember } from '../../system/tar/gzip.ts';
import { canBeTarget } from '../../system/tar/tar-header.ts';
import { type TarSink, tarWriter } from '../../system/tar/tar-writer.ts';
import { progress } from '../../system/terminal/progress.ts';
import type { ArchivedFile } from './archive-folder.ts';

export const BAG_FILES = {
  citation: 'CITATION.cff',
  cite: 'CITE.txt',
  crate: 'ro-crate-metadata.json',
  datacite: 'datacite.json',
  zenodo: '.zenodo.json',
  sources: 'sources',
  tree: TREE_NAME,
} as const;

export const BAG_INFO = 'bag-info.txt';
export const BAG_DECLARATION = 'bagit.txt';
export const PAYLOAD_MANIFEST = 'manifest-sha256.txt';
export const TAG_MANIFEST = 'tagmanifest-sha256.txt';
export const DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';

interface BagInfo {
  readonly title: string;
  readonly grid: string;
  readonly revision: string;
  /** The revision's date in ISO 8601. */
  readonly date: string;
  /** The version of gridpress, because the tree's bytes depend on this version. */
  readonly agent: string;
  readonly bytes: number;
  readonly files: number;
}

/** Formats bag-info.txt (RFC 8493, section 2.2.2). The text does not depend on the time or the machine. */
export function bagInfoText(info: BagInfo): string {
  const fields = [
    ['External-Description', info.title],
    ['External-Identifier', info.revision],
    ['Bag-Group-Identifier', info.grid],
    ['Bagging-Date', info.date.slice(0, info.date.indexOf('T'))],
    ['Payload-Oxum', `${info.bytes}.${info.files}`],
    ['Bag-Software-Agent', info.agent],
  ];
  return fields.map(([label, value]) => `${label}: ${value}\n`).join('');
}

export function bagInfoField(text: string, label: string): string | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${label}: `));
  return line?.slice(label.length + 2);
}

export interface ManifestLine {
  readonly sha256: string;
  readonly file: string;
}

export function bagManifest(lines: readonly ManifestLine[]): string {
  return lines.map(({ sha256, file }) => `${sha256}  ${file}\n`).join('');
}

export function readBagManifest(text: string): ManifestLine[] | undefined {
  if (text !== '' && !text.endsWith('\n')) return undefined;
  const lines: ManifestLine[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sha256, file] = /^([0-9a-f]{64}) {2}(\S.*)$/.exec(line) ?? [];
    if (sha256 === undefined || file === undefined) return undefined;
    lines.push({ sha256, file });
  }
  return lines;
}

export interface PackedFile {
  readonly name: string;
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  /** The bytes, a function that returns them, or the position of the bytes in an open file. */
  readonly content: Uint8Array | (() => Uint8Array) | StoredBytes;
}

/** Two files with the same `StoredBytes` object are stored once. The second file is a link to the first file. */
interface StoredBytes {
  readonly file: number;
  readonly offset: number;
}

interface Bag {
  readonly name: string;
  readonly modified: number;
  readonly info: Omit<BagInfo, 'bytes' | 'files'>;
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
  const first = new Map<StoredBytes, string>();
  for (const [i, { name: below, content, size }] of payload.entries()) {
    const name = `${folder}/${PAYLOAD_FOLDER}/${below}`;
    if (content instanceof Uint8Array) tar.file(name, content, modified);
    else if (typeof content === 'function') tar.file(name, content(), modified);
    else {
      const target = first.get(content);
      if (target === undefined) first.set(content, name);
      // A name that is too long for a link target requires a second copy of the file.
      if (target !== undefined && canBeTarget(target)) tar.link(name, target, modified);
      else tar.chunks(name, partOf(content.file, content.offset, size), size, modified);
    }
    onFile(i + 1);
  }
  const lines = payload.map(({ sha256, name }) => ({ sha256, file: `${PAYLOAD_FOLDER}/${name}` }));
  addTag(TAG_MANIFEST, bagManifest([info, declaration, addTag(PAYLOAD_MANIFEST, bagManifest(lines))]));
  return tar.end();
}

/** Writes `NAME.tar` and `NAME.tar.gz`. Reports system errors as findings. */
export function packArchive(
  stage: string,
  bag: Bag,
  showsProgress: boolean,
): { readonly tar: ArchivedFile; readonly gzip: ArchivedFile } {
  const shown = progress('Packing', bag.payload.length, showsProgress);
  const name = `${bag.name}.tar`;
  const writing = <T>(file: string, work: (output: ArchiveOutput) => T): T =>
    withFile(join(stage, file), (opened) => work(outputTo(opened, file)), 'wx');
  try {
    return writing(name, (tar) =>
      writing(`${name}.gz`, (gzip) => {
        const write = (chunk: Uint8Array) => {
          tar.write(chunk);
          gzip.write(gzipMember(chunk));
        };
        writeBag(bag, write, shown.at);
        return { tar: tar.end(), gzip: gzip.end() };
      }),
    );
  } catch (error) {
    return failToWrite(name, error);
  } finally {
    shown.end();
  }
}

type ArchiveOutput = ReturnType<typeof outputTo>;

/** Computes the digest and the size of the file while writing it. */
function outputTo(opened: number, file: string) {
  const digest = createHash('sha256');
  let size = 0;
  return {
    write: (bytes: Uint8Array) => {
      writeAll(opened, bytes);
      digest.update(bytes);
      size += bytes.length;
    },
    end: (): ArchivedFile => ({ file, size, sha256: digest.digest('hex') }),
  };
}
