/**
 * The index of a registry's working files as it lies on the disk: what each says, as JSON text, by the mark of the file.
 * Files with which something is wrong are not in it. It lies beside the history's, and is believed on the same terms.
 */

import { itemsIn, type Json, parsedJson } from '../../core/model/json.ts';
import { type FileMark, markAsJson, markFrom } from '../history-index/file-marks.ts';
import { damaged } from '../history-index/index-damaged.ts';
import { indexFileParts, isCount, openIndexFile, writeIndexFile } from '../history-index/index-file.ts';
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

export type KnownSources = ReadonlyMap<string, KnownSource>;

/** Throws `IndexDamaged` and system errors; undefined where the index is another's. */
export function openSourceIndex({ sources }: IndexPlace, key: IndexKey): KnownSources | undefined {
  const { head, section } = openIndexFile(sources);
  if (head['anchor'] !== key.anchor || head['maker'] !== key.maker) return undefined;
  const texts = section('texts');
  let from = 0;
  const known = itemsIn(parsedJson(section('files').toString('utf8'))).map((each) => {
    const [file, uid, digest, bytes, mark]: readonly Json[] = Array.isArray(each) ? each : [];
    const found = markFrom(mark);
    const isWhole = typeof file === 'string' && typeof uid === 'string' && typeof digest === 'string';
    if (!isWhole || !found || !isCount(bytes)) return damaged('a source');
    const start = from;
    from += bytes;
    const text = () => texts.toString('utf8', start, start + bytes);
    return [file, { mark: found, uid, digest, text }] as const;
  });
  return from === texts.length ? new Map(known) : damaged('the texts of sources');
}

export function writeSourceIndex({ sources }: IndexPlace, key: IndexKey, known: KnownSources): void {
  const texts: Buffer[] = [];
  const files = [...known].map(([file, { uid, digest, text, mark }]): Json => {
    const bytes = Buffer.from(text());
    texts.push(bytes);
    return [file, uid, digest, bytes.length, markAsJson(mark)];
  });
  const parts = indexFileParts({ anchor: key.anchor, maker: key.maker }, [
    { name: 'files', bytes: Buffer.from(JSON.stringify(files)) },
    { name: 'texts', bytes: Buffer.concat(texts) },
  ]);
  writeIndexFile(sources, parts);
}
