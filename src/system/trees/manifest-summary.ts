/** Reads a manifest without its list of documents. */
import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import { MANIFEST_CHUNK_BYTES, type ManifestSource, readFrame } from '../../core/tree/manifest/manifest-frame.ts';
import { fillFrom, withFile } from '../files/file-io.ts';
import { undefinedOnSystemError } from '../files/system-errors.ts';
import { packagedChecks } from './packaged-checks.ts';

/** Returns undefined if the folder has no readable manifest of this format. */
export function readManifestSummary(folder: string): ManifestSummary | undefined {
  const path = join(folder, MANIFEST_FILE);
  return undefinedOnSystemError(() => withFile(path, (file) => readFrame(fileSource(file), packagedChecks))?.summary);
}

/** Reads a manifest from an open file. Each call of `read` can overwrite the bytes that the previous call returned. */
export function fileSource(file: number): ManifestSource {
  const { size } = fstatSync(file);
  const chunk = Buffer.allocUnsafe(Math.min(size, MANIFEST_CHUNK_BYTES));
  return {
    size,
    read: (from, length) => {
      const buffer =
        length > chunk.length ? Buffer.allocUnsafe(Math.min(length, size)) : chunk.subarray(0, Math.max(0, length));
      return buffer.subarray(0, fillFrom(file, buffer, from));
    },
  };
}
