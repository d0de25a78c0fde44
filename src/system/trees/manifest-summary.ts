/** What the manifest of a folder says before and after its documents, and its bytes, for those who want more of them. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import {
  MANIFEST_CHUNK_BYTES,
  type ManifestFrame,
  type ManifestSource,
  readFrame,
} from '../../core/tree/manifest/manifest-frame.ts';
import { unlessRefused } from '../files/system-errors.ts';
import { packagedChecks } from './packaged-checks.ts';

const CHECKS = packagedChecks();

export function readManifestSummary(folder: string): ManifestSummary | undefined {
  return unlessRefused(() => frameInFile(join(folder, MANIFEST_FILE))?.summary);
}

/** What stands before and after the documents; undefined when it is no manifest of this format. System errors are thrown on. */
export function frameInFile(path: string): ManifestFrame | undefined {
  return withFile(path, (file) => readFrame(fileSource(file), CHECKS));
}

export function withFile<T>(path: string, work: (file: number) => T, flags: 'r' | 'r+' = 'r'): T {
  const file = openSync(path, flags);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** The bytes of an open file, as long as it is open. */
export function fileSource(file: number): ManifestSource {
  const { size } = fstatSync(file);
  const chunk = Buffer.allocUnsafe(Math.min(size, MANIFEST_CHUNK_BYTES));
  return {
    size,
    read: (from, length) => {
      const buffer = length > chunk.length ? Buffer.allocUnsafe(Math.min(length, size)) : chunk;
      let read = 0;
      for (let got = -1; got !== 0 && read < Math.min(length, buffer.length); read += got)
        got = readSync(file, buffer, read, Math.min(length, buffer.length) - read, from + read);
      return buffer.subarray(0, read);
    },
  };
}
