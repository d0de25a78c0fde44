/** What an index knows of the revision files that a registry has now, and what has to be read. */

import type { ReadFolder } from '../../system/files/read-folder.ts';
import { type MarkOf, type MarkOptions, markedFiles } from './file-marks.ts';
import type { HistoryIndex } from './history-index.ts';
import type { KnownRevision } from './listed-revisions.ts';

export interface KnownRevisions {
  /** By the name of the file, the revisions whose files, and those of all their ancestors, are what they were, in their order. */
  readonly byFile: ReadonlyMap<string, KnownRevision>;
  /** The marks that files have now. */
  readonly markOf: MarkOf;
  /** Files whose marks the index does not have, though it has their contents. */
  readonly doubted: number;
}

export interface KnownRevisionsOptions extends MarkOptions {
  readonly sources: ReadFolder;
  readonly files: readonly string[];
}

export function knownRevisions(
  index: HistoryIndex | undefined,
  { sources, files, ...options }: KnownRevisionsOptions,
): KnownRevisions {
  const { isSame, markOf, doubted } = markedFiles(sources, files, options);
  const byFile = new Map<string, KnownRevision>();
  const ids = new Set<string>();
  for (const revision of index?.revisions ?? []) {
    const { header, file, mark } = revision;
    if (!header.parents.every((id) => ids.has(id)) || !isSame(file, mark)) continue;
    ids.add(header.id);
    byFile.set(file, revision);
  }
  return { byFile, markOf, doubted: doubted() };
}
