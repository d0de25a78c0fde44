/**
 * How much of what others made is read: whatever is larger is refused before memory is taken for it. In bytes, unless it
 * is said otherwise.
 */

/** A source: a file of a registry, or one in a git repository. The largest of real registries have some kilobytes. */
export const SOURCE_BYTES = 16_000_000;
/** The file of a revision: the first one holds all sources that there were. */
export const REVISION_BYTES = 256_000_000;
/** A document of an API, a lock, an index: read as a whole, JSON takes up to fifteen times as much memory. */
export const DOCUMENT_BYTES = 64_000_000;
/** What lists every file of a tree: a manifest over HTTP, the manifest of a bag, the head of a bundle. */
export const LISTING_BYTES = 256_000_000;
/** A file of some lines, such as bag-info.txt (RFC 8493). */
export const TAG_FILE_BYTES = 1_000_000;
/** How deep the arrays and objects of JSON may lie in each other. */
export const JSON_DEPTH = 200;
