/**
 * How much of what others made is read: whatever is larger is refused before memory is taken for it. In bytes, unless it
 * is said otherwise.
 */

export interface SourceLimits {
  /** A source: a file of a registry, or one in a git repository. The largest of real registries have some kilobytes. */
  readonly source_bytes: number;
  /** The file of a revision: the first one holds all sources that there were. */
  readonly revision_bytes: number;
}

export const SOURCE_LIMITS: SourceLimits = { source_bytes: 16_000_000, revision_bytes: 256_000_000 };
/** Higher they cannot be: strings of Node.js end at 2^29 characters. */
export const HIGHEST_SOURCE_LIMITS: SourceLimits = { source_bytes: 256_000_000, revision_bytes: 512_000_000 };
/** A file of settings, a table, a commit: what nobody has reason to raise. */
export const FILE_BYTES = 16_000_000;
/** A document of an API, a lock, an index: read as a whole, JSON takes up to fifteen times as much memory. */
export const DOCUMENT_BYTES = 64_000_000;
/** What lists every file of a tree: a manifest over HTTP, the manifest of a bag, the head of a bundle. */
export const LISTING_BYTES = 256_000_000;
/** A file of some lines, such as bag-info.txt (RFC 8493). */
export const TAG_FILE_BYTES = 1_000_000;
/** How deep the arrays and objects of JSON may lie in each other. */
export const JSON_DEPTH = 200;
