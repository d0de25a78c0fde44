/** `gridpress import`: a git registry with its history -> a registry of ours. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Finding, finding } from '../diagnostics/finding.ts';
import {
  type GitRegistry,
  gridFolders,
  type Importer,
  importer,
  type PlannedCommit,
  planImport,
} from '../history/git-import.ts';
import { writeRevisionFile } from '../history/revision-file.ts';
import { fail } from '../io/failure.ts';
import {
  listFiles,
  openRepository,
  type Repository,
  readBlobs,
  readCommits,
  resolveCommit,
} from '../io/git.ts';
import { progress } from '../io/progress.ts';
import { replaceFile, stageCopy } from '../io/registry-writer.ts';
import { checkOutput, dropStage, openStage, recover, stageOf, swap } from '../io/staging.ts';
import { memoryStore } from '../model/body-store.ts';
import { lastSegment, parsePath } from '../model/resource-path.ts';
import { type BodyStore, type RegistryState, resourcesIn, stateDifference } from '../model/state.ts';
import { isUuid } from '../model/uid.ts';
import { encodeYaml } from '../registry/encode.ts';
import { fileOfResource, revisionFileName } from '../registry/layout.ts';
import { storedObject } from '../registry/registry.ts';
import { checkFindings, loadSources, type Sources } from './sources.ts';

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
  /** The configuration that was written because there was none. */
  readonly configuration: string | undefined;
  readonly warnings: readonly Finding[];
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
  const { out } = options;
  const head = resolveCommit(repository, options.ref);
  const registry = findGrid(listFiles(repository, head), options.path);
  const commits = await readCommits(repository, head, options.firstParent);
  const known = existingSources(out);
  const store = known?.store ?? memoryStore();
  const planned = planImport(commits, registry);
  const translator = importer(registry, store);
  const fresh = known ? skipKnown(planned, known, translator) : planned;

  const stage = stageOf(out);
  openStage(stage);
  try {
    stageCopy(stage);
    let number = known?.lastNumber ?? 0;
    const shown = progress('Importing', fresh.length, options.showsProgress);
    const blobs = readBlobs(
      repository,
      fresh.flatMap((commit) => commit.blobs),
    );
    for (const [done, commit] of fresh.entries()) {
      const contents = new Map<string, Buffer | undefined>();
      for (const blob of commit.blobs) contents.set(blob, (await blobs.next()).value ?? undefined);
      const revision = translator.revise(commit, (blob) => contents.get(blob));
      replaceFile(stage.next, revisionFileName(++number, commit.commit.id), writeRevisionFile(revision));
      shown.at(done + 1);
    }
    shown.end();
    const state = translator.stateAt(head);
    writeResources(stage.next, known?.worktree ?? null, state, store);
    swap(stage);
    return {
      out,
      head,
      added: fresh.length,
      revisions: commits.length,
      resources: [...resourcesIn(state)].length,
      configuration: writeConfiguration(out, state),
      warnings: translator.findings,
    };
  } catch (error) {
    dropStage(stage);
    throw error;
  }
}

function findGrid(files: readonly string[], path: string | undefined): GitRegistry {
  const found = path === undefined ? gridFolders(files) : [path.replace(/^\.?\/+|\/+$/g, '')];
  const [folder] = found;
  if (found.length > 1) return fail(finding('import-several-grids', { found }));
  if (folder === undefined || !files.some((file) => file.startsWith(`${folder}/`))) {
    return fail(finding('import-no-grid', { path: path ?? 'data/GRID/GRID.json, or anywhere else' }));
  }
  return { folder, gridName: lastSegment(folder) };
}

/** What an earlier import left; undefined when the folder is new. A registry that is not in order is not touched. */
function existingSources(out: string): Sources | undefined {
  recover(stageOf(out));
  if (!existsSync(out)) return undefined;
  if (!existsSync(join(out, 'history'))) {
    checkOutput(out, join(out, 'history'));
    return undefined;
  }
  const sources = loadSources({ registry: out });
  const recorded = sources.history.revisions.find(({ origin }) => origin === 'recorded');
  if (recorded) fail(finding('import-recorded', { id: recorded.id }));
  // The head may break rules that only a build must insist on; what must hold is that nothing would be lost.
  const lost = checkFindings(sources).filter(({ code }) => code !== 'cluster-count');
  if (lost.length > 0) fail(...lost);
  return sources;
}

/** The commits that the registry does not have yet, after the others were made known to the importer. */
function skipKnown(
  planned: readonly PlannedCommit[],
  { history }: Sources,
  translator: Importer,
): PlannedCommit[] {
  const ids = new Map(planned.map(({ commit }) => [commit.id, commit]));
  for (const [index, { id, parents }] of history.revisions.entries()) {
    if (ids.get(id)?.parents.join() !== parents.join()) fail(finding('import-rewritten', { id }));
    translator.know(id, history.states[index] ?? null);
  }
  return planned.filter(({ commit }) => !history.indexOf.has(commit.id));
}

function writeResources(root: string, before: RegistryState, after: RegistryState, store: BodyStore): void {
  for (const { path, after: resource } of stateDifference(before, after)) {
    const item = parsePath(path);
    if (!item) continue;
    const text = resource ? encodeYaml(storedObject(store, resource.body.handle)) : null;
    replaceFile(root, fileOfResource(item), text);
  }
}

/** A configuration with what the registry itself tells, beside a new registry that has none. */
function writeConfiguration(out: string, state: RegistryState): string | undefined {
  const file = join(dirname(resolve(out)), 'gridpress.yaml');
  if (existsSync(file)) return undefined;
  const clusters = new Map<string, number>();
  let hasOtherNodes = false;
  for (const [path] of resourcesIn(state)) {
    const kind = parsePath(path)?.kind.name;
    const uid = lastSegment(path);
    if (kind === 'cluster') clusters.set(uid, (clusters.get(uid) ?? 0) + 1);
    if (kind === 'node' && !isUuid(uid)) hasOtherNodes = true;
  }
  const [commonest] = [...clusters].sort((a, b) => b[1] - a[1]);
  const configuration = {
    cluster_uid: commonest?.[0] ?? 'cluster',
    ...(hasOtherNodes ? { node_uid: 'name' } : {}),
  };
  writeFileSync(file, encodeYaml(configuration));
  return file;
}
