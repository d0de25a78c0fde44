/** Stores the entries of a manifest in columns, which saves memory. Creates an entry object on each access. */
import type { CacheClass, Endpoint } from '../../api/endpoints.ts';
import { getOrCreate, getOrThrow, itemAt } from '../../platform/lookups.ts';
import { fileOfUrl } from '../layout.ts';

interface Entry {
  readonly path: string;
  readonly file: string;
  readonly endpoint: Endpoint;
  readonly cache: CacheClass;
}

export interface DocumentEntry extends Entry {
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  readonly type: string;
  /** Epoch seconds. */
  readonly modified: number;
  /** The digests of the variants, in the order of `variantFilesOf`. */
  readonly variantDigests: readonly string[];
  readonly alias: undefined;
}

export interface AliasEntry extends Entry {
  readonly alias: string;
}

export type ManifestEntry = DocumentEntry | AliasEntry;

/** Entries have the order of the manifest. An alias follows its document. */
export interface ManifestEntries extends Iterable<ManifestEntry> {
  readonly size: number;
  readonly has: (path: string) => boolean;
  readonly get: (path: string) => ManifestEntry | undefined;
  /** Returns the path of the document, also if the argument is the path of an alias. */
  readonly targetOf: (path: string) => string | undefined;
  readonly paths: () => Iterable<string>;
}

export interface EntryTable extends ManifestEntries {
  /** Appends an entry with a new path. Callers must add a document before its aliases. */
  readonly add: (entry: ManifestEntry) => void;
}

const NO_TARGET = -1;

export function entryTable(): EntryTable {
  const rows = new Map<string, number>();
  const paths: string[] = [];
  const endpoints: Endpoint[] = [];
  const types: string[] = [];
  /** Entries with the same type share one string object, to save memory. */
  const knownTypes = new Map<string, string>();
  const caches: CacheClass[] = [];
  const sizes: number[] = [];
  const times: number[] = [];
  const targets: number[] = [];
  const digests: string[] = [];
  /** The index of an entry's first digest in `digests`. An alias has no digests. */
  const firstDigests: number[] = [];

  const entryAt = (row: number): ManifestEntry => {
    const [path, endpoint] = [itemAt(paths, row), itemAt(endpoints, row)];
    const file = fileOfUrl(path);
    const cache = itemAt(caches, row);
    const alias = paths[itemAt(targets, row)];
    if (alias !== undefined) return { path, file, endpoint, cache, alias };
    const [size, modified, type] = [itemAt(sizes, row), itemAt(times, row), itemAt(types, row)];
    const first = itemAt(firstDigests, row);
    const sha256 = itemAt(digests, first);
    const variantDigests = digests.slice(first + 1, firstDigests[row + 1]);
    return { path, file, endpoint, cache, sha256, size, type, modified, variantDigests, alias: undefined };
  };
  return {
    add: (entry) => {
      const row = paths.push(entry.path) - 1;
      rows.set(entry.path, row);
      endpoints.push(entry.endpoint);
      caches.push(entry.cache);
      firstDigests.push(digests.length);
      const isAlias = entry.alias !== undefined;
      targets.push(isAlias ? getOrThrow(rows, entry.alias) : NO_TARGET);
      sizes.push(isAlias ? 0 : entry.size);
      times.push(isAlias ? 0 : entry.modified);
      types.push(isAlias ? '' : getOrCreate(knownTypes, entry.type, () => entry.type));
      if (!isAlias) for (const digest of [entry.sha256, ...entry.variantDigests]) digests.push(digest);
    },
    get size() {
      return paths.length;
    },
    has: (path) => rows.has(path),
    get: (path) => {
      const row = rows.get(path);
      return row === undefined ? undefined : entryAt(row);
    },
    targetOf: (path) => {
      const row = rows.get(path);
      return row === undefined ? undefined : (paths[itemAt(targets, row)] ?? paths[row]);
    },
    paths: () => rows.keys(),
    *[Symbol.iterator]() {
      for (let row = 0; row < paths.length; row++) yield entryAt(row);
    },
  };
}
