/** Caches parsed files and histories for `dev`. Only valid files and histories are cached. */

import { hash } from 'node:crypto';
import { type MemoryStore, memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { type SourceReader, sourceReader } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { type StampRules, stampDigest } from './history-stamp.ts';
import { type HistoryOptions, misnamedRevisions, type ReadHistory, readHistory } from './read-history.ts';
import { revisionFiles } from './registry-files.ts';

interface CachedSource {
  readonly sha256: string;
  readonly uid: string;
  readonly digest: string;
  /** The body as JSON text. */
  readonly text: string;
}

interface CachedHistory {
  /** A key that is derived from the files and the options of the history. */
  readonly key: string;
  readonly read: ReadHistory;
  readonly store: MemoryStore;
}

export interface SourceCache {
  /** Returns the history, and a new store that contains its bodies. */
  readonly history: (
    sources: ReadFolder,
    options: HistoryOptions & StampRules,
  ) => ReadHistory & { readonly store: BodyStore };
  /** Returns a reader that parses registry files and stores their bodies. `keep` caches the result. */
  readonly reader: (
    sources: ReadFolder,
    store: BodyStore,
    configuration: Configuration,
  ) => { readonly read: SourceReader; readonly keep: () => void };
}

export function sourceCache(): SourceCache {
  let keptHistory: CachedHistory | undefined;
  let kept: { readonly rules: string; readonly files: ReadonlyMap<string, CachedSource> } | undefined;
  return {
    history: (sources, options) => {
      const { folder } = sources;
      const files = stampDigest(sources, revisionFiles(folder).length, options);
      const key = JSON.stringify([files, options.isMerging, misnamedRevisions(folder)]);
      if (keptHistory?.key !== key) {
        const store = memoryStore();
        keptHistory = { key, store, read: readHistory(folder, store, options) };
      }
      const { read, store } = keptHistory;
      if (read.findings.length > 0) keptHistory = undefined;
      return { ...read, store: memoryStore(store) };
    },
    reader: (sources, store, { kinds }) => {
      const rules = JSON.stringify(kinds);
      const known = kept?.rules === rules ? kept.files : undefined;
      const files = new Map<string, CachedSource>();
      return {
        read: (file, kind) => {
          const held = known?.get(file);
          if (held && held.sha256 === sources.digestOf(file)) {
            files.set(file, held);
            return { body: { handle: store.put(held.text), digest: held.digest }, uid: held.uid };
          }
          const bytes = sources.folder.read(file);
          const once = { ...sources.folder, read: () => bytes };
          const source = sourceReader(once, store, packagedChecks)(file, kind);
          if (source.findings) return source;
          const { uid, body } = source;
          const text = store.get(body.handle);
          files.set(file, { sha256: hash('sha256', bytes, 'base64'), uid, digest: body.digest, text });
          return source;
        },
        keep: () => {
          kept = { rules, files };
        },
      };
    },
  };
}
