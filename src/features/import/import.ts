/** `gridpress import`: a git registry with its history -> a registry of ours. */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { ANY_CLUSTER } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configured/source-limits.ts';
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
import { storedObject } from '../../core/registry/registry.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { lockFolderOf } from '../../system/files/folder-lock.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import {
  isPartialClone,
  listFiles,
  openRepository,
  type Repository,
  readCommits,
  resolveCommit,
} from '../../system/git/git.ts';
import type { GitCommit } from '../../system/git/git-log.ts';
import { readBlobs } from '../../system/git/git-objects.ts';
import { stageCopy, stageFile } from '../../system/trees/stage-files.ts';
import { dropStage, openStage, type Stage, swap } from '../../system/trees/staging.ts';
import { configurationFile } from '../sources/configuration-file.ts';
import { readConfiguration } from '../sources/read-configuration.ts';
import { openHistory } from '../sources/registry-stages.ts';
import { type ListedUids, listedUids } from './collection-file.ts';
import { type Importer, importer } from './git-import.ts';
import { collectionFiles, contentsKey, datedCommits, type GitRegistry, gridFolders } from './import-plan.ts';
import { type ImportedRegistry, type RegistrySettings, readImported } from './imported-registry.ts';
import { type Joined, joinStates } from './join-states.ts';
import { forgetfulStore } from './last-uses.ts';
import { checkRoots, inLines } from './lines.ts';
import { stageRevisions } from './stage-revisions.ts';

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
  const commits = inLines(await readCommits(repository, head, firstParent), head);
  checkRoots(commits);
  const stage = openStage(out);
  let recording: Stage | undefined;
  try {
    // Nothing is recorded meanwhile.
    if (existsSync(join(out, HISTORY_FOLDER))) recording = openHistory(out);
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

async function importCommits(given: CommitsToImport): Promise<ImportResult> {
  const { out, head, registry, commits, stage } = given;
  const known = readImported(out, given);
  const passing = forgetfulStore();
  const store = known?.store ?? passing;
  const translator = importer(registry, store);
  if (known) makeKnown(commits, known, translator);
  const added = commits.filter(({ id }) => !known?.history.indexOf.has(id)).length;
  const counts = (state: RegistryState) => ({
    out,
    head,
    revisions: commits.length,
    resources: [...resourcesIn(state)].length,
  });
  if (known && added === 0)
    return { ...counts(known.worktree), added, configuration: undefined, warnings: [], isMergeDue: false };

  stageCopy(stage);
  rmSync(lockFolderOf(join(stage.next, HISTORY_FOLDER)), { recursive: true, force: true });
  const findings = await stageRevisions({
    ...given,
    known,
    translator,
    store,
    passing: known ? undefined : passing,
    commits: datedCommits(commits),
    listed: await readListed(given),
  });
  const { state, conflicts } = joinedWith(known, translator.stateAt(head), store, registry.kinds);
  writeResources(given, known?.worktree ?? null, state, translator, store);
  const configuration = writeConfiguration(out, known?.worktree, state, registry.kinds);
  swap(stage);
  const kept = conflicts.map((path) => finding('import-conflict', { id: head, path }));
  const warnings = [...warningsOf(given.repository, findings), ...kept];
  const isMergeDue = known?.isRecorded === true;
  return { ...counts(state), added, configuration, warnings, isMergeDue };
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

/** Makes the commits that the registry has already known to the importer. */
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
  { wasRead }: Importer,
  store: BodyStore,
): void {
  const write = (path: string, text: string | null) => stageFile(stage, fileOfResource(subjectAt(path, kinds)), text);
  for (const { path, after: resource } of stateDifference(before, after)) if (!resource) write(path, null);
  for (const [path, { body }] of resourcesIn(after)) {
    const held = resourceAt(before, path)?.body;
    const isSame =
      held?.digest === body.digest && (!wasRead(body) || store.get(held.handle) === store.get(body.handle));
    if (!isSame) write(path, encodeYaml(storedObject(store, body.handle)));
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
  return {
    cluster_uid: uid === undefined || others.length > 0 ? ANY_CLUSTER : uid,
    ...(hasOtherNodes ? { node_uid: 'name' } : {}),
  };
}
