/**
 * What a process keeps of sources that it reads again and again. All files are read each time, and what is known of those
 * with the same digests is taken over: so the same is found as if nothing were kept, and only what changed is parsed,
 * checked and replayed. Files with which something is wrong, and a broken history, are not kept.
 */
import { hash } from 'node:crypto';
import { type MemoryStore, memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { type SourceReader, sourceReader } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { type StampRules, stampDigest } from './history-stamp.ts';
import { type HistoryOptions, type ReadHistory, readHistory, strayRevisions } from './read-history.ts';
import { revisionFiles } from './registry-files.ts';

/** What a file said that was in order. */
interface KeptSource {
  /** Of the file's bytes. */
  readonly sha256: string;
  readonly uid: string;
  /** The digest of its body. */
  readonly digest: string;
  /** Its body. */
  readonly text: string;
}

interface KeptHistory {
  /** What it was read from. */
  readonly key: string;
  readonly read: ReadHistory;
  readonly store: MemoryStore;
}

export interface KeptSources {
  /** The history, and a store of its bodies into which more can be put: the next reading has another. */
  readonly history: (
    sources: ReadFolder,
    options: HistoryOptions & StampRules,
  ) => ReadHistory & { readonly store: BodyStore };
  /** Reads working files into a store; `keep` keeps what was read. */
  readonly reader: (
    sources: ReadFolder,
    store: BodyStore,
    configuration: Configuration,
  ) => { readonly read: SourceReader; readonly keep: () => void };
}

export function keptSources(): KeptSources {
  let keptHistory: KeptHistory | undefined;
  let kept: { readonly rules: string; readonly files: ReadonlyMap<string, KeptSource> } | undefined;
  return {
    history: (sources, options) => {
      const { folder } = sources;
      const files = stampDigest(sources, revisionFiles(folder).length, options);
      const key = JSON.stringify([files, options.heads, strayRevisions(folder)]);
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
      const files = new Map<string, KeptSource>();
      return {
        read: (file, kind) => {
          const held = known?.get(file);
          if (held && held.sha256 === sources.digestOf(file)) {
            files.set(file, held);
            return { body: { handle: store.put(held.text), digest: held.digest }, uid: held.uid };
          }
          const bytes = sources.folder.read(file);
          const once = { ...sources.folder, read: () => bytes };
          const source = sourceReader(once, store, packagedChecks())(file, kind);
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
