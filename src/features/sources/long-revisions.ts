/**
 * Revision files that are too long to be in memory as a whole. The first revision of a large registry holds all of its
 * sources: read in parts, its changes are values only until they are replayed.
 */
import { isDeepStrictEqual } from 'node:util';
import { withoutChanges } from '../../core/history/excerpt.ts';
import { NotInOrder } from '../../core/history/partial-history.ts';
import { type ResourceChange, type RevisionFile, readRevisionText } from '../../core/history/revision-file.ts';
import { revisionParts } from '../../core/history/revision-parts.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';

/** Bytes. A shorter one takes less memory than what is made of it. */
const LONG = 1 << 22;

export interface LongRevisions {
  /** What a long file says above its changes; undefined of any other. */
  readonly headerOf: (file: string) => RevisionHeader | undefined;
  /** The changes of a long file, read as they are asked for, below the header that it was found to have. */
  readonly changesOf: (file: string) => Iterable<ResourceChange>;
}

export function isLong(folder: SourceFolder, file: string): boolean {
  return folder.sizeOf(file) >= LONG;
}

/** Whatever is not plain to see throws `NotInOrder`, when it is come to. */
export function longRevisions(folder: SourceFolder): LongRevisions {
  const check = packagedChecks()('revision');
  const readPart = (file: string, part: string): RevisionFile => {
    const read = readRevisionText(file, part, check);
    if (read.findings) throw new NotInOrder();
    return read.value;
  };
  const headers = new Map<string, RevisionHeader>();
  const headerOf = (file: string) => {
    const [start = ''] = linesIn(folder.chunks(file));
    const head = withoutChanges(start);
    if (head === undefined) throw new NotInOrder();
    const { header } = readPart(file, head);
    headers.set(file, header);
    return header;
  };
  return {
    headerOf: (file) => (isLong(folder, file) ? headerOf(file) : undefined),
    *changesOf(file) {
      for (const part of revisionParts(linesIn(folder.chunks(file)))) {
        const { header, changes } = readPart(file, part);
        // Another file may have taken its place meanwhile.
        if (!isDeepStrictEqual(header, headers.get(file))) throw new NotInOrder();
        yield* changes;
      }
    },
  };
}

const NEWLINE = 10;
/** Characters that `decodeText` and `readSource` look at more closely: newlines of Windows, and what is no text. */
const UNREADY = ['\r', '\0', '\ufffd'];

/** The text of some bytes, whole lines at a time. */
function* linesIn(chunks: Iterable<Uint8Array>): Generator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const decoded = (bytes: Uint8Array) => {
    const text = decoder.decode(bytes);
    if (UNREADY.some((character) => text.includes(character))) throw new NotInOrder();
    return text;
  };
  let rest = Buffer.alloc(0);
  for (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) throw new NotInOrder();
    yield decoded(Buffer.concat([rest, chunk.subarray(0, end)]));
    rest = Buffer.from(chunk.subarray(end));
  }
  if (rest.length > 0) yield decoded(rest);
}
