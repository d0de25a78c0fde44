/**
 * Writing an index: the rows that another one has of revisions that stay, and behind them those of others, as they are
 * replayed. Of what was written, nothing but columns of numbers is kept in memory. Records go into a file first, and the
 * index takes its name last, in one step. Nothing waits for the disk: what a power cut leaves is found damaged.
 */

import { crc32 } from 'node:zlib';
import { type Graph, headsOf, type Placed } from '../../core/history/graph.ts';
import type { RecordedChange } from '../../core/history/replay.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/model/json.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { COLUMN_NAMES, type Columns, DIGEST_BYTES, ROW_ACTIONS } from './columns.ts';
import { digestSections } from './digest-parts.ts';
import type { MarkOf } from './file-marks.ts';
import { growingColumns } from './grown-columns.ts';
import type { HistoryIndex } from './history-index.ts';
import { bytesOf, indexFileParts, writeIndexFile } from './index-file.ts';
import type { IndexKey, IndexPlace } from './index-place.ts';
import { bodyOfRow } from './indexed-bodies.ts';
import { type KnownRevision, type ListedRevision, revisionSections } from './listed-revisions.ts';
import { clearRecords, recordWriter } from './record-writer.ts';

/** A revision that is in no index yet. */
export interface FreshRevision {
  readonly header: RevisionHeader;
  readonly file: string;
  /** SHA-256, in base64, of the text of its file. */
  readonly digest: string;
}

/** One of its changes. */
export interface FreshChange extends Omit<RecordedChange, 'fields'> {
  /** The JSON text of the changed fields, where there are any. */
  readonly fields: string;
  /** The row that holds the body before the change. */
  readonly before: number | undefined;
  /** The body after a change that made one. */
  readonly after: FreshBody | undefined;
}

export interface FreshBody {
  readonly digest: string;
  /** Its JSON text, which is asked for where the body is kept whole, or its node has another name. */
  readonly text: () => string;
}

export interface IndexWriter {
  /** A revision that the old index has, after its parents. */
  readonly keep: (revision: KnownRevision) => void;
  /** The row that a row of the old index is in the new one. */
  readonly keptRow: (row: number) => number;
  /** A revision that it has not, once all are kept that stay: the rows of its changes, which come in code-unit order of paths. */
  readonly add: (revision: FreshRevision, changes: readonly FreshChange[]) => readonly number[];
  /** The text of the body after a row's change. */
  readonly bodyOf: (row: number) => string;
  /** Puts the new index, which has all revisions of a graph, in the old one's place. */
  readonly finish: (key: IndexKey, graph: Graph<Placed>, markOf: MarkOf) => void;
  /** Ends it. Unless it is finished, nothing is left of it. */
  readonly close: () => void;
}

/** How many changes in a row are applied to a body that is kept whole before one is kept whole again. */
const MOST_APPLIED = 16;

export function indexWriter(place: IndexPlace, old: HistoryIndex): IndexWriter {
  const rows = growingColumns();
  const records = recordWriter(place, old.records);
  const texts = numberedTexts(old);
  const kept = keptRows(old, rows);
  const listed: ListedRevision[] = [];
  const written = {
    columns: rows.columns,
    digests: { of: (row: number) => rows.digests().subarray(row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES) },
    records,
  };

  const add = ({ path, action, classes, successor, fields, before, after }: FreshChange): number => {
    const row = rows.next();
    const columns = rows.columns();
    columns.path[row] = texts.numberOf(path);
    columns.action[row] = ROW_ACTIONS.indexOf(action);
    columns.classes[row] = classes;
    columns.successor[row] = successor === undefined ? 0 : texts.numberOf(successor) + 1;
    if (before !== undefined) columns.before[row] = before + 1;
    if (after) {
      rows.digests().write(after.digest, row * DIGEST_BYTES, 'hex');
      const isNamed = before === undefined || fields.includes(NAME_CHANGED);
      const name = isNamed ? nodeName(after.text()) : undefined;
      if (!isNamed) columns.name[row] = itemAt(columns.name, before);
      else if (typeof name === 'string') columns.name[row] = texts.numberOf(name) + 1;
    }
    const isWhole = after && (before === undefined || changesApplied(columns, row) >= MOST_APPLIED);
    const fieldsText = Buffer.from(fields);
    const bodyText = Buffer.from(isWhole ? after.text() : '');
    if (fieldsText.length + bodyText.length > 0) {
      const record = Buffer.concat([fieldsText, bodyText]);
      columns.at[row] = records.write(record);
      columns.fieldBytes[row] = fieldsText.length;
      columns.bodyBytes[row] = bodyText.length;
      columns.check[row] = crc32(record);
    }
    return row;
  };
  return {
    keep: (revision) => {
      kept.take(revision);
      const { header, file, mark, rows: count } = revision;
      listed.push({ header, file, digest: mark.digest, rows: count });
    },
    keptRow: kept.rowOf,
    add: ({ header, file, digest }, changes) => {
      listed.push({ header, file, digest, rows: changes.length });
      return changes.map(add);
    },
    bodyOf: (row) => bodyOfRow(written, row),
    finish: (key, graph, markOf) => {
      const { columns, digests, rows: count } = rows.whole();
      const files = records.finish();
      const head = {
        anchor: key.anchor,
        maker: key.maker,
        rows: count,
        isGraph: isInOrder(listed, graph),
        records: files.map(({ name, bytes }) => [name, bytes]),
      };
      const parts = indexFileParts(head, [
        ...revisionSections(listed, markOf),
        { name: 'texts', bytes: Buffer.from(JSON.stringify(texts.all())) },
        ...COLUMN_NAMES.map((name) => ({ name, bytes: bytesOf(columns[name]) })),
        ...digestSections(digests),
      ]);
      writeIndexFile(place.file, parts);
      clearRecords(place, files);
    },
    close: records.close,
  };
}

/** What the text of changed fields has in it when the name of a node is one of them. */
const NAME_CHANGED = '"/node_name"';

function nodeName(body: string): Json | undefined {
  const value = parsedJson(body);
  return isJsonObject(value) ? value['node_name'] : undefined;
}

/** Texts by their numbers, those of the old index first. */
function numberedTexts(old: HistoryIndex) {
  const texts = new Map(old.texts().map((text, number) => [text, number]));
  return {
    numberOf: (text: string): number => {
      const number = texts.get(text) ?? texts.size;
      texts.set(text, number);
      return number;
    },
    all: () => [...texts.keys()],
  };
}

/** The rows of an old index that stay, which come first. */
function keptRows(old: HistoryIndex, rows: ReturnType<typeof growingColumns>) {
  /** Once one stays behind, others move. */
  let moved: Uint32Array | undefined;
  let next = 0;
  const rowOf = (row: number) => (moved ? itemAt(moved, row) : row);
  return {
    rowOf,
    take: ({ first, rows: count }: KnownRevision) => {
      rows.take(old.columns(), old.digests.all(), first, count);
      if (!moved && first !== next) moved = Uint32Array.from({ length: old.rows }, (_, row) => row);
      const { before } = rows.columns();
      for (let i = 0; moved && i < count; i++) {
        moved[first + i] = next + i;
        const held = itemAt(before, next + i);
        before[next + i] = held === 0 ? 0 : rowOf(held - 1) + 1;
      }
      next += count;
    },
  };
}

/** Whether revisions are all those of a graph with one head, in its order. */
function isInOrder(listed: readonly Pick<KnownRevision, 'header'>[], { revisions }: Graph<Placed>): boolean {
  const isSame = listed.every(({ header }, at) => header.id === revisions[at]?.id);
  return isSame && listed.length === revisions.length && headsOf(revisions).length === 1;
}

/** How many changes, a row's own included, lie between its body and the last one that is kept whole. */
function changesApplied({ before, bodyBytes }: Columns, row: number): number {
  let applied = 0;
  for (let at = row; itemAt(bodyBytes, at) === 0; at = itemAt(before, at) - 1) applied++;
  return applied;
}
