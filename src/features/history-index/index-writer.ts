/**
 * Writing an index: the rows that another one has of revisions that stay, and behind them those of others, as they are
 * replayed. Of what was written, nothing but columns of numbers is kept in memory. Records go into a file first, and the
 * index takes its name last, in one step. Nothing waits for the disk: what a power cut leaves is found damaged.
 */

import { crc32 } from 'node:zlib';
import { type Graph, headsOf } from '../../core/history/graph.ts';
import type { RecordedChange } from '../../core/history/replay.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { type BodyStore, type RegistryState, resourceAt } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { COLUMN_NAMES, type Columns, DIGEST_BYTES, ROW_ACTIONS } from './columns.ts';
import type { FileMark } from './file-marks.ts';
import { growingColumns } from './grown-columns.ts';
import { type HistoryIndex, type KnownRevision, revisionAsJson } from './history-index.ts';
import { indexFileParts, writeIndexFile } from './index-file.ts';
import type { IndexKey, IndexPlace } from './index-place.ts';
import { bodyOfRow, indexedStore, rowOfHandle } from './indexed-bodies.ts';
import { clearRecords, recordWriter } from './record-writer.ts';
import { replayStore } from './replay-store.ts';

/** A revision that was replayed. */
export interface ReplayedRevision {
  readonly header: RevisionHeader;
  readonly file: string;
  readonly mark: FileMark;
  readonly changes: readonly RecordedChange[];
  /** The states after its first parent and after itself. */
  readonly before: RegistryState;
  readonly after: RegistryState;
}

export interface IndexWriter {
  /** Where the bodies are that revisions are replayed on, and where the replay puts those that it makes. */
  readonly store: BodyStore;
  /** A revision that the old index has, after its parents. */
  readonly keep: (revision: KnownRevision) => void;
  /** One that it has not, once all are kept that stay. */
  readonly add: (revision: ReplayedRevision) => void;
  /** Puts the new index, which has all revisions of a graph, in the old one's place. */
  readonly finish: (key: IndexKey, graph: Graph) => void;
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
  const listed: Omit<KnownRevision, 'first'>[] = [];
  const written = { columns: rows.columns, digests: rows.digests, records };
  const fresh = replayStore((row) => bodyOfRow(written, row));
  const store = indexedStore(old, fresh);
  const firstFresh = 2 * old.rows;
  const rowOf = (handle: number): number =>
    handle < firstFresh ? kept.rowOf(rowOfHandle(handle)) : fresh.rowOf(handle - firstFresh);

  const add = (change: RecordedChange, { before, after }: ReplayedRevision) => {
    const { path, action, classes, successor } = change;
    const row = rows.next();
    const columns = rows.columns();
    const held = resourceAt(before, path)?.body;
    const body = action === 'touched' || action === 'removed' ? undefined : resourceAt(after, path)?.body;
    columns.path[row] = texts.numberOf(path);
    columns.action[row] = ROW_ACTIONS.indexOf(action);
    columns.classes[row] = classes;
    columns.successor[row] = successor === undefined ? 0 : texts.numberOf(successor) + 1;
    if (held) columns.before[row] = rowOf(held.handle) + 1;
    const fields = change.fields === undefined ? '' : store.get(change.fields);
    if (body) {
      rows.digests().write(body.digest, row * DIGEST_BYTES, 'hex');
      const isNamed = !held || fields.includes(NAME_CHANGED);
      const name = isNamed ? storedObject(store, body.handle)['node_name'] : undefined;
      if (!isNamed) columns.name[row] = itemAt(columns.name, itemAt(columns.before, row) - 1);
      else if (typeof name === 'string') columns.name[row] = texts.numberOf(name) + 1;
    }
    const isWhole = body !== undefined && (!held || changesApplied(columns, row) >= MOST_APPLIED);
    const fieldsText = Buffer.from(fields);
    const bodyText = Buffer.from(isWhole ? store.get(body.handle) : '');
    if (fieldsText.length + bodyText.length > 0) {
      const record = Buffer.concat([fieldsText, bodyText]);
      columns.at[row] = records.write(record);
      columns.fieldBytes[row] = fieldsText.length;
      columns.bodyBytes[row] = bodyText.length;
      columns.check[row] = crc32(record);
    }
    if (body) fresh.isWritten(body.handle - firstFresh, row);
  };
  return {
    store,
    keep: (revision) => {
      kept.take(revision);
      listed.push(revision);
    },
    add: (revision) => {
      for (const change of revision.changes) add(change, revision);
      fresh.forgetOthers();
      const { header, file, mark, changes } = revision;
      listed.push({ header, file, mark, rows: changes.length });
    },
    finish: (key, graph) => {
      const { columns, digests, rows: count } = rows.whole();
      const files = records.finish();
      const head = {
        ...{ anchor: key.anchor, maker: key.maker, rows: count, isGraph: isInOrder(listed, graph) },
        records: files.map(({ name, bytes }) => [name, bytes]),
      };
      const parts = indexFileParts(head, [
        { name: 'revisions', bytes: Buffer.from(JSON.stringify(listed.map(revisionAsJson))) },
        { name: 'texts', bytes: Buffer.from(JSON.stringify(texts.all())) },
        ...COLUMN_NAMES.map((name) => {
          const { buffer, byteOffset, byteLength } = columns[name];
          return { name, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
        }),
        { name: 'digests', bytes: digests },
      ]);
      writeIndexFile(place.file, parts);
      clearRecords(place, files);
    },
    close: records.close,
  };
}

/** What the text of changed fields has in it when the name of a node is one of them. */
const NAME_CHANGED = '"/node_name"';

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
      rows.take(old.columns(), old.digests(), first, count);
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
function isInOrder(listed: readonly Pick<KnownRevision, 'header'>[], { revisions }: Graph): boolean {
  const isSame = listed.every(({ header }, at) => header.id === revisions[at]?.id);
  return isSame && listed.length === revisions.length && headsOf(revisions).length === 1;
}

/** How many changes, a row's own included, lie between its body and the last one that is kept whole. */
function changesApplied({ before, bodyBytes }: Columns, row: number): number {
  let applied = 0;
  for (let at = row; itemAt(bodyBytes, at) === 0; at = itemAt(before, at) - 1) applied++;
  return applied;
}
