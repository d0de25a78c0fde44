/**
 * The index of a history as it lies on the disk, opened: the revisions that it knows, with the marks of their files, and
 * what they changed. It is derived from the revision files and can be made again at any time.
 */

import { itemsIn, type Json } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { type Columns, checkColumn, columnsOnDemand, emptyColumns } from './columns.ts';
import { type Digests, digestsIn } from './digest-parts.ts';
import { damaged } from './index-damaged.ts';
import { isCount, openIndexFile } from './index-file.ts';
import type { IndexKey, IndexPlace } from './index-place.ts';
import { type KnownRevision, listedRevisions, textsIn } from './listed-revisions.ts';
import { openRecords, type RecordFile, type Records } from './records.ts';

export interface HistoryIndex {
  /** Parents before their children. */
  readonly revisions: readonly KnownRevision[];
  /** Whether they are a graph with one head, in its order. */
  readonly isGraph: boolean;
  readonly rows: number;
  readonly columns: () => Columns;
  readonly texts: () => readonly string[];
  /** Of the body after the change of a row; zeros where there is none. */
  readonly digests: Digests;
  readonly records: Records;
}

/** The index of nothing. */
export const NO_INDEX: HistoryIndex = {
  revisions: [],
  isGraph: false,
  rows: 0,
  columns: () => emptyColumns(0),
  texts: () => [],
  digests: { all: () => Buffer.alloc(0), of: () => Buffer.alloc(0) },
  records: openRecords('', []),
};

/** Throws `IndexDamaged` and system errors; undefined where the index is another's. */
export function openIndex(place: IndexPlace, key: IndexKey): HistoryIndex | undefined {
  const file = openIndexFile(place.file);
  const { head, section } = file;
  if (head['anchor'] !== key.anchor || head['maker'] !== key.maker) return undefined;
  const { rows } = head;
  if (!isCount(rows)) return damaged('how many rows there are');
  const recordFiles = itemsIn(head['records']).map((each): RecordFile => {
    const [name, bytes]: readonly Json[] = Array.isArray(each) ? each : [];
    const isOwn = typeof name === 'string' && name.startsWith(place.records) && !/[\\/]/.test(name);
    return isOwn && isCount(bytes) ? { name, bytes } : damaged('its records');
  });
  const records = openRecords(place.folder, recordFiles);
  const texts = lazily(() => textsIn(section('texts')));
  return {
    revisions: listedRevisions(section, rows),
    isGraph: head['isGraph'] === true,
    rows,
    texts,
    columns: lazily(() =>
      columnsOnDemand((name, Kind) => {
        const { buffer, byteLength } = section(name);
        if (byteLength !== rows * Kind.BYTES_PER_ELEMENT) return damaged(name);
        const column = new Kind(buffer, 0, rows);
        checkColumn(name, column, { texts: texts().length, recordBytes: records.bytes });
        return column;
      }),
    ),
    digests: digestsIn(file, rows),
    records,
  };
}
