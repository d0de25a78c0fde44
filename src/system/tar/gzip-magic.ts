/** Whether a file is compressed with gzip (RFC 1952), by how it begins: it may have another name, and be damaged. */
import { closeSync, readSync } from 'node:fs';
import { openPlainFile } from '../files/plain-file.ts';
import { reading } from '../files/system-errors.ts';

/** Enough for the first header of a tar, compressed as well. */
const START_LENGTH = 1 << 14;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

export function isCompressed(path: string): boolean {
  return isGzip(startOfFile(path));
}

export function isGzip(bytes: Buffer): boolean {
  return bytes.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
}

/** The first bytes of a file; one that cannot be read ends the command with a finding. */
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
