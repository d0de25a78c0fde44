/** Loading the sources: configuration, registry and history, checked one by one and against each other. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { type Graph, headsOf } from '../../core/history/graph.ts';
import { type History, stateDigest } from '../../core/history/replay.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { type Kinds, kindsWith } from '../../core/model/kinds.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { type BodyStore, type RegistryState, sharedState, stateDifference } from '../../core/model/state.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { readConfigurationFile } from './configuration-file.ts';
import { readWorktree, type WorktreeOptions } from './load-worktree.ts';
import { decodeConfiguration, readConfiguration } from './read-configuration.ts';
import { type HistoryOptions, readHeads, readHistory } from './read-history.ts';
import { checkRegistry, registryFolder } from './registry-files.ts';
import { keepStamp, readStampedHeads, type StampOptions } from './stamped-heads.ts';

export interface SourceOptions extends WorktreeOptions, StampOptions {
  /** Whether the history has two heads, which a merge is to join. */
  readonly isMerging?: boolean;
}

/** The sources with the heads of the history, which say what is not recorded yet. */
export interface HeadSources extends Pick<ReadFolder, 'digestOf'> {
  readonly configuration: Configuration;
  /** The file that says it. */
  readonly configurationBytes: Buffer;
  readonly folder: SourceFolder;
  /** The registry as its files say it is. */
  readonly worktree: RegistryState;
  readonly history: Graph & { readonly kinds: Kinds };
  /** The states after the heads of the history, by their identifiers. */
  readonly heads: ReadonlyMap<string, RegistryState>;
  /** The number of the last revision file, by its name. */
  readonly lastNumber: number;
  readonly store: BodyStore;
  readonly findings: readonly Finding[];
  /** Those of them that are about the history. */
  readonly historyFindings: readonly Finding[];
}

export interface Sources extends HeadSources {
  readonly history: History;
  /** The digest of the sources as they were read, and of whatever else decides what a build gives. */
  readonly digest: (others: readonly string[]) => string;
}

/** Reads everything. What is wrong is in the findings; only a missing registry or configuration ends the command. */
export function loadSources(options: SourceOptions): Sources {
  const { configuration, configurationBytes, opened } = openSources(options);
  const { folder, findings, digest, digestOf } = opened;
  const asked = historyOptions(options, configuration);
  const limits = sourceLimits(configuration);
  const kept = options.kept?.history(opened, { ...asked, limits });
  const store = kept?.store ?? memoryStore();
  const registry = readWorktree(opened, options, configuration, store);
  const { history, ...read } = kept ?? readHistory(folder, store, asked);
  const heads = read.findings.length > 0 ? [] : headsOf(history.revisions);
  const states = heads.map(({ id }) => [id, itemAt(history.states, mustGet(history.indexOf, id))] as const);
  const sources = {
    configuration,
    configurationBytes,
    folder,
    digestOf,
    worktree: registry.state,
    history,
    heads: new Map(states),
    lastNumber: read.lastNumber,
    store,
    findings: [...findings, ...registry.findings, ...read.findings],
    historyFindings: read.findings,
    digest: (others: readonly string[]) => digest([configurationBytes.toString('latin1'), ...others]),
  };
  keepStamp(options, opened, { ...read, graph: history, heads: sources.heads }, { kinds: asked.kinds, limits });
  return sources;
}

/** The same without the past: a history that was replayed by an earlier command is not replayed again. */
export function loadHeadSources(options: SourceOptions): HeadSources {
  const { configuration, configurationBytes, opened } = openSources(options);
  const { folder, findings, digestOf } = opened;
  const limits = sourceLimits(configuration);
  const store = memoryStore();
  const registry = readWorktree(opened, options, configuration, store);
  const asked = historyOptions(options, configuration);
  const { kinds } = asked;
  const state = { worktree: registry.state, store };
  const stamped = asked.heads === 1 ? readStampedHeads(options, opened, state, { kinds, limits }) : undefined;
  const read = stamped ?? readHeads(folder, store, asked);
  const sources = {
    configuration,
    configurationBytes,
    folder,
    digestOf,
    worktree: registry.state,
    history: { ...read.graph, kinds },
    heads: read.heads,
    lastNumber: read.lastNumber,
    store,
    findings: [...findings, ...registry.findings, ...read.findings],
    historyFindings: read.findings,
  };
  if (stamped?.isWhole !== true) keepStamp(options, opened, read, { kinds, limits });
  return sources;
}

export interface RecordedState {
  readonly configuration: Configuration;
  readonly store: BodyStore;
  readonly revision: RevisionHeader;
  /** The state after the revision. */
  readonly state: RegistryState;
}

/** The state after a revision, for which the history is replayed up to there. What is wrong with it ends the command. */
export function loadStateAt(options: SourceOptions, indexIn: (graph: Graph) => number): RecordedState {
  checkRegistry(options.registry);
  const configuration = readConfiguration(options);
  const { folder } = registryFolder(options, sourceLimits(configuration), HISTORY_FOLDER);
  const store = memoryStore();
  const { graph, heads, findings } = readHeads(folder, store, historyOptions(options, configuration), indexIn);
  if (findings.length > 0) return failAll(findings);
  const revision = graph.revisions.at(-1);
  if (!revision) return failAll(requireHistory(loadHeadSources(options)).findings);
  return { configuration, store, revision, state: mustGet(heads, revision.id) };
}

function openSources(options: SourceOptions) {
  checkRegistry(options.registry);
  const configurationBytes = readConfigurationFile(options);
  const configuration = decodeConfiguration(options, configurationBytes);
  return { configuration, configurationBytes, opened: registryFolder(options, sourceLimits(configuration)) };
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

/** What the files and the head of the history say alike is in memory once. */
function withSharedStates(sources: Sources): Sources {
  const { worktree, history } = sources;
  return { ...sources, worktree: sharedState(worktree, history.states.at(-1) ?? null) };
}

/** All that is wrong with the sources, changes that the history does not know included. */
export function checkFindings(sources: HeadSources): Finding[] {
  if (sources.findings.length > 0) return [...sources.findings];
  const head = sources.history.revisions.at(-1);
  if (!head) return [finding('history-empty', {})];
  if (stateDigest(sources.worktree) === head.state) return [];
  const changes = changedPaths(mustGet(sources.heads, head.id), sources.worktree);
  return changes ? [finding('unrecorded-changes', changes)] : [];
}

/** The sources of a command that compares them with the history: what is wrong with the history ends the command. */
export function requireHistory<T extends HeadSources>(sources: T): T {
  const { history, findings, historyFindings } = sources;
  if (historyFindings.length > 0) return failAll(historyFindings);
  if (history.revisions.length > 0) return sources;
  // What else is wrong may tell why there is none.
  return failAll(findings.length > 0 ? findings : [finding('history-empty', {})]);
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
