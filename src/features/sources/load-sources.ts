/** Loading the sources: configuration, registry and history, checked one by one and against each other. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { type Finding, finding, type Place } from '../../core/diagnostics/finding.ts';
import { orderGraph } from '../../core/history/graph.ts';
import { type History, replay } from '../../core/history/replay.ts';
import {
  type ResourceChange,
  type RevisionFile,
  readRevisionFile,
} from '../../core/history/revision-file.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configured/source-limits.ts';
import { type Kinds, kindsWith } from '../../core/model/kinds.ts';
import { type BodyStore, type RegistryState, stateDifference } from '../../core/model/state.ts';
import { mustGet } from '../../core/platform/certain.ts';
import { HIGHEST_SOURCE_LIMITS, type SourceLimits } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { placeOf, readRegistry, type SourceFolder, shownFile } from '../../core/registry/registry.ts';
import { type ReadFolder, readFolder } from '../../system/files/read-folder.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { openStage, recover, type Stage, stageOf } from '../../system/trees/staging.ts';
import {
  type ConfigurationPlace,
  decodeConfiguration,
  readConfiguration,
  readConfigurationFile,
} from './read-configuration.ts';

export interface SourceOptions extends ConfigurationPlace {
  /** Whether the history has two heads, which a merge is to join. */
  readonly isMerging?: boolean;
  /** Gets each revision file as it was read, in no certain order. */
  readonly onRevision?: (revision: RevisionFile) => void;
}

export interface Sources {
  readonly configuration: Configuration;
  /** The file that says it. */
  readonly configurationBytes: Buffer;
  readonly folder: SourceFolder;
  /** The registry as its files say it is. */
  readonly worktree: RegistryState;
  readonly history: History;
  /** The number of the last revision file, by its name. */
  readonly lastNumber: number;
  readonly store: BodyStore;
  readonly findings: readonly Finding[];
  /** Those of them that are about the history. */
  readonly historyFindings: readonly Finding[];
  /** The digest of the sources as they were read, and of whatever else decides what a build gives. */
  readonly digest: (others: readonly string[]) => string;
}

/** Reads everything. What is wrong is in the findings; only a missing registry or configuration ends the command. */
export function loadSources(options: SourceOptions): Sources {
  checkRegistry(options.registry);
  const configurationBytes = readConfigurationFile(options);
  const configuration = decodeConfiguration(options, configurationBytes);
  const { folder, findings, digest } = registryFolder(options, sourceLimits(configuration));
  const store = memoryStore();
  const registry = readRegistry(folder, configuration, store, packagedChecks());
  const heads = options.isMerging === true ? 2 : 1;
  const kinds = kindsWith(configuration.kinds);
  const history = readHistory(folder, store, heads, kinds, options.onRevision);
  return {
    configuration,
    configurationBytes,
    folder,
    worktree: registry.state,
    history: history.history,
    lastNumber: history.lastNumber,
    store,
    findings: [...findings, ...registry.findings, ...history.findings],
    historyFindings: history.findings,
    digest: (others) => digest([configurationBytes.toString('latin1'), ...others]),
  };
}

/** The registry as its files say it is, whatever its history says. What is wrong with them ends the command. */
export function loadWorktree(options: SourceOptions): Pick<Sources, 'configuration' | 'worktree' | 'store'> {
  checkRegistry(options.registry);
  const configuration = readConfiguration(options);
  const { folder, findings } = registryFolder(options, sourceLimits(configuration));
  const store = memoryStore();
  const registry = readRegistry(folder, configuration, store, packagedChecks());
  const all = [...findings, ...registry.findings];
  return all.length > 0 ? failAll(all) : { configuration, worktree: registry.state, store };
}

/** The sources of a command that builds on a registry in good order: every finding ends it. */
export function loadCheckedSources(options: SourceOptions): Sources {
  const sources = loadSources(options);
  const findings = checkFindings(sources);
  if (findings.length > 0) failAll(findings);
  return sources;
}

/** All that is wrong with the sources, changes that the history does not know included. */
export function checkFindings(sources: Sources): Finding[] {
  if (sources.findings.length > 0) return [...sources.findings];
  if (sources.history.revisions.length === 0) return [finding('history-empty', {})];
  const changes = unrecordedChanges(sources);
  return changes ? [changes] : [];
}

/** The sources of a command that reads the history alone: what is wrong with it ends the command. */
export function requireHistory(sources: Sources): Sources {
  const { history, findings, historyFindings } = sources;
  if (historyFindings.length > 0) return failAll(historyFindings);
  if (history.revisions.length > 0) return sources;
  return failAll(findings.length > 0 ? findings : [finding('history-empty', {})]);
}

/** The finding that names what the registry has and its history does not know. */
function unrecordedChanges({ history, worktree }: Sources): Finding | undefined {
  const changes = changedPaths(history.states.at(-1) ?? null, worktree);
  return changes && finding('unrecorded-changes', changes);
}

/** The resources in which two states differ; undefined when there are none. */
export function changedPaths(old: RegistryState, now: RegistryState) {
  const added: string[] = [];
  const updated: string[] = [];
  const removed: string[] = [];
  for (const { path, before, after } of stateDifference(old, now)) {
    (before ? (after ? updated : removed) : added).push(path);
  }
  return added.length + updated.length + removed.length > 0 ? { added, updated, removed } : undefined;
}

function emptyHistory(kinds: Kinds): History {
  return { kinds, revisions: [], parents: [], indexOf: new Map(), states: [], changes: [] };
}

function registryFolder({ registry }: SourceOptions, limits: SourceLimits): ReadFolder {
  return readFolder(registry, shownPath(registry), limits);
}

function checkRegistry(registry: string): void {
  // An import that was killed between its two renames has left it beside its place.
  if (!existsSync(registry)) recover(stageOf(registry));
  if (!existsSync(join(registry, 'grid.yaml')) && !existsSync(join(registry, HISTORY_FOLDER))) {
    fail(finding('no-registry', { folder: registry }));
  }
}

/** The stage of a registry's history. Whoever has it is the only one that adds revisions. */
export function openHistory(registry: string): Stage {
  checkRegistry(registry);
  return openStage(join(registry, HISTORY_FOLDER));
}

/** The digest that `Sources` would have, without looking at what the sources say. */
export function digestOfSources(options: SourceOptions, others: readonly string[]): string {
  checkRegistry(options.registry);
  // What the configuration says is for those who read the sources: of its bytes, too, only the digest is asked.
  const { digest } = registryFolder(options, HIGHEST_SOURCE_LIMITS);
  return digest([readConfigurationFile(options).toString('latin1'), ...others]);
}

export interface ReadHistory {
  readonly history: History;
  readonly lastNumber: number;
  readonly findings: readonly Finding[];
}

/** Reads and replays the revision files of a registry. What is wrong with one leaves the history empty. */
export function readHistory(
  folder: SourceFolder,
  store: BodyStore,
  heads: 1 | 2,
  kinds: Kinds,
  onRevision: (revision: RevisionFile) => void = () => {},
): ReadHistory {
  const check = packagedChecks()('revision');
  const files = folder.files.filter(
    (file) => file.startsWith(`${HISTORY_FOLDER}/`) && file.endsWith('.yaml'),
  );
  const lastNumber = Math.max(
    0,
    ...files.map((file) => Number.parseInt(file.slice(HISTORY_FOLDER.length + 1), 10) || 0),
  );
  const findings: Finding[] = folder.files
    .filter(isStrayRevision)
    .map((file) =>
      finding('file-unexpected', { expected: REVISION_FILES }, { file: shownFile(folder, file) }),
    );
  const read = new Map<string, RevisionFile & { readonly file: string }>();
  for (const file of files) {
    const revision = readRevisionFile(shownFile(folder, file), folder.read(file), check);
    if (revision.findings) {
      findings.push(...revision.findings);
      continue;
    }
    onRevision(revision.value);
    const { id } = revision.value.header;
    const other = read.get(id);
    if (other)
      findings.push(
        finding('revision-twice', { id, other: shownFile(folder, other.file) }, placeOf(folder, file, 'id')),
      );
    else read.set(id, { ...revision.value, file });
  }
  if (findings.length > 0 || read.size === 0) return { history: emptyHistory(kinds), lastNumber, findings };

  const place = (id: string, ...path: PropertyKey[]): Place =>
    placeOf(folder, mustGet(read, id).file, ...path);
  const headers = [...read.values()].map(({ header }) => header);
  const ordered = orderGraph(headers, place, heads);
  if (ordered.findings) return { history: emptyHistory(kinds), lastNumber, findings: ordered.findings };
  const changesOf = (id: string): readonly ResourceChange[] => mustGet(read, id).changes;
  return { ...replay(ordered.graph, changesOf, store, place, kinds), lastNumber };
}

/** How the files of revisions are called. */
const REVISION_FILES = `${HISTORY_FOLDER}/NNNNNN-IDENTIFIER.yaml`;

/** A file that looks like a revision and would be passed over. */
function isStrayRevision(file: string): boolean {
  return file.startsWith(`${HISTORY_FOLDER}/`) && /\.(yml|json)$/i.test(file);
}
