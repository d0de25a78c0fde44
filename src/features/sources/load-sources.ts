import { type Finding, failAll, finding } from '../../core/diagnostics/finding.ts';
import { type Graph, headsOf } from '../../core/history/graph.ts';
import { type History, stateDigest } from '../../core/history/replay.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { type Kinds, kindsWith } from '../../core/model/kinds.ts';
import { type BodyStore, type RegistryState, sharedState, stateDifference } from '../../core/model/state.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { withPendingEdit } from './edit-plan.ts';
import { readStampedHeads, type StampOptions, saveStamp } from './history-stamp.ts';
import { readWorktree, type WorktreeOptions } from './load-worktree.ts';
import { decodeConfiguration } from './read-configuration.ts';
import { type HistoryOptions, readHeads, readHistory } from './read-history.ts';
import { checkRegistry, readConfigurationFile, registryFolder } from './registry-files.ts';

export interface SourceOptions extends WorktreeOptions, StampOptions {
  /** Whether the history may have several heads, as before a merge. */
  readonly isMerging?: boolean;
}

export interface HeadSources extends Pick<ReadFolder, 'digestOf'> {
  readonly configuration: Configuration;
  readonly configurationBytes: Buffer;
  readonly folder: SourceFolder;
  readonly worktree: RegistryState;
  readonly history: Graph & { readonly kinds: Kinds };
  /** Maps the identifier of each head to the state of the registry at this head. */
  readonly heads: ReadonlyMap<string, RegistryState>;
  /** The number in the name of the last revision file. */
  readonly lastNumber: number;
  readonly store: BodyStore;
  readonly findings: readonly Finding[];
  readonly historyFindings: readonly Finding[];
}

export interface Sources extends HeadSources {
  readonly history: History;
  /** Returns a digest of the loaded files and of the texts in `others`. */
  readonly digest: (others: readonly string[]) => string;
}

/** Throws only if the registry or the configuration is missing. All other problems are findings. */
export function loadSources(options: SourceOptions): Sources {
  const { configuration, configurationBytes, opened } = openSources(options);
  const { folder, findings, digest, digestOf } = opened;
  const asked = historyOptions(options, configuration);
  const limits = sourceLimits(configuration);
  const kept = options.sourceCache?.history(opened, { ...asked, limits });
  const store = kept?.store ?? memoryStore();
  const registry = readWorktree(opened, options, configuration, store);
  const { history, ...read } = kept ?? readHistory(folder, store, asked);
  const heads = read.findings.length > 0 ? [] : headsOf(history.revisions);
  const states = heads.map(({ id }) => [id, itemAt(history.states, getOrThrow(history.indexOf, id))] as const);
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
  saveStamp(options, opened, { ...read, graph: history, heads: sources.heads }, { kinds: asked.kinds, limits });
  return sources;
}

/** Reads the registry files and the states at the heads. Does not replay revisions that a stamp covers. */
export function loadHeadSources(options: SourceOptions): HeadSources {
  const { configuration, configurationBytes, opened } = openSources(options);
  const { folder, findings, digestOf } = opened;
  const limits = sourceLimits(configuration);
  const store = memoryStore();
  const registry = readWorktree(opened, options, configuration, store);
  const asked = historyOptions(options, configuration);
  const { kinds } = asked;
  const state = { worktree: registry.state, store };
  const stamped = asked.isMerging ? undefined : readStampedHeads(options, opened, state, { kinds, limits });
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
  if (stamped?.isWhole !== true) saveStamp(options, opened, read, { kinds, limits });
  return sources;
}

function openSources(options: SourceOptions) {
  checkRegistry(options.registry);
  const configurationBytes = readConfigurationFile(options);
  const configuration = decodeConfiguration(options, configurationBytes);
  return { configuration, configurationBytes, opened: registryFolder(options, sourceLimits(configuration)) };
}

function historyOptions({ isMerging = false }: SourceOptions, { kinds }: Configuration): HistoryOptions {
  return { isMerging, kinds: kindsWith(kinds) };
}

/** Throws all findings of the registry, if any. */
export function loadCheckedSources(options: SourceOptions): Sources {
  return withPendingEdit(options.registry, () => {
    const sources = withSharedStates(loadSources(options));
    const findings = checkFindings(sources);
    if (findings.length > 0) failAll(findings);
    return sources;
  });
}

/** Stores a resource only once if it is equal in the registry files and at the head, to save memory. */
function withSharedStates(sources: Sources): Sources {
  const { worktree, history } = sources;
  return { ...sources, worktree: sharedState(worktree, history.states.at(-1) ?? null) };
}

/** Unrecorded changes are also a finding. */
export function checkFindings(sources: HeadSources): Finding[] {
  if (sources.findings.length > 0) return [...sources.findings];
  const head = sources.history.revisions.at(-1);
  if (!head) return [finding('history-empty', {})];
  if (stateDigest(sources.worktree) === head.state) return [];
  const changes = changedPaths(getOrThrow(sources.heads, head.id), sources.worktree);
  return changes ? [finding('unrecorded-changes', changes)] : [];
}

/** Throws if the history is empty or invalid. */
export function requireHistory<T extends HeadSources>(sources: T): T {
  const { history, findings, historyFindings } = sources;
  if (historyFindings.length > 0) return failAll(historyFindings);
  if (history.revisions.length > 0) return sources;
  // Other findings can explain why the history is empty.
  return failAll(findings.length > 0 ? findings : [finding('history-empty', {})]);
}

/** Returns the paths of resources that differ between two states, or undefined for equal states. */
export function changedPaths(old: RegistryState, now: RegistryState) {
  const added: string[] = [];
  const updated: string[] = [];
  const removed: string[] = [];
  for (const { path, before, after } of stateDifference(old, now)) {
    (before ? (after ? updated : removed) : added).push(path);
  }
  return added.length + updated.length + removed.length > 0 ? { added, updated, removed } : undefined;
}
