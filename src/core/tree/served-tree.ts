/** A tree as a server sees it: what answers each URL, from the manifest. */
import type { CacheClass } from '../api/endpoints.ts';
import { MANIFEST_URL } from './layout.ts';
import type { Manifest } from './manifest.ts';

export interface ServedDocument {
  readonly file: string;
  readonly type: string;
  readonly cache: CacheClass;
  /** Epoch seconds. */
  readonly modified: number;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** The URL of the document that this one is an alias of. */
  readonly target: string | undefined;
}

export interface ServedTree {
  readonly revision: string;
  readonly dialect: Manifest['dialect'];
  /** By URL path without suffix. */
  readonly documents: ReadonlyMap<string, ServedDocument>;
  /** The files that are answered for what is gone, and other files that are no documents. */
  readonly files: ReadonlySet<string>;
}

/** `manifest` is what answers for the manifest itself. */
export function openTree(
  { revision, dialect, documents, files }: Manifest,
  manifest: ServedDocument,
): ServedTree {
  const served = new Map<string, ServedDocument>([[MANIFEST_URL, manifest]]);
  for (const entry of documents) {
    if ('alias_of' in entry) {
      const target = served.get(entry.alias_of);
      if (target)
        served.set(entry.path, { ...target, file: entry.file, cache: entry.cache, target: entry.alias_of });
    } else served.set(entry.path, { ...entry, target: undefined });
  }
  return { revision, dialect, documents: served, files: new Set(files.map(({ file }) => file)) };
}
