/**
 * The index of a history as it lies on the disk, opened: the revisions that it knows, with the marks of their files, and
 * what they changed. It is derived from the revision files and can be made again at any time.
 */

import { isJsonObject, itemsIn, type Json, parsedJson } from '../../core/model/json.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { type Columns, checkColumns, columnsOf, DIGEST_BYTES, emptyColumns } from './columns.ts';
import { type FileMark, markAsJson, markFrom } from './file-marks.ts';
import { damaged } from './index-damaged.ts';
import { isCount, openIndexFile } from './index-file.ts';
import type { IndexKey, IndexPlace } from './index-place.ts';
import { openRecords, type RecordFile, type Records } from './records.ts';

/** A revision that the index knows. */
export interface KnownRevision {
  readonly header: RevisionHeader;
  /** The name of its file in the folder of the history. */
  readonly file: string;
  readonly mark: FileMark;
  /** Its rows. */
  readonly first: number;
  readonly rows: number;
}

export interface HistoryIndex {
  /** Parents before their children. */
  readonly revisions: readonly KnownRevision[];
  /** Whether they are a graph with one head, in its order. */
  readonly isGraph: boolean;
  readonly rows: number;
  readonly columns: () => Columns;
  readonly texts: () => readonly string[];
  /** 32 bytes for each row: the digest of the body after the change, zeros where there is none. */
  readonly digests: () => Buffer;
  readonly records: Records;
}

/** The index of nothing. */
export const NO_INDEX: HistoryIndex = {
  ...{
    revisions: [],
    isGraph: false,
    rows: 0,
    columns: () => emptyColumns(0),
    texts: () => [],
    digests: () => Buffer.alloc(0),
  },
  records: openRecords('', []),
};

/** Throws `IndexDamaged` and system errors; undefined where the index is another's. */
export function openIndex(place: IndexPlace, key: IndexKey): HistoryIndex | undefined {
  const { head, section } = openIndexFile(place.file);
  if (head['anchor'] !== key.anchor || head['maker'] !== key.maker) return undefined;
  const { rows } = head;
  if (!isCount(rows)) return damaged('how many rows there are');
  const recordFiles = itemsIn(head['records']).map((each): RecordFile => {
    const [name, bytes]: readonly Json[] = Array.isArray(each) ? each : [];
    const isOwn = typeof name === 'string' && name.startsWith(place.records) && !/[\\/]/.test(name);
    return isOwn && isCount(bytes) ? { name, bytes } : damaged('its records');
  });
  const records = openRecords(place.folder, recordFiles);
  const texts = lazily(() => {
    const list = itemsIn(parsedJson(section('texts').toString('utf8'))).map(textOf);
    return list;
  });
  return {
    revisions: revisionsFrom(parsedJson(section('revisions').toString('utf8')), rows),
    isGraph: head['isGraph'] === true,
    rows,
    texts,
    columns: lazily(() => {
      const columns = columnsOf((name, Kind) => {
        const { buffer, byteLength } = section(name);
        if (byteLength !== rows * Kind.BYTES_PER_ELEMENT) return damaged(name);
        return new Kind(buffer, 0, rows);
      });
      checkColumns(columns, texts().length, records.bytes);
      return columns;
    }),
    digests: lazily(() => {
      const digests = section('digests');
      return digests.length === rows * DIGEST_BYTES ? digests : damaged('the digests');
    }),
    records,
  };
}

function revisionsFrom(json: Json | undefined, rows: number): KnownRevision[] {
  let first = 0;
  const revisions = itemsIn(json).map((each): KnownRevision => {
    const { file, count, header: said, mark } = isJsonObject(each) ? each : {};
    const found = markFrom(mark);
    if (typeof file !== 'string' || !isCount(count) || !isJsonObject(said) || !found)
      return damaged('a revision');
    const revision = { header: headerFrom(said), file, mark: found, first, rows: count };
    first += count;
    return revision;
  });
  return first === rows ? revisions : damaged('the rows of its revisions');
}

function headerFrom(said: Readonly<Record<string, Json>>): RevisionHeader {
  const { contents } = said;
  return {
    id: textOf(said['id']),
    parents: itemsIn(said['parents']).map(textOf),
    date: textOf(said['date']),
    author: textOf(said['author']),
    message: textOf(said['message']),
    origin: said['origin'] === 'git' ? 'git' : 'recorded',
    state: textOf(said['state']),
    contents: contents === undefined ? undefined : textOf(contents),
  };
}

function textOf(json: Json | undefined): string {
  return typeof json === 'string' ? json : damaged('a text');
}

/** A revision as it is written into an index. */
export function revisionAsJson({ header, file, mark, rows }: Omit<KnownRevision, 'first'>): Json {
  const { id, parents, date, author, message, origin, state, contents } = header;
  const said = { id, parents, date, author, message, origin, state };
  return {
    header: contents === undefined ? said : { ...said, contents },
    ...{ file, count: rows, mark: markAsJson(mark) },
  };
}
