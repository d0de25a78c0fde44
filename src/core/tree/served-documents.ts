import type { CacheClass } from '../api/endpoints.ts';
import type { ManifestEntries } from './manifest/manifest-entries.ts';
import type { Manifest } from './manifest/read-manifest.ts';

export interface ServedDocument {
  readonly file: string;
  readonly type: string;
  readonly cache: CacheClass;
  readonly cacheControl: string;
  /** Epoch seconds. */
  readonly modified: number;
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  /** The URL of the document to which an alias refers. Undefined if the entry is a document. */
  readonly target: string | undefined;
}

/** The keys are URL paths without suffix. */
export interface DocumentsByPath extends Pick<ReadonlyMap<string, ServedDocument>, 'size' | 'has' | 'get'> {
  readonly keys: () => Iterable<string>;
}

type Answer = Omit<ServedDocument, 'cacheControl'>;

/** Combines the documents in a manifest with documents that it does not list, such as the manifest itself. */
export function servedDocuments({ entries, summary }: Manifest, others: ReadonlyMap<string, Answer>): DocumentsByPath {
  return {
    size: entries.size + others.size,
    has: (path) => entries.has(path) || others.has(path),
    get: (path) => {
      const answer = others.get(path) ?? answerOf(entries, path);
      return answer && { ...answer, cacheControl: summary.cache_control[answer.cache] };
    },
    *keys() {
      yield* entries.paths();
      yield* others.keys();
    },
  };
}

function answerOf(entries: ManifestEntries, path: string): Answer | undefined {
  const entry = entries.get(path);
  const document = entry?.alias === undefined ? entry : entries.get(entry.alias);
  if (!entry || document?.alias !== undefined || !document) return undefined;
  const { type, modified, sha256, size } = document;
  return { file: entry.file, type, cache: entry.cache, modified, sha256, size, target: entry.alias };
}
