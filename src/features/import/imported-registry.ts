/** The registry that an earlier import left, looked at before the next one writes over it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { readBodies } from '../../core/registry/registry.ts';
import { readFolder } from '../../system/files/read-folder.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { changedPaths, type ReadHistory, readHistory } from '../sources/load-sources.ts';

/** What the configuration beside a registry says of reading it. */
export interface RegistrySettings {
  readonly kinds: Kinds;
  readonly limits: SourceLimits;
}

/** What an earlier import left. */
export interface ImportedRegistry extends ReadHistory {
  readonly worktree: RegistryState;
}

/** Undefined when the folder is new. A registry that would lose something is not touched. */
export function readImported(
  out: string,
  store: BodyStore,
  { kinds, limits }: RegistrySettings,
): ImportedRegistry | undefined {
  if (existsSync(out) && !statSync(out).isDirectory())
    return fail(finding('output-is-file', { folder: out }));
  if (!existsSync(out)) return undefined;
  if (!existsSync(join(out, HISTORY_FOLDER))) {
    return readdirSync(out).length === 0 ? undefined : fail(finding('import-not-empty', { folder: out }));
  }
  const { folder, findings } = readFolder(out, shownPath(out), limits);
  const read = readHistory(folder, store, 1, kinds);
  const recorded = read.history.revisions.find(({ origin }) => origin === 'recorded');
  if (recorded) fail(finding('import-recorded', { id: recorded.id }));
  // Rules that the head breaks are the repository's affair; only what is not in the history would be lost.
  const { state: worktree, findings: unreadable } = readBodies(folder, store, kinds);
  const problems = [...findings, ...read.findings, ...unreadable];
  if (problems.length > 0) return fail(...problems);
  const changes = changedPaths(read.history.states.at(-1) ?? null, worktree);
  return changes ? fail(finding('import-unrecorded', changes)) : { ...read, worktree };
}
