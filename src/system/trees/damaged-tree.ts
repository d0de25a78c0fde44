/** Compares the files of a tree with its manifest by size and time, without reading them. */

import { join } from 'node:path';
import { type Json, parsedObject } from '../../core/model/json.ts';
import { runningDigest } from '../../core/platform/digests.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { endOf, type ManifestFrame, type ManifestSource, readFrame } from '../../core/tree/manifest/manifest-frame.ts';
import { linesIn } from '../../core/tree/manifest/read-manifest.ts';
import { reading } from '../files/system-errors.ts';
import { statusIn } from './listed-tree.ts';
import { fileSource, withFile } from './manifest-summary.ts';
import { packagedChecks } from './packaged-checks.ts';

/** The first file that is missing, or has another size or time than the manifest states; undefined where there is none. */
export function firstDamaged(folder: string): string | undefined {
  const path = join(folder, MANIFEST_FILE);
  const status = statusIn(folder);
  return reading(path, () =>
    withFile(path, (open) => {
      const source = fileSource(open);
      const frame = readFrame(source, packagedChecks());
      if (!frame) return MANIFEST_FILE;
      return firstMismatch(source, frame, ({ file, size, modified }) => {
        const found = status(file);
        if (!found) return false;
        return (
          (size === undefined || size === found.size) && (modified === undefined || modified * 1000 === found.mtimeMs)
        );
      });
    }),
  );
}

/** The files that a manifest names, for a comparison with the disk: several times as fast as reading all entries. */
export interface ListedFile {
  readonly file: string;
  /** Bytes; undefined for an alias, whose document has it. */
  readonly size: number | undefined;
  /** Epoch seconds; undefined for an alias and for a file that is no document. */
  readonly modified: number | undefined;
}

/**
 * The first file that differs from its entry, or the manifest where its digest is wrong; undefined where none does. Other
 * names of documents and variants of them are not checked.
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
  digest.update(endOf(frame).files);
  return digest.end() === frame.summary.digest ? undefined : MANIFEST_FILE;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
