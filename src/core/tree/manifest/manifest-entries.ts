/**
 * The entries of a manifest, of which there can be millions: their numbers and digests lie in columns, outside of the
 * objects that a garbage collector looks after, and an entry is made when it is asked for.
 */
import type { CacheClass, Endpoint } from '../../api/endpoints.ts';
import { itemAt, mustGet } from '../../platform/certain.ts';
import { digestColumn, numberColumn } from '../../platform/packed-columns.ts';
import { fileOfUrl } from '../layout.ts';

interface Entry {
  readonly path: string;
  readonly file: string;
  readonly endpoint: Endpoint;
  readonly cache: CacheClass;
}

export interface DocumentEntry extends Entry {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly type: string;
  /** Epoch seconds. */
  readonly modified: number;
  /** The digests of its variants, in the order of `variantFilesOf`. */
  readonly variantDigests: readonly string[];
  readonly alias: undefined;
}

export interface AliasEntry extends Entry {
  readonly alias: string;
}

export type ManifestEntry = DocumentEntry | AliasEntry;

/** In the order of the manifest, in which aliases come after their documents. */
export interface ManifestEntries extends Iterable<ManifestEntry> {
  readonly size: number;
  readonly has: (path: string) => boolean;
  readonly get: (path: string) => ManifestEntry | undefined;
  /** Of the path of a document itself, of that of an alias its document; undefined of any other. */
  readonly targetOf: (path: string) => string | undefined;
  readonly paths: () => Iterable<string>;
}

export interface EntryTable extends ManifestEntries {
  /** Adds an entry whose path is not there yet; an alias after its document. */
  readonly add: (entry: ManifestEntry) => void;
}

const CACHE_CLASSES: readonly CacheClass[] = ['mutable', 'immutable'];
/** The row of a document in the column of targets. */
const NONE = 0xffff_ffff;

export function entryTable(): EntryTable {
  const rows = new Map<string, number>();
  const paths: string[] = [];
  const endpoints: Endpoint[] = [];
  const types: string[] = [];
  const knownTypes = new Map<string, string>();
  const caches = numberColumn(Uint8Array);
  const sizes = numberColumn(Float64Array);
  const times = numberColumn(Float64Array);
  const targets = numberColumn(Uint32Array);
  const digests = digestColumn();
  /** Where the digests of each entry begin: those of aliases end there too. */
  const firstDigests = numberColumn(Uint32Array);

  const entryAt = (row: number): ManifestEntry => {
    const [path, endpoint] = [itemAt(paths, row), itemAt(endpoints, row)];
    const file = fileOfUrl(path);
    const cache = itemAt(CACHE_CLASSES, caches.at(row));
    const alias = paths[targets.at(row)];
    if (alias !== undefined) return { path, file, endpoint, cache, alias };
    const [size, modified, type] = [sizes.at(row), times.at(row), itemAt(types, row)];
    const first = firstDigests.at(row);
    const sha256 = digests.at(first);
    const variantDigests: string[] = [];
    const end = row + 1 < paths.length ? firstDigests.at(row + 1) : digests.count();
    for (let at = first + 1; at < end; at++) variantDigests.push(digests.at(at));
    return { path, file, endpoint, cache, sha256, size, type, modified, variantDigests, alias: undefined };
  };
  return {
    add: (entry) => {
      const row = paths.push(entry.path) - 1;
      rows.set(entry.path, row);
      endpoints.push(entry.endpoint);
      caches.add(CACHE_CLASSES.indexOf(entry.cache));
      firstDigests.add(digests.count());
      const isAlias = entry.alias !== undefined;
      targets.add(isAlias ? mustGet(rows, entry.alias) : NONE);
      sizes.add(isAlias ? 0 : entry.size);
      times.add(isAlias ? 0 : entry.modified);
      types.push(isAlias ? '' : interned(knownTypes, entry.type));
      if (!isAlias) for (const digest of [entry.sha256, ...entry.variantDigests]) digests.add(digest);
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
      return row === undefined ? undefined : (paths[targets.at(row)] ?? paths[row]);
    },
    paths: () => rows.keys(),
    *[Symbol.iterator]() {
      for (let row = 0; row < paths.length; row++) yield entryAt(row);
    },
  };
}

function interned(known: Map<string, string>, text: string): string {
  const found = known.get(text);
  if (found === undefined) known.set(text, text);
  return found ?? text;
}
