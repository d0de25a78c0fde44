/** The registry that an earlier import left, looked at before the next one writes over it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { readBodies } from '../../core/registry/registry.ts';
import { readFolder } from '../../system/files/read-folder.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { changedPaths, type SourceOptions } from '../sources/load-sources.ts';
import { readIndexedHistory, replayedHistory, type StoredHistory } from '../sources/read-indexed-history.ts';

/** What the configuration beside a registry says of reading it. */
export interface RegistrySettings {
  readonly kinds: Kinds;
  readonly limits: SourceLimits;
}

/** What an earlier import left, and what was recorded since. */
export interface ImportedRegistry extends StoredHistory {
  readonly worktree: RegistryState;
  /** What the last commit left that was imported. */
  readonly lastImported: RegistryState;
  /** Whether something was recorded after that. */
  readonly isRecorded: boolean;
}

/** Undefined when the folder is new. A registry that would lose something is not touched. */
export function readImported(
  out: string,
  { kinds, limits, isIndexed }: RegistrySettings & Pick<SourceOptions, 'isIndexed'>,
): ImportedRegistry | undefined {
  if (existsSync(out) && !statSync(out).isDirectory()) return fail(finding('output-is-file', { folder: out }));
  if (!existsSync(out)) return undefined;
  if (!existsSync(join(out, HISTORY_FOLDER))) {
    return readdirSync(out).length === 0 ? undefined : fail(finding('import-not-empty', { folder: out }));
  }
  const sources = readFolder(out, shownPath(out), limits);
  const { folder, findings } = sources;
  const asked = { heads: 1, kinds, registry: out, limits, isThorough: true } as const;
  const read = isIndexed === true ? readIndexedHistory(sources, asked) : replayedHistory(folder, asked);
  const { store } = read;
  const { revisions, states } = read.history;
  const last = revisions.findLastIndex(({ origin }) => origin === 'git');
  const [first] = revisions;
  if (first && last < 0) fail(finding('import-recorded', { id: first.id }));
  // Rules that the head breaks are the repository's affair; only what is not in the history would be lost.
  const { state: worktree, findings: unreadable } = readBodies(folder, store, kinds);
  const problems = [...findings, ...read.findings, ...unreadable];
  if (problems.length > 0) return fail(...problems);
  const changes = changedPaths(states.at(-1) ?? null, worktree);
  if (changes) fail(finding('import-unrecorded', changes));
  const isRecorded = last < revisions.length - 1;
  return { ...read, worktree, lastImported: isRecorded ? itemAt(states, last) : worktree, isRecorded };
}
