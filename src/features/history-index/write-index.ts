/**
 * Writing an index: the rows that another one has of revisions that stay, and behind them those of others. Its records
 * go into a file first, and the index takes its name last, in one step. Nothing waits for the disk: what a power cut leaves
 * is found damaged.
 */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { RecordedChange } from '../../core/history/replay.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { type BodyStore, type RegistryState, resourceAt } from '../../core/model/state.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { freshFile } from '../../system/files/replace-file.ts';
import { COLUMN_NAMES, type Columns, DIGEST_BYTES, emptyColumns, ROW_ACTIONS } from './columns.ts';
import type { FileMark } from './file-marks.ts';
import { type HistoryIndex, type KnownRevision, revisionAsJson } from './history-index.ts';
import { indexFileParts, writeIndexFile } from './index-file.ts';
import type { IndexKey, IndexPlace } from './index-place.ts';
import { rowOfHandle } from './indexed-bodies.ts';
import type { RecordFile } from './records.ts';

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

export interface IndexContents {
  /** Of an older index, the revisions that stay: of each, its parents too, and before it. */
  readonly kept: readonly KnownRevision[];
  readonly old: HistoryIndex | undefined;
  /** Those that come, parents before their children. */
  readonly fresh: readonly ReplayedRevision[];
  readonly store: BodyStore;
}

/** How many changes in a row are applied to a body that is kept whole before one is kept whole again. */
const MOST_APPLIED = 16;

export function writeIndex(place: IndexPlace, key: IndexKey, contents: IndexContents): void {
  const { kept, fresh } = contents;
  const rows = newRows(contents);
  for (const revision of kept) rows.keep(revision);
  for (const revision of fresh) rows.add(revision);
  const records = writeRecords(place, contents.old?.records.files ?? [], rows.records());
  const revisions = [
    ...kept,
    ...fresh.map(({ changes, ...revision }) => ({ ...revision, rows: changes.length })),
  ].map(revisionAsJson);
  const head = {
    ...{ anchor: key.anchor, maker: key.maker, rows: rows.count },
    records: records.map(({ name, bytes }) => [name, bytes]),
  };
  const parts = indexFileParts(head, [
    { name: 'revisions', bytes: Buffer.from(JSON.stringify(revisions)) },
    { name: 'texts', bytes: Buffer.from(JSON.stringify(rows.texts())) },
    ...COLUMN_NAMES.map((name) => {
      const { buffer, byteOffset, byteLength } = rows.columns[name];
      return { name, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
    }),
    { name: 'digests', bytes: rows.digests },
  ]);
  writeIndexFile(place.file, parts);
  clearRecords(place, records);
}

/** The rows that are written, as they grow. */
function newRows({ kept, old, fresh, store }: IndexContents) {
  const count =
    kept.reduce((sum, { rows }) => sum + rows, 0) +
    fresh.reduce((sum, { changes }) => sum + changes.length, 0);
  const columns = emptyColumns(count);
  const digests = Buffer.alloc(count * DIGEST_BYTES);
  const texts = new Map((old?.texts() ?? []).map((text, number) => [text, number]));
  const numberOf = (text: string): number => {
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    return number;
  };
  const moved = new Uint32Array(old?.rows ?? 0);
  const freshRows = new Map<number, number>();
  const rowOf = (handle: number): number =>
    handle < 2 * moved.length ? itemAt(moved, rowOfHandle(handle)) : mustGet(freshRows, handle);
  const records: Buffer[] = [];
  let recordsEnd = old?.records.bytes ?? 0;
  let next = 0;

  const add = (
    { path, action, classes, fields, successor }: RecordedChange,
    { before, after }: ReplayedRevision,
  ) => {
    const row = next++;
    const held = resourceAt(before, path)?.body;
    const body = resourceAt(after, path)?.body;
    columns.path[row] = numberOf(path);
    columns.action[row] = ROW_ACTIONS.indexOf(action);
    columns.classes[row] = classes;
    columns.successor[row] = successor === undefined ? 0 : numberOf(successor) + 1;
    if (held) columns.before[row] = rowOf(held.handle) + 1;
    const hasBody = body !== undefined && action !== 'touched' && action !== 'removed';
    if (hasBody) {
      freshRows.set(body.handle, row);
      digests.write(body.digest, row * DIGEST_BYTES, 'hex');
      const { node_name: name } = storedObject(store, body.handle);
      if (typeof name === 'string') columns.name[row] = numberOf(name) + 1;
    }
    const fieldsText = Buffer.from(fields === undefined ? '' : store.get(fields));
    const isWhole = hasBody && (!held || changesApplied(columns, row) >= MOST_APPLIED);
    const bodyText = Buffer.from(isWhole ? store.get(body.handle) : '');
    if (fieldsText.length + bodyText.length === 0) return;
    const record = Buffer.concat([fieldsText, bodyText]);
    columns.at[row] = recordsEnd;
    columns.fieldBytes[row] = fieldsText.length;
    columns.bodyBytes[row] = bodyText.length;
    columns.check[row] = crc32(record);
    recordsEnd += record.length;
    records.push(record);
  };
  return {
    ...{ count, columns, digests },
    texts: () => [...texts.keys()],
    records: () => records,
    keep: ({ first, rows }: KnownRevision) => {
      for (let from = first; old && from < first + rows; from++) {
        const row = next++;
        moved[from] = row;
        for (const name of COLUMN_NAMES) columns[name][row] = itemAt(old.columns()[name], from);
        const before = itemAt(old.columns().before, from);
        columns.before[row] = before === 0 ? 0 : itemAt(moved, before - 1) + 1;
        old.digests().copy(digests, row * DIGEST_BYTES, from * DIGEST_BYTES, (from + 1) * DIGEST_BYTES);
      }
    },
    add: (revision: ReplayedRevision) => {
      for (const change of revision.changes) add(change, revision);
    },
  };
}

/** How many changes, a row's own included, lie between its body and the last one that is kept whole. */
function changesApplied({ before, bodyBytes }: Columns, row: number): number {
  let applied = 0;
  for (let at = row; itemAt(bodyBytes, at) === 0; at = itemAt(before, at) - 1) applied++;
  return applied;
}

/** Small files are written anew with what comes, so that there are few. */
const SMALL_BYTES = 1 << 20;

function writeRecords(
  place: IndexPlace,
  files: readonly RecordFile[],
  fresh: readonly Buffer[],
): readonly RecordFile[] {
  if (fresh.length === 0) return files;
  const last = files.at(-1);
  const isSmall = last !== undefined && last.bytes < SMALL_BYTES;
  const beginning = isSmall
    ? readFileSync(join(place.folder, last.name)).subarray(0, last.bytes)
    : Buffer.alloc(0);
  const from = freshFile(join(place.folder, `${place.records}fresh`));
  const digest = createHash('sha256');
  let bytes = 0;
  const file = openSync(from, 'w');
  try {
    for (const part of inLargeParts([beginning, ...fresh])) {
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
      digest.update(part);
      bytes += part.length;
    }
  } finally {
    closeSync(file);
  }
  const name = `${place.records}${digest.digest('hex').slice(0, 16)}`;
  renameSync(from, join(place.folder, name));
  return [...(isSmall ? files.slice(0, -1) : files), { name, bytes }];
}

function* inLargeParts(parts: readonly Buffer[]): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for (const part of parts) {
    waiting.push(part);
    bytes += part.length;
    if (bytes < SMALL_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  yield Buffer.concat(waiting);
}

function clearRecords({ folder, records }: IndexPlace, files: readonly RecordFile[]): void {
  const used = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(folder))
    if (name.startsWith(records) && !used.has(name)) rmSync(join(folder, name), { force: true });
}
