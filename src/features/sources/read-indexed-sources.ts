/**
 * Reading the working files of a registry with their index: what it knows of files as they are now is taken from it, and the
 * others are read. Without an index, or where none can be written, they say the same.
 */

import type { BodyStore } from '../../core/model/state.ts';
import { isRegistrySource, type SourceInOrder, type SourceReader } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { type MarkOptions, markedFiles } from '../history-index/file-marks.ts';
import { unlessUnusable } from '../history-index/index-damaged.ts';
import { indexKey, indexPlace, makePlace } from '../history-index/index-place.ts';
import { type KnownSource, openSourceIndex, writeSourceIndex } from '../source-index/source-index.ts';

export interface IndexedSourcesOptions extends MarkOptions {
  /** By which program, for which kinds and within which limits the index is made. */
  readonly maker: string;
  readonly store: BodyStore;
  /** Whether what is read is put into the index. */
  readonly keeps: boolean;
}

export interface IndexedSources {
  readonly read: SourceReader;
  /** Puts into the index what was read, once all is. */
  readonly keep: () => void;
}

/** Fewer files are read as fast as an index of them. */
const FEWEST_INDEXED = 100;

/** So many files have to be read again before the index is written anew. */
const MANY_READ = 32;

/** `read` reads what the index does not know. Files are to be read in code-unit order of their names. */
export function indexedSources(
  sources: ReadFolder,
  read: SourceReader,
  { maker, store, keeps, ...options }: IndexedSourcesOptions,
): IndexedSources {
  const files = sources.folder.files.filter(isRegistrySource);
  const place = files.length < FEWEST_INDEXED ? undefined : indexPlace(options.registry);
  if (!place) return { read, keep: () => {} };
  let index = unlessUnusable(() => {
    const key = indexKey(place, maker);
    return key && openSourceIndex(place, key);
  });
  let isDamaged = false;
  /** What is damaged is asked no more, and made anew. */
  const find = (file: string): KnownSource | undefined => {
    const asked = unlessUnusable(() => ({ found: index?.find(file) }));
    if (asked) return asked.found;
    isDamaged = true;
    index = undefined;
    return undefined;
  };
  const marked = markedFiles(sources, files, options);
  const known = new Map<string, KnownSource>();
  let fresh = 0;
  const note = (file: string, sha256: string, { uid, body }: SourceInOrder) => {
    const text = () => store.get(body.handle);
    if (keeps) known.set(file, { mark: marked.markOf(file, sha256), uid, digest: body.digest, text });
  };
  return {
    read: (file, kind) => {
      const held = find(file);
      if (held && marked.isSame(file, held.mark)) {
        const body = { handle: store.put(held.text()), digest: held.digest };
        const source = { body, uid: held.uid };
        note(file, held.mark.digest, source);
        return source;
      }
      const source = read(file, kind);
      fresh++;
      if (!source.findings) note(file, sources.digestOf(file), source);
      return source;
    },
    keep: () => {
      const isStale = isDamaged || fresh + marked.doubted() >= MANY_READ;
      if (!keeps || !isStale) return;
      unlessUnusable(() => {
        makePlace(place);
        const key = indexKey(place, maker);
        if (key) writeSourceIndex(place, key, known);
      });
    },
  };
}
