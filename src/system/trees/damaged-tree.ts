/** Compares files of a tree with the manifest by size and time, without reading the files. */

import { join } from 'node:path';
import { type Json, parsedObject } from '../../core/model/json.ts';
import { runningDigest } from '../../core/platform/digests.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import {
  type ManifestFrame,
  type ManifestSource,
  manifestEndOf,
  readFrame,
} from '../../core/tree/manifest/manifest-frame.ts';
import { linesIn } from '../../core/tree/manifest/read-manifest.ts';
import { withFile } from '../files/file-io.ts';
import { reading } from '../files/system-errors.ts';
import { statusIn } from './listed-tree.ts';
import { fileSource } from './manifest-summary.ts';
import { packagedChecks } from './packaged-checks.ts';

/** Returns the first file that is missing, or whose size or time differs from the manifest. */
export function firstDamaged(folder: string): string | undefined {
  const path = join(folder, MANIFEST_FILE);
  const status = statusIn(folder);
  const isAsListed = ({ file, size, modified }: ListedFile) => {
    const found = status(file);
    if (!found) return false;
    return (size === undefined || size === found.size) && (modified === undefined || modified * 1000 === found.mtimeMs);
  };
  return reading(path, () =>
    withFile(path, (open) => {
      const source = fileSource(open);
      const frame = readFrame(source, packagedChecks);
      return frame ? firstMismatch(source, frame, isAsListed) : MANIFEST_FILE;
    }),
  );
}

export interface ListedFile {
  readonly file: string;
  /** The size in bytes. Undefined for an alias, because the entry of the aliased document contains the size. */
  readonly size: number | undefined;
  /** The modification time in epoch seconds. Undefined for aliases and for files that are not documents. */
  readonly modified: number | undefined;
}

/**
 * Returns the first file that differs from the manifest, or the manifest's name if its digest is wrong. Skips index
 * files and variants of documents.
 */
export function firstMismatch(
  source: ManifestSource,
  frame: ManifestFrame,
  isAsListed: (listed: ListedFile) => boolean,
): string | undefined {
  const digest = runningDigest();
  for (const text of linesIn(source, frame, [digest])) {
    const { file, size, modified } = parsedObject(text) ?? {};
    if (typeof file !== 'string') return MANIFEST_FILE;
    if (!isAsListed({ file, size: numberOf(size), modified: numberOf(modified) })) return file;
  }
  const other = frame.summary.files.find(({ file, size }) => !isAsListed({ file, size, modified: undefined }));
  if (other) return other.file;
  digest.update(manifestEndOf(frame).files);
  return digest.end() === frame.summary.digest ? undefined : MANIFEST_FILE;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
