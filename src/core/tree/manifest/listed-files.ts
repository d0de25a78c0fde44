/**
 * The files that a manifest names, for those who hold them against the disk without asking what they are: several times
 * as fast as reading all that the manifest says. The names that follow from these (other names of documents, what is
 * made from them) are not among them.
 */
import { type Json, parsedObject } from '../../model/json.ts';
import { runningDigest } from '../../platform/digests.ts';
import { MANIFEST_FILE } from '../layout.ts';
import { endOf, linesOfPiece, type ManifestFrame } from './manifest-frame.ts';
import { chunksUpTo, type ManifestSource } from './manifest-source.ts';
import { linesIn } from './read-manifest.ts';

export interface ListedFile {
  readonly file: string;
  /** Bytes; undefined of an alias, whose document has it. */
  readonly size: number | undefined;
  /** Epoch seconds; undefined of an alias and of what is no document. */
  readonly modified: number | undefined;
}

/** A file that is not as it is listed, and in which piece of the manifest it stands. */
export interface Unlike {
  readonly file: string;
  readonly piece: number;
}

/**
 * The first file of a document that is not as it is listed, in the pieces that `takePiece` gives one after the other: several
 * threads can share a manifest, and the first of what they find is the first of all.
 */
export function firstUnlike(
  source: ManifestSource,
  frame: ManifestFrame,
  takePiece: () => number,
  isAsListed: (listed: ListedFile) => boolean,
): Unlike | undefined {
  for (;;) {
    const piece = takePiece();
    const place = linesOfPiece(source, frame, piece);
    if (!place) return undefined;
    for (const text of linesIn(source, place, [])) {
      const { file, size, modified } = parsedObject(text) ?? {};
      if (typeof file !== 'string') return { file: MANIFEST_FILE, piece };
      const listed = { file, size: numberOf(size), modified: numberOf(modified) };
      if (!isAsListed(listed)) return { file, piece };
    }
  }
}

/** The first of the other files that is not as it is listed, or the manifest where its digest does not hold. */
export function otherUnlike(
  source: ManifestSource,
  frame: ManifestFrame,
  isAsListed: (listed: ListedFile) => boolean,
): string | undefined {
  const other = frame.summary.files.find(({ file, size }) => !isAsListed({ file, size, modified: undefined }));
  if (other) return other.file;
  const digest = runningDigest();
  for (const chunk of chunksUpTo(source, frame.end, frame.start)) digest.update(chunk);
  digest.update(endOf(frame).files);
  return digest.end() === frame.summary.digest ? undefined : MANIFEST_FILE;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
