import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { stateDigest } from '../../core/history/replay.ts';
import { readRevisionFile } from '../../core/history/revision-file.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { readBodies } from '../../core/registry/registry.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readFolder } from '../../system/files/read-folder.ts';
import type { ListedCommit } from '../../system/git/git.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { pendingEdit } from '../sources/edit-plan.ts';
import { changedPaths } from '../sources/load-sources.ts';
import { type ReadHistory, readHistory } from '../sources/read-history.ts';
import { revisionFiles } from '../sources/registry-files.ts';

export interface RegistrySettings {
  readonly kinds: Kinds;
  readonly limits: SourceLimits;
}

export interface ImportedRegistry extends ReadHistory {
  readonly store: BodyStore;
  readonly worktree: RegistryState;
  readonly lastImported: RegistryState;
  readonly hasRecordedRevisions: boolean;
}

/** Returns undefined if the folder is missing or empty. Fails if it contains other files or unrecorded changes. */
export function readImported(out: string, { kinds, limits }: RegistrySettings): ImportedRegistry | undefined {
  if (existsSync(out) && !statSync(out).isDirectory()) return fail(finding('output-is-file', { folder: out }));
  if (!existsSync(out)) return undefined;
  if (!existsSync(join(out, HISTORY_FOLDER))) {
    return readdirSync(out).length === 0 ? undefined : fail(finding('import-not-empty', { folder: out }));
  }
  const { folder, findings } = readFolder(out, displayPath(out), limits);
  const store = memoryStore();
  const read = readHistory(folder, store, { isMerging: false, kinds });
  const { revisions, states } = read.history;
  const last = revisions.findLastIndex(({ origin }) => origin === 'git');
  const [first] = revisions;
  if (first && last < 0) fail(finding('import-recorded', { id: first.id }));
  // The head may violate schema rules, so only unrecorded changes prevent the import.
  const { state: worktree, findings: unreadable } = readBodies(folder, store, kinds);
  const problems = [...findings, ...read.findings, ...unreadable];
  if (problems.length > 0) return fail(...problems);
  const changes = changedPaths(states.at(-1) ?? null, worktree);
  if (changes) {
    const { changed = [], plan } = pendingEdit(out) ?? {};
    if (plan && changed.length > 0) fail(finding('edit-begun', { files: changed, total: plan.files.length }));
    fail(finding('import-unrecorded', changes));
  }
  const hasRecordedRevisions = last < revisions.length - 1;
  return {
    ...read,
    store,
    worktree,
    lastImported: hasRecordedRevisions ? itemAt(states, last) : worktree,
    hasRecordedRevisions,
  };
}

/** Matches the first lines of a revision file that gridpress wrote. */
const REVISION_START = /^(?:#.*\n)*id: "?([0-9a-f]{40})"?\n(?:parents:\n((?: {2}- "?[0-9a-f]{40}"?\n)+))?date: /;

/** Avoids a replay if the registry has all commits and no other changes. Otherwise returns undefined. */
export function unchangedWorktree(
  out: string,
  commits: readonly ListedCommit[],
  { kinds, limits }: RegistrySettings,
): RegistryState | undefined {
  if (!existsSync(join(out, HISTORY_FOLDER))) return undefined;
  const { folder, findings } = readFolder(out, displayPath(out), limits);
  const parentsOf = new Map(commits.map(({ id, parents }) => [id, parents.join()]));
  const revisions: { readonly id: string; readonly parents: readonly string[]; readonly file: string }[] = [];
  for (const file of revisionFiles(folder)) {
    const text = readFileSync(join(out, file), 'latin1');
    const [, id = '', list = ''] = REVISION_START.exec(text) ?? [];
    const parents = list.match(/[0-9a-f]{40}/g) ?? [];
    const isImported = parentsOf.get(id) === parents.join();
    if (!isImported && (id === '' || parentsOf.has(id) || text.includes('\norigin:'))) return undefined;
    revisions.push({ id, parents, file });
    parentsOf.delete(id);
  }
  const inner = new Set(revisions.flatMap(({ parents }) => parents));
  const [head, ...others] = revisions.filter(({ id }) => !inner.has(id));
  if (!head || others.length > 0 || parentsOf.size > 0 || findings.length > 0) return undefined;
  const last = readRevisionFile(head.file, folder.read(head.file), packagedChecks('revision'));
  const worktree = readBodies(folder, memoryStore(), kinds);
  if (last.findings || worktree.findings.length > 0) return undefined;
  return stateDigest(worktree.state) === last.value.header.state ? worktree.state : undefined;
}
