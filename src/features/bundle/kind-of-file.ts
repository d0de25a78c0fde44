/** Detects the type of a file from its contents, so it also recognizes renamed and damaged files. */

import { constants, gunzipSync } from 'node:zlib';
import { ARCHIVE_PREFIX } from '../../core/tree/names.ts';
import { isGzip, startOfFile } from '../../system/tar/gzip.ts';
import { BLOCK } from '../../system/tar/tar-header.ts';
import { BUNDLE_FILE } from './bundle-head.ts';

/**
 * `tar` means any other tar file. An archive or bundle also counts as `tar` if the name of its first entry is damaged.
 */
export type FileKind = 'archive' | 'bundle' | 'tar' | 'other';

const TAR_MAGIC = 'ustar';
/** The offset of the magic number in a tar header (POSIX.1-1988). */
const TAR_MAGIC_AT = 257;

/** Limits the decompressed bytes, because gzip can expand data by a factor of about 1000. */
const MOST_EXPANDED_BYTES = 1 << 25;

export function kindOfFile(path: string): FileKind {
  const start = startOfFile(path);
  const header = (isGzip(start) ? expanded(start) : start).toString('latin1', 0, BLOCK);
  if (header.startsWith(BUNDLE_FILE)) return 'bundle';
  if (header.startsWith(ARCHIVE_PREFIX)) return 'archive';
  return header.startsWith(TAR_MAGIC, TAR_MAGIC_AT) ? 'tar' : 'other';
}

/** Returns the decompressed start of a file, or an empty buffer if the data is damaged. */
function expanded(start: Buffer): Buffer {
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_EXPANDED_BYTES });
  } catch {
    return Buffer.alloc(0);
  }
}
