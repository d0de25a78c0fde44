/** Compresses deterministically, unlike zlib. Each MiB of a file becomes a gzip member (RFC 1952, section 2.2). */

import { closeSync, readSync } from 'node:fs';
import { gzipSync } from 'fflate';
import { openPlainFile } from '../files/file-io.ts';
import { reading } from '../files/system-errors.ts';

/** Compared with level 6, level 3 takes 20 % less time, and its results are 10 % larger. */
const LEVEL = 3;
/** Selects a hash table of 2^18 entries, because the default of 2^20 entries is slower for a member of one MiB. */
const MEMORY = 6;

/** The header of a member has no name and no time. The system in the header is always Unix (OS 3). */
export function gzipMember(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: LEVEL, mem: MEMORY, mtime: 0 });
}

/**
 * The number of bytes to read from the start of an archive. These bytes contain the complete first tar header, even if
 * it is compressed.
 */
const START_LENGTH = 1 << 14;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

export function isCompressed(path: string): boolean {
  return isGzip(startOfFile(path));
}

export function isGzip(bytes: Buffer): boolean {
  return bytes.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
}

export function startOfFile(path: string): Buffer {
  return reading(path, () => {
    const { file } = openPlainFile(path);
    try {
      const bytes = Buffer.alloc(START_LENGTH);
      return bytes.subarray(0, readSync(file, bytes, 0, START_LENGTH, 0));
    } finally {
      closeSync(file);
    }
  });
}
