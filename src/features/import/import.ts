import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Finding, type FindingOf, fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import { valueBodies } from '../../core/history/bodies.ts';
import { joinStates } from '../../core/history/join-states.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import { ANY_CLUSTER } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { KINDS, kindsWith } from '../../core/model/kinds.ts';
import { kindAt, lastSegment, pathAbove, selfAndAncestors, subjectAt } from '../../core/model/resource-path.ts';
import {
  type BodyStore,
  type RegistryState,
  resourceAt,
  resourcesIn,
  stateDifference,
} from '../../core/model/state.ts';
import { isUuid } from '../../core/model/uid.ts';
import { SOURCE_LIMITS } from '../../core/platform/limits.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { modeline } from '../../core/registry/editor-schemas.ts';
import { fileOfResource, HISTORY_FOLDER, SCHEMAS_FOLDER } from '../../core/registry/layout.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { lockFolderOf } from '../../system/files/folder-lock.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import {
  type GitCommit,
  isPartialClone,
  listCommits,
  listFiles,
  openRepository,
  type Repository,
  readCommits,
  resolveCommit,
} from '../../system/git/git.ts';
import { readBlobs } from '../../system/git/git-objects.ts';
import { fingerprintsIn } from '../../system/trees/fingerprints.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { closeStage, openStage, type Stage, stageCopy, stageFile, swap } from '../../system/trees/staging.ts';
import { writeMissingSchemas } from '../sources/editor-schema-files.ts';
import { ignoreOwnFiles } from '../sources/git-files.ts';
import { readConfiguration } from '../sources/read-configuration.ts';
import { configurationFile } from '../sources/registry-files.ts';
import { openHistory } from '../sources/registry-stages.ts';
import { type ListedUids, listedUids } from './foreign-file.ts';
import { type Importer, importer, stageRevisions } from './git-import.ts';
import {
  collectionFiles,
  contentsKey,
  datedCommits,
  type GitRegistry,
  gridFolders,
  linearize,
  type PlannedCommit,
  planImport,
} from './import-plan.ts';
import { type ImportedRegistry, type RegistrySettings, readImported, unchangedWorktree } from './imported-registry.ts';

export interface ImportOptions {
  readonly repository: string;
  /** The folder of the grid in the repository. Optional if the repository contains only one grid. */
  readonly path?: string | undefined;
  readonly ref: string;
  readonly firstParent: boolean;
  /** Whether to import a repository that lacks the contents of some files. */
  readonly allowMissing?: boolean | undefined;
  readonly out: string;
  readonly showsProgress: boolean;
}

export interface ImportResult {
  readonly out: string;
  readonly head: string;
  readonly added: number;
  readonly revisions: number;
  readonly resources: number;
  /** The path of the configuration, or undefined if this import did not write the file. */
  readonly configuration: string | undefined;
  readonly warnings: readonly Finding[];
  /** True if users recorded revisions after the last import. The history then has two heads, which must be merged. */
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
  const listed = linearize(await listCommits(repository, head, firstParent), head);
  const roots = listed.filter(({ parents }) => parents.length === 0).map(({ id }) => id);
  // A replay of the history requires a single root.
  if (roots.length > 1) fail(finding('import-several-roots', { ids: roots }));
  const stage = openStage(out);
  let recording: Stage | undefined;
  try {
    // Locks the history against changes by other commands.
    if (existsSync(join(out, HISTORY_FOLDER))) recording = openHistory(out);
    const unchanged = unchangedWorktree(out, listed, settings);
    if (unchanged) return resultOf(out, head, listed.length, unchanged);
    const commits = linearize(await readCommits(repository, head, firstParent), head);
    return await importCommits({ ...options, ...settings, repository, head, registry, commits, stage });
  } finally {
    if (recording) closeStage(recording);
    closeStage(stage);
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
  const { out, head, registry, commits, stage } = given;
  // Takes the fingerprints before the files are read, so that `swap` detects later changes.
  const read = existsSync(join(out, HISTORY_FOLDER)) ? fingerprintsIn(stage.out) : new Map();
  const known = readImported(out, given);
  const store = known?.store ?? memoryStore();
  const translator = importer(registry, store, packagedChecks);
  if (known) addKnownCommits(commits, known, translator);
  const all = planImport(datedCommits(commits), registry, await readListed(given));
  if (all.every(({ items }) => items.length === 0)) fail(finding('import-no-grid', { path: registry.folder }));
  if (known) rejectOtherFolder(all, known, registry);
  const planned = all.filter(({ commit }) => !known?.history.indexOf.has(commit.id));
  if (known && planned.length === 0) return resultOf(out, head, commits.length, known.worktree);

  stageCopy(stage);
  rmSync(lockFolderOf(join(stage.next, HISTORY_FOLDER)), { recursive: true, force: true });
  const findings = await stageRevisions({ ...given, planned, lastNumber: known?.lastNumber ?? 0, translator });
  if (given.allowMissing !== true) rejectMissing(given.repository, findings);
  const theirs = translator.stateAt(head);
  const { state, conflicts } = known?.hasRecordedRevisions
    ? joinStates({ base: known.lastImported, ours: known.worktree, theirs }, store, registry.kinds)
    : { state: theirs, conflicts: [] };
  writeResources(given, known?.worktree ?? null, state, store);
  const configuration = writeConfiguration(out, known?.worktree, state, registry.kinds);
  if (!known) ignoreOwnFiles(dirname(configurationFile({ registry: out })));
  swap({ ...stage, read });
  const kept = conflicts.map(({ path }) => finding('import-conflict', { id: head, path }));
  return {
    ...resultOf(out, head, commits.length, state),
    added: planned.length,
    configuration,
    warnings: [...findings, ...kept],
    isMergeDue: known?.hasRecordedRevisions === true,
  };
}

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

/** Fails, because a later import would not read the commits with missing contents again. */
function rejectMissing(repository: Repository, findings: readonly Finding[]): void {
  const missing = findings.filter(({ code }) => code === 'import-missing-blob');
  if (missing.length === 0) return;
  const folder = repository.names.name;
  failAll([
    ...missing.slice(0, MAX_LISTED_FILES),
    finding('import-incomplete', { folder, files: missing.length, isPartial: isPartialClone(repository) }),
  ]);
}

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

function addKnownCommits(
  commits: readonly GitCommit[],
  { history, worktree }: ImportedRegistry,
  translator: Importer,
): void {
  const ids = new Map(commits.map((commit) => [commit.id, commit]));
  for (const [index, header] of history.revisions.entries()) {
    const { id, parents, origin } = header;
    if (origin === 'recorded') continue;
    if (ids.get(id)?.parents.join() !== parents.join()) fail(finding('import-rewritten', { id }));
    const isHead = index === history.revisions.length - 1;
    translator.addKnown(header, isHead ? worktree : itemAt(history.states, index));
  }
}

/**
 * Fails if an earlier import read another folder. Each of its resources must have a file, or a resource below it. Accepts
 * a folder that did not exist yet, because a commit can rename the folder of the grid.
 */
function rejectOtherFolder(
  planned: readonly PlannedCommit[],
  { history, lastImported }: ImportedRegistry,
  { folder }: GitRegistry,
): void {
  const last = history.revisions.findLast(({ origin }) => origin === 'git');
  const { files } = planned.find(({ commit }) => commit.id === last?.id) ?? {};
  const described = new Set([...(files?.keys() ?? [])].flatMap((path) => [...selfAndAncestors(path)]));
  if (!last || described.size === 0) return;
  for (const [path] of resourcesIn(lastImported))
    if (!described.has(path)) fail(finding('import-other-folder', { id: last.id, folder, path }));
}

function writeResources(
  { stage, registry: { kinds } }: CommitsToImport,
  before: RegistryState,
  after: RegistryState,
  store: BodyStore,
): void {
  const bodyOf = valueBodies(store).of;
  const write = (path: string, text: string | null) => stageFile(stage, fileOfResource(subjectAt(path, kinds)), text);
  for (const { path, after: resource } of stateDifference(before, after)) if (!resource) write(path, null);
  for (const [path, { body }] of resourcesIn(after)) {
    const held = resourceAt(before, path)?.body;
    if (body === held) continue;
    const value = bodyOf(body);
    const isSame = held?.digest === body.digest && JSON.stringify(value) === store.get(held.handle);
    if (!isSame) write(path, encodeYaml(value));
  }
}

/** Keeps a configuration that was changed since an earlier import. */
function writeConfiguration(
  out: string,
  before: RegistryState | undefined,
  after: RegistryState,
  kinds: GitRegistry['kinds'],
): string | undefined {
  const file = configurationFile({ registry: out });
  const textOf = (state: RegistryState) =>
    modeline(`./${SCHEMAS_FOLDER}`, 'gridpress') + encodeYaml(configurationFor(state, kinds));
  const text = textOf(after);
  if (existsSync(file)) {
    const held = readFileSync(file, 'utf8');
    const isOurs = before !== undefined && held === textOf(before);
    if (!isOurs || held === text) return undefined;
  }
  writeMissingSchemas(join(dirname(file), SCHEMAS_FOLDER));
  replaceFile(dirname(file), basename(file), text);
  return displayPath(file);
}

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

export function describeImport(result: ImportResult): string {
  const { out, head, added, revisions, resources, configuration, isMergeDue } = result;
  const news = added === revisions ? plural(added, 'revision') : `${plural(added, 'new revision')} of ${revisions}`;
  const written =
    configuration === undefined ? '' : `Wrote ${configuration} with values from the registry. Review it.\n`;
  const due = isMergeDue
    ? `Recorded and imported changes were merged. Review the result and record the merge: gridpress record --merge ${shortId(head)} -m MESSAGE\n`
    : '';
  return `Imported ${news} and ${plural(resources, 'resource')} into ${out}.\n${written}${due}`;
}

/** Above this number of files without a resource, one warning counts the files per folder. */
const MAX_LISTED_FILES = 10;

/** A long history can contain thousands of files that describe no resource. */
export function warningsToShow({ warnings }: Pick<ImportResult, 'warnings'>): readonly Finding[] {
  const leftOut = warnings.filter((one) => one.code === 'import-no-resource');
  if (leftOut.length <= MAX_LISTED_FILES) return warnings;
  return [...warnings.filter((one) => one.code !== 'import-no-resource'), countedByFolder(leftOut)];
}

function countedByFolder(leftOut: readonly FindingOf<'import-no-resource'>[]): Finding {
  const files = new Set(leftOut.map(({ args }) => args.path));
  const folders = new Map<string, number>();
  for (const file of files) {
    const folder = `${withoutUids(pathAbove(file))}/`;
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const byCount = [...folders].sort(([a, most], [b, more]) => more - most || byCodeUnit(a, b));
  return finding('import-left-out', { files: files.size, folders: byCount });
}

/** Replaces uids in a path by `*`, so that the warning counts equal folders of all sites together. */
function withoutUids(folder: string): string {
  const segments = folder.split('/');
  const sites = segments.indexOf('sites');
  return segments.map((segment, i) => (sites >= 0 && i > sites && (i - sites) % 2 === 1 ? '*' : segment)).join('/');
}
