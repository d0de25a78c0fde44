import { failAll } from '../../core/diagnostics/finding.ts';
import { NeedsReplay } from '../../core/history/excerpt.ts';
import type { Graph } from '../../core/history/graph.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import { itemPath, parsePath } from '../../core/model/resource-path.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { readBodies, type SourceFolder } from '../../core/registry/registry.ts';
import { readSmallSource, readSource } from '../../system/files/file-io.ts';
import { reading } from '../../system/files/system-errors.ts';
import { cachedStates } from './cached-states.ts';
import { loadHeadSources, requireHistory, type SourceOptions } from './load-sources.ts';
import { readConfiguration } from './read-configuration.ts';
import { readHeads } from './read-history.ts';
import { checkRegistry, registryFolder, revisionFiles } from './registry-files.ts';
import { type HistoryScan, scanHistory } from './scan-history.ts';

export interface SearchedHistory extends HistoryScan {
  readonly configuration: Configuration;
  readonly folder: SourceFolder;
  /** Returns the resources in the registry files. */
  readonly present: () => { readonly state: RegistryState; readonly store: BodyStore };
}

/** `about` is the path of the resource that `ask` reads. If data are invalid, a full replay reports all findings. */
export function searchHistory<T>(options: SourceOptions, ask: (history: SearchedHistory) => T, about = ''): T {
  try {
    return ask(openHistory(options, about));
  } catch (error) {
    return failToAsk(error, options);
  }
}

export async function searchHistoryLater<T>(
  options: SourceOptions,
  ask: (history: SearchedHistory) => Promise<T>,
  about = '',
): Promise<T> {
  try {
    return await ask(openHistory(options, about));
  } catch (error) {
    return failToAsk(error, options);
  }
}

export interface RecordedState {
  readonly configuration: Configuration;
  readonly store: BodyStore;
  readonly revision: RevisionHeader;
  readonly state: RegistryState;
}

export function loadStateAt(options: SourceOptions, indexIn: (graph: Graph) => number): RecordedState {
  return searchHistory(options, ({ configuration, graph, store, stateAt }) => {
    const index = indexIn(graph);
    return { configuration, store, revision: itemAt(graph.revisions, index), state: stateAt(index) };
  });
}

function openHistory(options: SourceOptions, about: string): SearchedHistory {
  const { registry } = options;
  checkRegistry(registry);
  const configuration = readConfiguration(options);
  const kinds = kindsWith(configuration.kinds);
  const limits = sourceLimits(configuration);
  const { folder, findings } = registryFolder(options, limits, HISTORY_FOLDER);
  if (findings.length > 0) failAll(findings);
  const subject = about.includes('/') ? parsePath(about, kinds) : undefined;
  // Keeps the files in memory, because a search by name reads the files twice.
  const room = fileBuffers(subject === undefined && about !== '');
  const read = (file: string) => {
    const [path, shown] = [`${registry}/${file}`, `${folder.name}/${file}`];
    const known = room.read(path, limits.revision_bytes);
    return known ?? reading(shown, () => readSource(path, limits.revision_bytes, shown, 'revision_bytes'));
  };
  const present = lazily(() => {
    const store = memoryStore();
    return { store, state: readBodies(registryFolder(options, limits).folder, store, kinds).state };
  });
  const hint = subject && itemPath(subject);
  const cacheOf = options.cache === false ? undefined : (graph: Graph) => cachedStates(registry, graph);
  return { ...scanHistory({ ...folder, read }, kinds, { hint, cacheOf }), configuration, folder, present };
}

const ROOM_BYTES = 1 << 22;
/** The maximum size of cached files in bytes. In a longer history, each search reads the files again. */
const MOST_KEPT = 1 << 27;

/** Reads files into a few large buffers, because one buffer per file is slower. Returns undefined for long files. */
function fileBuffers(cachesFiles: boolean) {
  const known = new Map<string, Buffer>();
  let room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  let used = 0;
  let kept = 0;
  return {
    read: (path: string, most: number): Buffer | undefined => {
      const held = known.get(path);
      if (held) return held;
      let bytes = readSmallSource(path, most, room.subarray(used));
      if (!bytes && used > 0) {
        room = Buffer.allocUnsafeSlow(ROOM_BYTES);
        used = 0;
        bytes = readSmallSource(path, most, room);
      }
      if (!bytes || !cachesFiles || kept + bytes.length > MOST_KEPT) return bytes;
      known.set(path, bytes);
      used += bytes.length;
      kept += bytes.length;
      return bytes;
    },
  };
}

function failToAsk(error: unknown, options: SourceOptions): never {
  if (!(error instanceof NeedsReplay)) throw error;
  const configuration = readConfiguration(options);
  const { folder } = registryFolder(options, sourceLimits(configuration), HISTORY_FOLDER);
  const { findings } = readHeads(folder, memoryStore(), { isMerging: false, kinds: kindsWith(configuration.kinds) });
  if (findings.length > 0) return failAll(findings);
  if (revisionFiles(folder).length === 0) requireHistory(loadHeadSources(options));
  throw error;
}
