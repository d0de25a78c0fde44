/**
 * Writing a bag as a tar: its payload in the order of names, each file of which lies in memory or in an open file. Of
 * a payload that can have millions of files, nothing is held but what tells which of them are links to each other.
 */

import { createHash } from 'node:crypto';
import { sha256 } from '../../core/model/digest.ts';
import { PAYLOAD_FOLDER } from '../../core/tree/archive-name.ts';
import { BLOCK, canBeTarget } from '../../system/tar/tar-header.ts';
import { namesInOrder } from '../../system/tar/tar-names.ts';
import { paddingOf, type TarSink, type TarWriter, tarWriter } from '../../system/tar/tar-writer.ts';
import {
  BAG_DECLARATION,
  BAG_INFO,
  type BagInfo,
  bagInfoText,
  bagManifest,
  DECLARATION,
  type ManifestLine,
  manifestLine,
  PAYLOAD_MANIFEST,
  TAG_MANIFEST,
} from './bag.ts';

export interface PackedFile {
  /** Below the payload's folder. */
  readonly name: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes, what makes them when it is their turn, or where they stand in an open file. */
  readonly content: Uint8Array | (() => Uint8Array) | StandingBytes;
}

/** Files that stand in one place are links to each other, and have to say so. */
export interface StandingBytes {
  readonly file: number;
  readonly offset: number;
  readonly isShared: boolean;
}

export interface Bag {
  /** The folder in the tar. */
  readonly name: string;
  /** Epoch seconds, of every entry. */
  readonly modified: number;
  readonly info: Omit<BagInfo, 'bytes' | 'files'>;
  /** In the order of their names, as often as it is asked for. */
  readonly payload: () => Iterable<PackedFile>;
}

export interface PackedBag {
  /** The size that the tar will have. */
  readonly size: number;
  readonly write: (sink: TarSink) => void;
}

/** An entry of the payload: a file, or a hard link to one. */
interface Entry {
  readonly name: string;
  readonly file: PackedFile;
  readonly target: string | undefined;
}

export function packBag(bag: Bag): PackedBag {
  const measured = measure(bag);
  const { bytes, files } = measured;
  const info = Buffer.from(bagInfoText({ ...bag.info, bytes, files }));
  const declaration = Buffer.from(DECLARATION);
  const tags = (payloadManifest: string) =>
    bagManifest([
      { sha256: sha256(info), file: BAG_INFO },
      { sha256: sha256(declaration), file: BAG_DECLARATION },
      { sha256: payloadManifest, file: PAYLOAD_MANIFEST },
    ]);
  const tagSizes = [info.length, declaration.length, measured.manifest, tags(sha256('')).length];
  const size = tagSizes.reduce((sum, each) => sum + fileSize(each), measured.entries) + 2 * BLOCK;
  const { name, modified } = bag;
  const at = (file: string) => `${name}/${file}`;
  const write = (sink: TarSink) => {
    const tar = tarWriter(sink, namesInOrder());
    tar.file(at(BAG_INFO), info, modified);
    tar.file(at(BAG_DECLARATION), declaration, modified);
    for (const entry of payloadEntries(bag)) writeEntry(tar, entry, modified);
    const digest = createHash('sha256');
    tar.pieces(at(PAYLOAD_MANIFEST), manifestPieces(bag, digest), measured.manifest, modified);
    tar.file(at(TAG_MANIFEST), Buffer.from(tags(digest.digest('hex'))), modified);
    tar.end();
  };
  return { size, write };
}

/** What there is to say of a payload before it is written: how many bytes and files it has, and what they take in the tar. */
function measure(bag: Bag) {
  const sum = { bytes: 0, files: 0, entries: 0, manifest: 0 };
  for (const { file, target } of payloadEntries(bag)) {
    sum.bytes += file.size;
    sum.files++;
    sum.entries += target === undefined ? fileSize(file.size) : BLOCK;
    sum.manifest += Buffer.byteLength(manifestLine(lineOf(file)));
  }
  return sum;
}

/** Where a link cannot reach the first name of a file, each name is a file of its own. */
function* payloadEntries({ name: bag, payload }: Bag): Generator<Entry> {
  const first = new Map<string, string>();
  for (const file of payload()) {
    const { content, size } = file;
    const name = `${bag}/${PAYLOAD_FOLDER}/${file.name}`;
    if (!('isShared' in content && content.isShared)) {
      yield { name, file, target: undefined };
      continue;
    }
    const place = `${content.file}:${content.offset}:${size}`;
    const target = first.get(place);
    if (target === undefined) first.set(place, name);
    yield { name, file, target: target !== undefined && canBeTarget(target) ? target : undefined };
  }
}

function lineOf({ name, sha256 }: PackedFile): ManifestLine {
  return { sha256, file: `${PAYLOAD_FOLDER}/${name}` };
}

/** What a file takes with its header. */
function fileSize(size: number): number {
  return BLOCK + size + paddingOf(size);
}

function writeEntry(tar: TarWriter, { name, file, target }: Entry, modified: number): void {
  const { content, size } = file;
  if (target !== undefined) tar.link(name, target, modified);
  else if (content instanceof Uint8Array) tar.file(name, content, modified);
  else if (typeof content === 'function') tar.file(name, content(), modified);
  else tar.copy(name, content.file, size, modified, content.offset);
}

const LINES_IN_PIECE = 1000;

/** The text of the payload's manifest, of which a digest is told. */
function* manifestPieces({ payload }: Bag, digest: ReturnType<typeof createHash>): Generator<Uint8Array> {
  let lines: ManifestLine[] = [];
  const piece = () => {
    const bytes = Buffer.from(bagManifest(lines));
    digest.update(bytes);
    lines = [];
    return bytes;
  };
  for (const file of payload()) {
    if (lines.push(lineOf(file)) === LINES_IN_PIECE) yield piece();
  }
  yield piece();
}
