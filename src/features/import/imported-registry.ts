/** The registry that an earlier import left, looked at before the next one writes over it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { readBodies } from '../../core/registry/registry.ts';
import { readFolder } from '../../system/files/read-folder.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { changedPaths } from '../sources/load-sources.ts';
import { type ReadHistory, readHistory } from '../sources/read-history.ts';

/** What the configuration beside a registry says of reading it. */
export interface RegistrySettings {
  readonly kinds: Kinds;
  readonly limits: SourceLimits;
}

/** What an earlier import left, and what was recorded since. */
export interface ImportedRegistry extends ReadHistory {
  readonly store: BodyStore;
  readonly worktree: RegistryState;
  /** What the last commit left that was imported. */
  readonly lastImported: RegistryState;
  /** Whether something was recorded after that. */
  readonly isRecorded: boolean;
}

/** Undefined when the folder is new. A registry that would lose something is not touched. */
export function readImported(out: string, { kinds, limits }: RegistrySettings): ImportedRegistry | undefined {
  if (existsSync(out) && !statSync(out).isDirectory()) return fail(finding('output-is-file', { folder: out }));
  if (!existsSync(out)) return undefined;
  if (!existsSync(join(out, HISTORY_FOLDER))) {
    return readdirSync(out).length === 0 ? undefined : fail(finding('import-not-empty', { folder: out }));
  }
  const { folder, findings } = readFolder(out, shownPath(out), limits);
  const store = memoryStore();
  const read = readHistory(folder, store, { heads: 1, kinds });
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
  return { ...read, store, worktree, lastImported: isRecorded ? itemAt(states, last) : worktree, isRecorded };
}
