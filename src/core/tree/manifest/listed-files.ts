/** The files that a manifest names, for a comparison with the disk: several times as fast as reading all entries. */
import { type Json, parsedObject } from '../../model/json.ts';
import { runningDigest } from '../../platform/digests.ts';
import { MANIFEST_FILE } from '../layout.ts';
import { endOf, type ManifestFrame } from './manifest-frame.ts';
import type { ManifestSource } from './manifest-source.ts';
import { linesIn } from './read-manifest.ts';

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
