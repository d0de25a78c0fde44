/** Writing a bag as a tar: its payload in the order of names, each file of which lies in memory or in an open file. */

import { sha256 } from '../../core/model/digest.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { PAYLOAD_FOLDER } from '../../core/tree/archive-name.ts';
import { BLOCK, canBeTarget } from '../../system/tar/tar-header.ts';
import { paddingOf, type TarSink, type TarWriter, tarWriter } from '../../system/tar/tar-writer.ts';
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
  /** The bytes, or where they stand in an open file. Files that stand in one place are links to each other. */
  readonly content: Uint8Array | { readonly file: number; readonly offset: number };
}

export interface Bag {
  /** The folder in the tar. */
  readonly name: string;
  /** Epoch seconds, of every entry. */
  readonly modified: number;
  readonly info: Omit<BagInfo, 'bytes' | 'files'>;
  readonly payload: readonly PackedFile[];
}

export interface PackedBag {
  /** The size that the tar will have. */
  readonly size: number;
  readonly write: (sink: TarSink) => void;
}

/** An entry of the tar: a file of the bag, or a hard link to one. */
interface Entry {
  readonly name: string;
  readonly file: Omit<PackedFile, 'name' | 'sha256'>;
  readonly target: string | undefined;
}

export function packBag({ name, modified, info, payload }: Bag): PackedBag {
  const files = payload
    .map((file) => ({ ...file, name: `${PAYLOAD_FOLDER}/${file.name}` }))
    .sort((a, b) => byCodeUnit(a.name, b.name));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const tags = new Map([
    [BAG_INFO, bagInfoText({ ...info, bytes, files: files.length })],
    [BAG_DECLARATION, DECLARATION],
    [PAYLOAD_MANIFEST, bagManifest(files.map((file) => ({ sha256: file.sha256, file: file.name })))],
  ]);
  const digests = [...tags].map(([file, text]) => ({ sha256: sha256(text), file }));
  tags.set(TAG_MANIFEST, bagManifest(digests));
  const tagEntry = ([file, text]: readonly [string, string]): Entry => {
    const content = Buffer.from(text);
    return { name: `${name}/${file}`, file: { size: content.length, content }, target: undefined };
  };
  const entries = [...payloadEntries(name, files), ...[...tags].map(tagEntry)].sort((a, b) =>
    byCodeUnit(a.name, b.name),
  );
  const size = entries.reduce((sum, entry) => sum + sizeOf(entry), 2 * BLOCK);
  return { size, write: (sink) => writeEntries(tarWriter(sink), entries, modified) };
}

/** Where a link cannot reach the first name of a file, each name is a file of its own. */
function payloadEntries(bag: string, files: readonly PackedFile[]): Entry[] {
  const first = new Map<string, string>();
  return files.map((file) => {
    const name = `${bag}/${file.name}`;
    if (file.content instanceof Uint8Array) return { name, file, target: undefined };
    const place = `${file.content.file}:${file.content.offset}:${file.size}`;
    const target = first.get(place);
    if (target === undefined) first.set(place, name);
    return { name, file, target: target !== undefined && canBeTarget(target) ? target : undefined };
  });
}

function sizeOf({ file, target }: Entry): number {
  return BLOCK + (target === undefined ? file.size + paddingOf(file.size) : 0);
}

function writeEntries(tar: TarWriter, entries: readonly Entry[], modified: number): void {
  for (const { name, file, target } of entries) {
    const { content, size } = file;
    if (target !== undefined) tar.link(name, target, modified);
    else if (content instanceof Uint8Array) tar.file(name, content, modified);
    else tar.copy(name, content.file, size, modified, content.offset);
  }
  tar.end();
}
