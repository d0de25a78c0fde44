/**
 * The files that a manifest names, for those who hold them against the disk without asking what they are: several times
 * as fast as reading all that the manifest says. The names that follow from these (other names of documents, what is
 * made from them) are not among them.
 */
import { type Json, parsedObject } from '../../model/json.ts';
import { runningDigest } from '../../platform/digests.ts';
import type { QuickChecks } from '../../registry/quick-check.ts';
import { MANIFEST_FILE } from '../layout.ts';
import { endOf, readFrame } from './manifest-frame.ts';
import type { ManifestSource } from './manifest-source.ts';
import { linesIn } from './read-manifest.ts';

export interface ListedFile {
  readonly file: string;
  /** Bytes; undefined of an alias, whose document has it. */
  readonly size: number | undefined;
  /** Epoch seconds; undefined of an alias and of what is no document. */
  readonly modified: number | undefined;
}

/** The first file that is not as it is listed, which is the manifest where its digest does not hold; undefined without any. */
export function firstUnlike(
  source: ManifestSource,
  isAsListed: (listed: ListedFile) => boolean,
  checks?: QuickChecks,
): string | undefined {
  const frame = readFrame(source, checks);
  if (!frame) return MANIFEST_FILE;
  const digest = runningDigest();
  for (const text of linesIn(source, frame, [digest])) {
    const { file, size, modified } = parsedObject(text) ?? {};
    if (typeof file !== 'string') return MANIFEST_FILE;
    if (!isAsListed({ file, size: numberOf(size), modified: numberOf(modified) })) return file;
  }
  for (const { file, size } of frame.summary.files)
    if (!isAsListed({ file, size, modified: undefined })) return file;
  digest.update(endOf(frame).files);
  return digest.end() === frame.summary.digest ? undefined : MANIFEST_FILE;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
