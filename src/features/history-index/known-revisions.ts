/** What an index knows of the revision files that a registry has now, and what has to be read. */

import { join } from 'node:path';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { type FileMark, type FileStatus, isSameStatus, statusOf, UNSETTLED } from './file-marks.ts';
import type { HistoryIndex, KnownRevision } from './history-index.ts';

export interface KnownRevisions {
  /** By the name of the file, the revisions whose files, and those of all their ancestors, are what they were. */
  readonly byFile: ReadonlyMap<string, KnownRevision>;
  /** The same in the order of the index, with marks as they are now. */
  readonly kept: () => readonly KnownRevision[];
  /** Of a file that was read. */
  readonly markOf: (file: string) => FileMark;
  /** Files whose marks the index does not have, though it has their contents. */
  readonly doubted: number;
}

export interface KnownRevisionsOptions {
  readonly registry: string;
  readonly sources: ReadFolder;
  readonly files: readonly string[];
  /** Whether every file is read, whatever its mark says. */
  readonly isThorough: boolean;
}

export function knownRevisions(
  index: HistoryIndex | undefined,
  { registry, sources, files, isThorough }: KnownRevisionsOptions,
): KnownRevisions {
  const now = Date.now();
  const statuses = new Map<string, FileStatus>();
  for (const file of files) statuses.set(file, statusOf(join(registry, file), now) ?? UNSETTLED);
  const markOf = (file: string): FileMark => ({
    ...(statuses.get(file) ?? UNSETTLED),
    digest: sources.digestOf(file),
  });
  let doubted = 0;
  const isSame = ({ file, mark }: KnownRevision): boolean => {
    const status = statuses.get(file);
    if (!status) return false;
    const isMarked = status !== UNSETTLED && isSameStatus(status, mark);
    if (isMarked && !isThorough) return true;
    if (sources.digestOf(file) !== mark.digest) return false;
    if (!isMarked) doubted++;
    return true;
  };
  const byFile = new Map<string, KnownRevision>();
  const ids = new Set<string>();
  for (const revision of index?.revisions ?? []) {
    if (!revision.header.parents.every((id) => ids.has(id)) || !isSame(revision)) continue;
    ids.add(revision.header.id);
    byFile.set(revision.file, revision);
  }
  return {
    ...{ byFile, markOf, doubted },
    kept: () =>
      [...byFile.values()].map((revision) => {
        const status = statuses.get(revision.file) ?? UNSETTLED;
        return { ...revision, mark: { ...status, digest: revision.mark.digest } };
      }),
  };
}
