/** What a file is that was made to be kept or carried, by how it begins: it may have another name, and be damaged. */

import { constants, gunzipSync } from 'node:zlib';
import { ARCHIVE_PREFIX } from '../../core/tree/archive-name.ts';
import { isGzip, startOfFile } from '../../system/tar/gzip-magic.ts';
import { BLOCK } from '../../system/tar/tar-header.ts';
import { BUNDLE_FILE } from './bundle-head.ts';

/** A `tar` is one of which nothing more can be told: another program's, or one whose first name is damaged. */
export type FileKind = 'archive' | 'bundle' | 'tar' | 'other';

const TAR_MAGIC = 'ustar';
/** Where a header has it: POSIX.1-1988. */
const TAR_MAGIC_AT = 257;

/** More than what a stored start may expand to by a thousand, which is as far as gzip goes. */
const MOST_EXPANDED = 1 << 25;

/** A file that cannot be read ends the command with a finding. */
export function kindOfFile(path: string): FileKind {
  const start = startOfFile(path);
  const header = (isGzip(start) ? expanded(start) : start).toString('latin1', 0, BLOCK);
  if (header.startsWith(BUNDLE_FILE)) return 'bundle';
  if (header.startsWith(ARCHIVE_PREFIX)) return 'archive';
  return header.startsWith(TAR_MAGIC, TAR_MAGIC_AT) ? 'tar' : 'other';
}

/** As much as there is before it is cut off; nothing where it is damaged. */
function expanded(start: Buffer): Buffer {
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_EXPANDED });
  } catch {
    return Buffer.alloc(0);
  }
}
