/** `gridpress import`: a git registry with its history -> a registry of ours. */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import { ANY_CLUSTER } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { KINDS, kindsWith } from '../../core/model/kinds.ts';
import { kindAt, lastSegment, subjectAt } from '../../core/model/resource-path.ts';
import {
  type BodyStore,
  type RegistryState,
  resourceAt,
  resourcesIn,
  stateDifference,
} from '../../core/model/state.ts';
import { isUuid } from '../../core/model/uid.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { SOURCE_LIMITS } from '../../core/platform/limits.ts';
import { fileOfResource, HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { lockFolderOf } from '../../system/files/folder-lock.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import {
  isPartialClone,
  listCommits,
  listFiles,
  openRepository,
  type Repository,
  readCommits,
  resolveCommit,
} from '../../system/git/git.ts';
import type { GitCommit } from '../../system/git/git-log.ts';
import { readBlobs } from '../../system/git/git-objects.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { stageCopy, stageFile } from '../../system/trees/stage-files.ts';
import { dropStage, openStage, type Stage, swap } from '../../system/trees/staging.ts';
import { configurationFile } from '../sources/configuration-file.ts';
import { readConfiguration } from '../sources/read-configuration.ts';
import { openHistory } from '../sources/registry-stages.ts';
import { type ListedUids, listedUids } from './foreign-file.ts';
import { type Importer, importer, stageRevisions } from './git-import.ts';
import {
  collectionFiles,
  contentsKey,
  datedCommits,
  type GitRegistry,
  gridFolders,
  inLines,
  planImport,
} from './import-plan.ts';
import { bodyOf, ImportedBody } from './imported-bodies.ts';
import { type ImportedRegistry, type RegistrySettings, readImported, unchangedWorktree } from './imported-registry.ts';
import { type Joined, joinStates } from './join-states.ts';

export interface ImportOptions {
  readonly repository: string;
  /** The grid's folder in the repository; found when there is only one. */
  readonly path?: string | undefined;
  readonly ref: string;
  readonly firstParent: boolean;
  readonly out: string;
  readonly showsProgress: boolean;
}

export interface ImportResult {
  readonly out: string;
  readonly head: string;
  readonly added: number;
  readonly revisions: number;
  readonly resources: number;
  /** The configuration that was written because there was none, or none but that of an earlier import. */
  readonly configuration: string | undefined;
  readonly warnings: readonly Finding[];
  /** Whether the history has two heads now, since revisions were recorded in the registry. */
  readonly isMergeDue: boolean;
}

export async function importRegistry(options: ImportOptions): Promise<ImportResult> {
  const repository = openRepository(options.repository);
  try {
    return await importFrom(repository, options);
  } finally {
    repository.close();
  }
}

async function importFrom(repository: Repository, options: ImportOptions): Promise<ImportResult> {
  const { out, ref, path, firstParent } = options;
  const head = resolveCommit(repository, ref);
  const settings = settingsFor(out);
  const registry = { ...findGrid(listFiles(repository, head), path), kinds: settings.kinds };
  const listed = inLines(await listCommits(repository, head, firstParent), head);
  const roots = listed.filter(({ parents }) => parents.length === 0).map(({ id }) => id);
  // A registry is one graph from one beginning, so that the past can be replayed.
  if (roots.length > 1) fail(finding('import-several-roots', { ids: roots }));
  const stage = openStage(out);
  let recording: Stage | undefined;
  try {
    // Nothing is recorded meanwhile.
    if (existsSync(join(out, HISTORY_FOLDER))) recording = openHistory(out);
    const unchanged = unchangedWorktree(out, listed, settings);
    if (unchanged) return resultOf(out, head, listed.length, unchanged);
    const commits = inLines(await readCommits(repository, head, firstParent), head);
    return await importCommits({ ...options, ...settings, repository, head, registry, commits, stage });
  } finally {
    if (recording) dropStage(recording);
    dropStage(stage);
  }
}

interface CommitsToImport extends Omit<ImportOptions, 'repository'>, RegistrySettings {
  readonly repository: Repository;
  readonly head: string;
  readonly registry: GitRegistry;
  readonly commits: readonly GitCommit[];
  readonly stage: Stage;
}

function resultOf(out: string, head: string, revisions: number, state: RegistryState): ImportResult {
  const resources = [...resourcesIn(state)].length;
  return { out, head, added: 0, revisions, resources, configuration: undefined, warnings: [], isMergeDue: false };
}

async function importCommits(given: CommitsToImport): Promise<ImportResult> {
  const { out, head, registry, commits, stage, repository } = given;
  const known = readImported(out, given);
  const store = known?.store ?? memoryStore();
  const translator = importer(registry, store, packagedChecks());
  if (known) makeKnown(commits, known, translator);
  const planned = planImport(datedCommits(commits), registry, await readListed(given)).filter(
    ({ commit }) => !known?.history.indexOf.has(commit.id),
  );
  if (known && planned.length === 0) return resultOf(out, head, commits.length, known.worktree);

  stageCopy(stage);
  rmSync(lockFolderOf(join(stage.next, HISTORY_FOLDER)), { recursive: true, force: true });
  const findings = await stageRevisions({ ...given, planned, lastNumber: known?.lastNumber ?? 0, translator });
  const { state, conflicts } = joinedWith(known, translator.stateAt(head), store, registry.kinds);
  writeResources(given, known?.worktree ?? null, state, store);
  const configuration = writeConfiguration(out, known?.worktree, state, registry.kinds);
  swap(stage);
  const kept = conflicts.map((path) => finding('import-conflict', { id: head, path }));
  return {
    ...resultOf(out, head, commits.length, state),
    added: planned.length,
    configuration,
    warnings: [...warningsOf(repository, findings), ...kept],
    isMergeDue: known?.isRecorded === true,
  };
}

/** What the registry holds now: what the commits say, and what was recorded here since the last import. */
function joinedWith(
  known: ImportedRegistry | undefined,
  theirs: RegistryState,
  store: BodyStore,
  kinds: GitRegistry['kinds'],
): Joined {
  if (!known?.isRecorded) return { state: theirs, conflicts: [] };
  return joinStates({ base: known.lastImported, ours: known.worktree, theirs }, store, kinds);
}

/** The uids in the files that hold the items of whole collections: what a commit touches depends on them. */
async function readListed({ repository, commits, registry, limits }: CommitsToImport) {
  const files = collectionFiles(commits, registry);
  const blobs = readBlobs(
    repository.objects,
    files.map(({ blob }) => blob),
    limits.source_bytes,
  );
  const listed = new Map<string, ListedUids>();
  for (const file of files) {
    const blob = (await blobs.next()).value ?? undefined;
    listed.set(contentsKey(file), listedUids(file.path, file.collection, blob));
  }
  return listed;
}

function warningsOf(repository: Repository, findings: readonly Finding[]): readonly Finding[] {
  const isLacking = findings.some(({ code }) => code === 'import-missing-blob');
  if (!isLacking || !isPartialClone(repository)) return findings;
  return [finding('import-partial-clone', { folder: repository.names.name }), ...findings];
}

/** What the configuration beside the registry says, where there is one. */
function settingsFor(out: string): RegistrySettings {
  const place = { registry: out };
  if (!existsSync(configurationFile(place))) return { kinds: KINDS, limits: SOURCE_LIMITS };
  const configuration = readConfiguration(place);
  return { kinds: kindsWith(configuration.kinds), limits: sourceLimits(configuration) };
}

function findGrid(files: readonly string[], path: string | undefined): Omit<GitRegistry, 'kinds'> {
  const found = path === undefined ? gridFolders(files) : [path.replace(/^\.?\/+|\/+$/g, '')];
  const [folder] = found;
  if (found.length > 1) return fail(finding('import-several-grids', { found }));
  if (folder === undefined || !files.some((file) => file.startsWith(`${folder}/`))) {
    return fail(finding('import-no-grid', { path: path ?? 'data/GRID/GRID.json, or anywhere else' }));
  }
  return { folder, gridName: lastSegment(folder) };
}

function makeKnown(commits: readonly GitCommit[], { history, worktree }: ImportedRegistry, translator: Importer): void {
  const ids = new Map(commits.map((commit) => [commit.id, commit]));
  for (const [index, header] of history.revisions.entries()) {
    const { id, parents, origin } = header;
    if (origin === 'recorded') continue;
    if (ids.get(id)?.parents.join() !== parents.join()) fail(finding('import-rewritten', { id }));
    const isHead = index === history.revisions.length - 1;
    translator.know(header, isHead ? worktree : itemAt(history.states, index));
  }
}

/** Writes what is not there yet: other bodies, and the same ones where a file that was read has another key order. */
function writeResources(
  { stage, registry: { kinds } }: CommitsToImport,
  before: RegistryState,
  after: RegistryState,
  store: BodyStore,
): void {
  const write = (path: string, text: string | null) => stageFile(stage, fileOfResource(subjectAt(path, kinds)), text);
  for (const { path, after: resource } of stateDifference(before, after)) if (!resource) write(path, null);
  for (const [path, { body }] of resourcesIn(after)) {
    const held = resourceAt(before, path)?.body;
    const isSame = held?.digest === body.digest;
    const hasOtherText =
      isSame && body instanceof ImportedBody && JSON.stringify(body.value) !== store.get(held.handle);
    if (!isSame || hasOtherText) write(path, encodeYaml(bodyOf(body, store)));
  }
}

/**
 * A configuration with what the registry itself tells, beside a registry that has none, or that has the one which an
 * import before this has written.
 */
function writeConfiguration(
  out: string,
  before: RegistryState | undefined,
  after: RegistryState,
  kinds: GitRegistry['kinds'],
): string | undefined {
  const file = configurationFile({ registry: out });
  const text = encodeYaml(configurationFor(after, kinds));
  if (existsSync(file)) {
    const held = readFileSync(file, 'utf8');
    const isOurs = before !== undefined && held === encodeYaml(configurationFor(before, kinds));
    if (!isOurs || held === text) return undefined;
  }
  replaceFile(dirname(file), basename(file), text);
  return shownPath(file);
}

/** How uids are, which a registry itself tells. */
function configurationFor(state: RegistryState, kinds: GitRegistry['kinds']) {
  const clusters = new Set<string>();
  let hasOtherNodes = false;
  for (const [path] of resourcesIn(state)) {
    const kind = kindAt(path, kinds).name;
    const uid = lastSegment(path);
    if (kind === 'cluster') clusters.add(uid);
    if (kind === 'node' && !isUuid(uid)) hasOtherNodes = true;
  }
  const [uid, ...others] = clusters;
  const cluster_uid = uid === undefined || others.length > 0 ? ANY_CLUSTER : uid;
  return hasOtherNodes ? { cluster_uid, node_uid: 'name' } : { cluster_uid };
}
