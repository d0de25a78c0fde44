/**
 * What a process keeps of sources that it reads again and again. All files are read each time, and what is known of those
 * with the same digests is taken over: so the same is found as if nothing were kept, and only what changed is parsed,
 * checked and replayed. Files with which something is wrong, and a broken history, are not kept.
 */
import { hash } from 'node:crypto';
import { sha256 } from '../../core/model/digest.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { sourceReader } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { makerOf } from './index-maker.ts';
import { isStrayRevision } from './read-history.ts';
import { type IndexedHistoryOptions, readIndexedHistory, type StoredHistory } from './read-indexed-history.ts';
import type { IndexedSources } from './read-indexed-sources.ts';
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
  readonly read: StoredHistory;
}

type KeptOptions = Omit<IndexedHistoryOptions, 'isThorough'>;

export interface KeptSources {
  /** The history, and a store of its bodies into which more can be put: the next reading has another. */
  readonly history: (sources: ReadFolder, options: KeptOptions) => StoredHistory;
  /** Reads working files into a store. */
  readonly reader: (sources: ReadFolder, store: BodyStore, maker: string) => IndexedSources;
  /** Has the history read anew the next time. */
  readonly forgetHistory: () => void;
}

export function keptSources(): KeptSources {
  let keptHistory: KeptHistory | undefined;
  let kept: { readonly maker: string; readonly files: ReadonlyMap<string, KeptSource> } | undefined;
  return {
    history: (sources, options) => {
      const key = historyKey(sources, options);
      if (keptHistory?.key !== key) {
        keptHistory = { key, read: readIndexedHistory(sources, { ...options, isThorough: true }) };
      }
      const { read } = keptHistory;
      if (read.findings.length > 0) keptHistory = undefined;
      return { ...read, store: read.storeOnTop() };
    },
    forgetHistory: () => {
      keptHistory = undefined;
    },
    reader: (sources, store, maker) => {
      const known = kept?.maker === maker ? kept.files : undefined;
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
          kept = { maker, files };
        },
      };
    },
  };
}

/** What decides what is read from the revision files: themselves, all that lies about among them, and the rules. */
function historyKey({ folder, digestOf }: ReadFolder, options: KeptOptions): string {
  const digests = revisionFiles(folder).map((file) => [file, digestOf(file)]);
  const strays = folder.files.filter(isStrayRevision);
  return sha256(JSON.stringify([makerOf(options), options.heads, digests, strays]));
}
