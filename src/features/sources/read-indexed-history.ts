/**
 * The history of a registry with its index: what the index knows of the revision files as they are now is taken from it,
 * the rest is read and replayed, and put into the index for the next command. Without an index, or where none can be
 * written, it is the same history.
 */

import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { withoutChanges } from '../../core/history/excerpt.ts';
import { type Graph, orderedGraph } from '../../core/history/graph.ts';
import { unlessNotInOrder } from '../../core/history/partial-history.ts';
import { revisionReplay } from '../../core/history/replay.ts';
import { type RevisionFile, readRevisionFile } from '../../core/history/revision-file.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import { decodeText } from '../../core/registry/yaml/read-yaml.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { type FreshFile, growIndex } from '../history-index/grow-index.ts';
import { type HistoryIndex, NO_INDEX, openIndex } from '../history-index/history-index.ts';
import { unlessUnusable } from '../history-index/index-damaged.ts';
import { type IndexKey, type IndexPlace, indexKey, indexPlace, makePlace } from '../history-index/index-place.ts';
import { indexedStore } from '../history-index/indexed-bodies.ts';
import { indexedHistory } from '../history-index/indexed-history.ts';
import { knownRevisions } from '../history-index/known-revisions.ts';
import { makerOf } from './index-maker.ts';
import { isLong, type LongRevisions, longRevisions } from './long-revisions.ts';
import {
  type HistoryOptions,
  isStrayRevision,
  lastNumberOf,
  type ReadHistory,
  type ReadRevisions,
  readHistory,
  readRevisions,
} from './read-history.ts';
import { revisionFiles } from './registry-files.ts';

export interface IndexedHistoryOptions extends HistoryOptions {
  readonly registry: string;
  readonly limits: SourceLimits;
  /** Whether every revision file is read and compared with the digest that the index has of it. */
  readonly isThorough: boolean;
  /** Whether a history of few revisions has an index as well, where one of them is long. */
  readonly indexesFew?: boolean;
}

export interface StoredHistory extends ReadHistory {
  readonly store: BodyStore;
  /** Another store of the same bodies, into which others can be put. */
  readonly storeOnTop: () => BodyStore;
  /** The index that it comes from, of all its revisions. */
  readonly index?: HistoryIndex;
}

/** Histories of fewer revisions are read as fast as an index of them, unless one of them is long. */
export const FEWEST_INDEXED = 100;

/** Of so many files that the index does not know, the changes are read one by one, when it is their turn. */
const MANY_FRESH = 64;

/** So many files have to be read again before the index is written anew for that alone. */
const MANY_DOUBTED = 32;

export function readIndexedHistory(sources: ReadFolder, options: IndexedHistoryOptions): StoredHistory {
  const { folder } = sources;
  const files = revisionFiles(folder);
  const isMuch =
    files.length >= FEWEST_INDEXED || (options.indexesFew === true && files.some((file) => isLong(folder, file)));
  const place = isMuch ? indexPlace(options.registry) : undefined;
  const indexed = place && unlessNotInOrder(() => throughIndex(place, files, sources, options));
  return indexed ?? replayedHistory(folder, options);
}

/** All of it read and replayed, which finds whatever is wrong. */
export function replayedHistory(folder: SourceFolder, options: HistoryOptions): StoredHistory {
  const store = memoryStore();
  return { ...readHistory(folder, store, options), store, storeOnTop: () => memoryStore(store) };
}

/** Undefined where something is wrong with the history, or where no index can be written. */
function throughIndex(
  place: IndexPlace,
  files: readonly string[],
  sources: ReadFolder,
  options: IndexedHistoryOptions,
): StoredHistory | undefined {
  const { kinds } = options;
  const maker = makerOf(options);
  const index = openedIndex(place, maker);
  const known = knownRevisions(index, { ...options, sources, files });
  const isSame = index !== undefined && known.byFile.size === files.length && known.doubted < MANY_DOUBTED;
  if (isSame && isWholeGraph(index, files, sources.folder, options)) {
    const graph = orderedGraph(index.revisions.map(({ header }) => header));
    return { ...indexedBy(index, graph, kinds), lastNumber: lastNumberOf(files), findings: [] };
  }
  const readFile = revisionReader();
  const long = longRevisions(sources.folder);
  const isMany = files.length - known.byFile.size > MANY_FRESH;
  const read = readRevisions(sources.folder, options, (file) => {
    const header = known.byFile.get(file)?.header ?? long.headerOf(file);
    return header ?? (isMany ? headerIn(sources.folder, file, readFile) : undefined);
  });
  const { graph, lastNumber, findings } = read;
  if (!graph) return undefined;
  const indexed = (whole: HistoryIndex) => ({ ...indexedBy(whole, graph, kinds), lastNumber, findings });
  const isKnown = known.byFile.size === graph.revisions.length;
  const isWhole = index !== undefined && isKnown && index.revisions.length === known.byFile.size;
  if (isWhole && known.doubted < MANY_DOUBTED) return indexed(index);

  const written = writtenIndex(place, maker, (key) =>
    growIndex({
      place,
      key,
      graph,
      old: index ?? NO_INDEX,
      kept: [...known.byFile.values()],
      markOf: known.markOf,
      read: (at) => freshFile({ sources, ...read, readFile, long }, itemAt(graph.revisions, at)),
      replayOn: (store) => revisionReplay(graph, store, read.place, kinds),
    }),
  );
  return written && indexed(written);
}

function indexedBy(index: HistoryIndex, graph: Graph, kinds: Kinds) {
  const storeOnTop = () => indexedStore(index, memoryStore());
  return { history: indexedHistory(index, graph, kinds), store: storeOnTop(), storeOnTop, index };
}

/** Whether an index that knows all of the files knows their order too, and there is nothing else to say of them. */
function isWholeGraph(
  { isGraph, revisions }: HistoryIndex,
  files: readonly string[],
  folder: SourceFolder,
  { heads }: HistoryOptions,
): boolean {
  const isAll = isGraph && heads === 1 && revisions.length === files.length;
  return isAll && !folder.files.some(isStrayRevision);
}

/** Reads one file; undefined where it is not in order. */
type ReadFile = (file: string, bytes: Uint8Array) => RevisionFile | undefined;

function revisionReader(): ReadFile {
  const check = packagedChecks()('revision');
  return (file, bytes) => {
    const read = readRevisionFile(file, bytes, check);
    return read.findings ? undefined : read.value;
  };
}

/** What a revision file says above its changes; undefined where that is not plain to see. */
function headerIn(folder: SourceFolder, file: string, readFile: ReadFile): RevisionHeader | undefined {
  const text = decodeText(file, folder.read(file));
  const head = text.findings ? undefined : withoutChanges(text.value);
  return head === undefined ? undefined : readFile(file, Buffer.from(head))?.header;
}

interface FreshFiles extends Pick<ReadRevisions, 'fileOf' | 'changesOf'> {
  readonly sources: ReadFolder;
  readonly readFile: ReadFile;
  readonly long: LongRevisions;
}

/** A revision whose header is known, with its changes. Undefined where its file is not in order, or another by now. */
function freshFile(
  { sources: { folder, digestOf }, fileOf, changesOf, readFile, long }: FreshFiles,
  header: RevisionHeader,
): FreshFile | undefined {
  const file = fileOf(header.id);
  if (isLong(folder, file)) return { changes: long.changesOf(file), file, digest: () => digestOf(file) };
  const sha256 = digestOf(file);
  const digest = () => sha256;
  const held = changesOf(header.id);
  if (held) return { changes: held, file, digest };
  const bytes = folder.read(file);
  if (hash('sha256', bytes, 'base64') !== sha256) return undefined;
  const revision = readFile(file, bytes);
  if (!revision || !isDeepStrictEqual(revision.header, header)) return undefined;
  return { changes: revision.changes, file, digest };
}

function openedIndex(place: IndexPlace, maker: string): HistoryIndex | undefined {
  return unlessUnusable(() => {
    const key = indexKey(place, maker);
    return key && openIndex(place, key);
  });
}

/** Undefined where nothing can be written. */
function writtenIndex(place: IndexPlace, maker: string, write: (key: IndexKey) => boolean): HistoryIndex | undefined {
  return unlessUnusable(() => {
    makePlace(place);
    const key = indexKey(place, maker);
    return key && write(key) ? openIndex(place, key) : undefined;
  });
}
