/** Loading the sources: configuration, registry and history, checked one by one and against each other. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { type History, stateAfter, stateDigest } from '../../core/history/replay.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configured/source-limits.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import { type BodyStore, type RegistryState, sharedState, stateDifference } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { readConfigurationFile } from './configuration-file.ts';
import { readWorktree, type WorktreeOptions } from './load-worktree.ts';
import { decodeConfiguration, readConfiguration } from './read-configuration.ts';
import { type HistoryOptions, readHistory } from './read-history.ts';
import { readIndexedHistory, replayedHistory, type StoredHistory } from './read-indexed-history.ts';
import { checkRegistry, registryFolder } from './registry-files.ts';

export interface SourceOptions extends WorktreeOptions {
  /** Whether the history has two heads, which a merge is to join. */
  readonly isMerging?: boolean;
}

export interface Sources extends Pick<ReadFolder, 'digestOf'> {
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
  const opened = registryFolder(options, sourceLimits(configuration));
  const { folder, findings, digest, digestOf } = opened;
  const isKnown = options.isIndexed === true || options.kept !== undefined;
  const indexed = isKnown ? historyIn(opened, options, configuration) : undefined;
  const store = indexed?.store ?? memoryStore();
  const registry = readWorktree(opened, options, configuration, store);
  const history = indexed ?? readHistory(folder, store, historyOptions(options, configuration));
  return {
    configuration,
    configurationBytes,
    folder,
    digestOf,
    worktree: registry.state,
    history: history.history,
    lastNumber: history.lastNumber,
    store,
    findings: [...findings, ...registry.findings, ...history.findings],
    historyFindings: history.findings,
    digest: (others) => digest([configurationBytes.toString('latin1'), ...others]),
  };
}

/** The history alone, in order: what is wrong with it ends the command. */
export function loadHistory(options: SourceOptions): Pick<Sources, 'configuration' | 'history' | 'store'> {
  checkRegistry(options.registry);
  const configuration = readConfiguration(options);
  const folder = registryFolder(options, sourceLimits(configuration), HISTORY_FOLDER);
  const read = historyIn(folder, options, configuration);
  if (read.findings.length > 0) return failAll(read.findings);
  // What else is wrong may tell why there is none.
  return read.history.revisions.length > 0 ? { ...read, configuration } : requireHistory(loadSources(options));
}

function historyIn(sources: ReadFolder, options: SourceOptions, configuration: Configuration): StoredHistory {
  const { registry, isThorough = false, rendersAll = false, kept } = options;
  const asked = historyOptions(options, configuration);
  const limits = sourceLimits(configuration);
  if (kept) return kept.history(sources, { ...asked, registry, limits });
  if (options.isIndexed === true) {
    const indexesFew = !rendersAll;
    return readIndexedHistory(sources, { ...asked, registry, limits, isThorough, indexesFew });
  }
  return replayedHistory(sources.folder, asked);
}

function historyOptions({ isMerging }: SourceOptions, { kinds }: Configuration): HistoryOptions {
  return { heads: isMerging === true ? 2 : 1, kinds: kindsWith(kinds) };
}

/** The sources of a command that builds on a registry in good order: every finding ends it. */
export function loadCheckedSources(options: SourceOptions): Sources {
  const sources = withSharedStates(loadSources(options));
  const findings = checkFindings(sources);
  if (findings.length > 0) failAll(findings);
  return sources;
}

/** What the files and the head of a replayed history say alike is in memory once. */
function withSharedStates(sources: Sources): Sources {
  const { worktree, history } = sources;
  if (history.lookup) return sources;
  return { ...sources, worktree: sharedState(worktree, history.states.at(-1) ?? null) };
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
  const head = history.revisions.length - 1;
  // The head's state is made only where something differs from it.
  if (stateDigest(worktree) === itemAt(history.revisions, head).state) return undefined;
  const changes = changedPaths(stateAfter(history, head), worktree);
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
