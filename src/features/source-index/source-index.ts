/**
 * The index of a registry's working files as it lies on the disk: what each says, as JSON text, by the mark of the file.
 * Files with which something is wrong are not in it. It lies beside the history's, and is believed on the same terms. It
 * is as long as the files, and read as they are: one after the other.
 */

import { crc32 } from 'node:zlib';
import { byCodeUnit, itemsIn, type Json, parsedJson } from '../../core/model/json.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { type FileMark, markAsJson, markFrom } from '../history-index/file-marks.ts';
import { damaged } from '../history-index/index-damaged.ts';
import {
  bytesOf,
  indexFileParts,
  type OpenIndexFile,
  openIndexFile,
  writeIndexFile,
} from '../history-index/index-file.ts';
import type { IndexKey, IndexPlace } from '../history-index/index-place.ts';

/** What a file says that is in order. */
export interface KnownSource {
  readonly mark: FileMark;
  /** The uid that it states. */
  readonly uid: string;
  /** The digest of its body. */
  readonly digest: string;
  /** Its body, which stays as bytes until it is asked for. */
  readonly text: () => string;
}

export interface SourceIndex {
  /**
   * What it knows of a file; undefined where that is nothing, or the file does not come behind the one that was asked for
   * before, in code-unit order. Throws `IndexDamaged` and system errors.
   */
  readonly find: (file: string) => KnownSource | undefined;
}

/** Throws `IndexDamaged` and system errors; undefined where the index is another's. */
export function openSourceIndex({ sources }: IndexPlace, key: IndexKey): SourceIndex | undefined {
  const opened = openIndexFile(sources);
  const { anchor, maker } = opened.head;
  if (anchor !== key.anchor || maker !== key.maker) return undefined;
  const records = recordsIn(opened);
  let next = 0;
  const following = () => (next < records.count ? sourceIn(records.read(next++)) : undefined);
  let here = following();
  return {
    find: (file) => {
      while (here && byCodeUnit(here.file, file) < 0) here = following();
      return here?.file === file ? here.source : undefined;
    },
  };
}

/** What is known of files, in code-unit order of their names. */
export function writeSourceIndex(
  { sources }: IndexPlace,
  { anchor, maker }: IndexKey,
  known: ReadonlyMap<string, KnownSource>,
): void {
  const records = Array.from(known, ([file, source]) => recordOf(file, source));
  const parts = indexFileParts({ anchor, maker }, [
    { name: 'lengths', bytes: bytesOf(Uint32Array.from(records, ({ length }) => length)) },
    { name: 'checks', bytes: bytesOf(Uint32Array.from(records, (record) => crc32(record))) },
    { name: 'records', bytes: Buffer.concat(records) },
  ]);
  writeIndexFile(sources, parts);
}

interface NamedSource {
  readonly file: string;
  readonly source: KnownSource;
}

const LINE_END = '\n';

/** A line that says what is known of a file, and behind it its text. */
function recordOf(file: string, { uid, digest, text, mark }: KnownSource): Buffer {
  const line: Json = [file, uid, digest, markAsJson(mark)];
  return Buffer.from(JSON.stringify(line) + LINE_END + text());
}

function sourceIn(record: Buffer): NamedSource {
  const end = record.indexOf(LINE_END);
  const [file, uid, digest, mark] = itemsIn(parsedJson(record.toString('utf8', 0, end)));
  const found = markFrom(mark);
  const isWhole = typeof file === 'string' && typeof uid === 'string' && typeof digest === 'string';
  if (!isWhole || !found) return damaged('a source');
  const text = () => record.toString('utf8', end + LINE_END.length);
  return { file, source: { mark: found, uid, digest, text } };
}

const BLOCK_BYTES = 1 << 20;

/** The records of an index by their places, each once its check holds. Read one after the other, they are in memory a block at a time. */
function recordsIn({ section, partOf }: OpenIndexFile) {
  const lengths = new Uint32Array(section('lengths').buffer);
  const checks = new Uint32Array(section('checks').buffer);
  const starts = new Float64Array(lengths.length + 1);
  for (const [place, length] of lengths.entries()) starts[place + 1] = itemAt(starts, place) + length;
  const end = itemAt(starts, lengths.length);
  let block: Buffer = Buffer.alloc(0);
  let blockStart = 0;
  return {
    count: lengths.length,
    read: (place: number): Buffer => {
      const [from, to] = [itemAt(starts, place), itemAt(starts, place + 1)];
      if (from < blockStart || to > blockStart + block.length) {
        block = partOf('records', from, Math.max(to - from, Math.min(BLOCK_BYTES, end - from)));
        blockStart = from;
      }
      const record = block.subarray(from - blockStart, to - blockStart);
      return crc32(record) === itemAt(checks, place) ? record : damaged('a source');
    },
  };
}
