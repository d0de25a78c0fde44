/** Maximum sizes of input, in bytes unless stated otherwise. Larger input is rejected before memory is allocated. */

export interface SourceLimits {
  /** The limit for a registry file, or for a file in an imported git repository. */
  readonly source_bytes: number;
  /** The limit for a revision file. It is high, because the first revision file contains all registry files. */
  readonly revision_bytes: number;
}

export const SOURCE_LIMITS: SourceLimits = { source_bytes: 16_000_000, revision_bytes: 256_000_000 };
/** Operators can raise the limits up to these values, because a Node.js string has at most 2^29 characters. */
export const HIGHEST_SOURCE_LIMITS: SourceLimits = { source_bytes: 256_000_000, revision_bytes: 512_000_000 };
/** The limit for a lock file, for a file that a person writes, and for the root document of an API. */
export const FILE_BYTES = 16_000_000;
/** The limit for a document of an API. Parsed JSON needs up to fifteen times as much memory as its text. */
export const DOCUMENT_BYTES = 64_000_000;
/** The limit for a list of all files: an HTTP manifest, a bag manifest, or a bundle's head. */
export const LISTING_BYTES = 256_000_000;
/** The limit for a file with a few lines, such as bag-info.txt (RFC 8493). */
export const TAG_FILE_BYTES = 1_000_000;
export const JSON_DEPTH = 200;
/** The maximum number of parts in a field name that a command writes. `main_memory.ram_size` has two parts. */
export const FIELD_PARTS = 50;
/** The maximum number of objects, arrays and fields in a JSON text. Each takes up to 160 bytes of memory. */
export const JSON_PARTS = 4_000_000;
