/**
 * The history of a registry with its index: what the index knows of the revision files as they are now is taken from it,
 * the rest is read and replayed, and put into the index for the next command. Without an index, or where none can be
 * written, it is the same history.
 */

import { type History, revisionReplay } from '../../core/history/replay.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import { sha256 } from '../../core/model/digest.ts';
import { classRulesDigest } from '../../core/model/fields/class-rules-digest.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { certain, itemAt } from '../../core/platform/certain.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { VERSION } from '../../system/files/package-version.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { growHistory } from '../history-index/grown-history.ts';
import { type HistoryIndex, NO_INDEX, openIndex } from '../history-index/history-index.ts';
import { unlessUnusable } from '../history-index/index-damaged.ts';
import {
  type IndexKey,
  type IndexPlace,
  indexKey,
  indexPlace,
  makePlace,
} from '../history-index/index-place.ts';
import { indexedStore } from '../history-index/indexed-bodies.ts';
import { indexedHistory } from '../history-index/indexed-history.ts';
import { knownRevisions } from '../history-index/known-revisions.ts';
import { type ReplayedRevision, writeIndex } from '../history-index/write-index.ts';
import {
  emptyHistory,
  type HistoryOptions,
  type ReadHistory,
  readRevisions,
  revisionFiles,
} from './read-history.ts';

export interface IndexedHistoryOptions extends HistoryOptions {
  readonly registry: string;
  readonly limits: SourceLimits;
  /** Whether every revision file is read and compared with the digest that the index has of it. */
  readonly isThorough: boolean;
}

export interface StoredHistory extends ReadHistory {
  readonly store: BodyStore;
}

/** Histories of fewer revisions are read as fast as an index of them. */
const FEWEST_INDEXED = 100;

/** So many files have to be read again before the index is written anew for that alone. */
const MANY_DOUBTED = 32;

export function readIndexedHistory(sources: ReadFolder, options: IndexedHistoryOptions): StoredHistory {
  const { folder } = sources;
  const { registry, kinds } = options;
  const maker = makerOf(options);
  const files = revisionFiles(folder);
  const place = files.length < FEWEST_INDEXED ? undefined : indexPlace(registry);
  const index = place && openedIndex(place, maker);
  const known = knownRevisions(index, { ...options, sources, files });
  const store = indexedStore(index ?? NO_INDEX, memoryStore());
  const read = readRevisions(folder, options, (file) => known.byFile.get(file)?.header);
  const { graph, lastNumber, findings } = read;
  if (!graph) return { history: emptyHistory(kinds), lastNumber, findings, store };
  const isKnown = known.byFile.size === graph.revisions.length;
  const isWhole = index !== undefined && isKnown && index.revisions.length === known.byFile.size;
  if (isWhole && known.doubted < MANY_DOUBTED)
    return { history: indexedHistory(index, graph, kinds), lastNumber, findings, store };

  const byId = new Map([...known.byFile.values()].map((revision) => [revision.header.id, revision]));
  const replayRevision = revisionReplay(graph, store, read.place, kinds);
  const grown = growHistory(graph, kinds, index ?? NO_INDEX, byId, (at, before) =>
    replayRevision(at, certain(read.changesOf(itemAt(graph.revisions, at).id)), before),
  );
  const all = { lastNumber, findings: grown.findings };
  if (!place || grown.findings.length > 0) return { ...all, history: grown.history, store };
  const fresh = [...grown.replayed].map(
    ([at, { before, state: after, recorded: changes }]): ReplayedRevision => {
      const header = itemAt(graph.revisions, at);
      const file = read.fileOf(header.id);
      return { header, file, mark: known.markOf(file), changes, before, after };
    },
  );
  const written = writtenIndex(place, maker, (key) =>
    writeIndex(place, key, { kept: known.kept(), old: index, fresh, store }),
  );
  if (!written) return { ...all, history: grown.history, store };
  const history: History = indexedHistory(written, graph, kinds);
  return { ...all, history, store: indexedStore(written, memoryStore()) };
}

/** By which program, for which kinds, an index is made, and within which limits. */
export function makerOf({ kinds, limits }: Pick<IndexedHistoryOptions, 'kinds' | 'limits'>): string {
  const rules = kinds.all.map((kind) => [kind.name, kind.collection ?? '', classRulesDigest(kind)]);
  return sha256(JSON.stringify([VERSION, rules, limits]));
}

function openedIndex(place: IndexPlace, maker: string): HistoryIndex | undefined {
  return unlessUnusable(() => {
    const key = indexKey(place, maker);
    return key && openIndex(place, key);
  });
}

/** Undefined where nothing can be written. */
function writtenIndex(
  place: IndexPlace,
  maker: string,
  write: (key: IndexKey) => void,
): HistoryIndex | undefined {
  return unlessUnusable(() => {
    makePlace(place);
    const key = indexKey(place, maker);
    if (!key) return undefined;
    write(key);
    return openIndex(place, key);
  });
}
