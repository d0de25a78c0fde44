/** Questions about single resources, answered from the revision files that mention them. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { NotInOrder } from '../../core/history/excerpt.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import { itemPath, parsePath } from '../../core/model/resource-path.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { readBodies, type SourceFolder } from '../../core/registry/registry.ts';
import { readSmallSource, readSource } from '../../system/files/plain-file.ts';
import { reading } from '../../system/files/system-errors.ts';
import { loadHeadSources, requireHistory, type SourceOptions } from './load-sources.ts';
import { readConfiguration } from './read-configuration.ts';
import { readHeads } from './read-history.ts';
import { checkRegistry, registryFolder, revisionFiles } from './registry-files.ts';
import { type HistoryScan, scanHistory } from './scan-history.ts';

export interface AskedHistory extends HistoryScan {
  readonly configuration: Configuration;
  readonly folder: SourceFolder;
  /** The resources as the working files describe them, for suggestions. */
  readonly present: () => { readonly state: RegistryState; readonly store: BodyStore };
}

/**
 * What `ask` answers. Where something that it reads is not in order, the whole history is replayed to report it. `about` is
 * the resource of the question, as the user names it: files that mention it are read once.
 */
export function askHistory<T>(options: SourceOptions, ask: (history: AskedHistory) => T, about = ''): T {
  try {
    return ask(openHistory(options, about));
  } catch (error) {
    return failToAsk(error, options);
  }
}

/** The same of a question that is answered later. */
export async function askHistoryLater<T>(
  options: SourceOptions,
  ask: (history: AskedHistory) => Promise<T>,
  about = '',
): Promise<T> {
  try {
    return await ask(openHistory(options, about));
  } catch (error) {
    return failToAsk(error, options);
  }
}

function openHistory(options: SourceOptions, about: string): AskedHistory {
  const { registry } = options;
  checkRegistry(registry);
  const configuration = readConfiguration(options);
  const kinds = kindsWith(configuration.kinds);
  const limits = sourceLimits(configuration);
  const { folder } = registryFolder(options, limits, HISTORY_FOLDER);
  const subject = about.includes('/') ? parsePath(about, kinds) : undefined;
  // Names lead to paths, for which all files are searched again.
  const room = fileRoom(subject === undefined && about !== '');
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
  return { ...scanHistory({ ...folder, read }, kinds, hint), configuration, folder, present };
}

const ROOM_BYTES = 1 << 22;
/** Bytes. Of a longer history, files are read again for each question. */
const MOST_KEPT = 1 << 27;

/** Reads files one behind the other into few large buffers, which is faster than a buffer for each. Undefined for long files. */
function fileRoom(keeps: boolean) {
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
      if (!bytes || !keeps || kept + bytes.length > MOST_KEPT) return bytes;
      known.set(path, bytes);
      used += bytes.length;
      kept += bytes.length;
      return bytes;
    },
  };
}

function failToAsk(error: unknown, options: SourceOptions): never {
  if (!(error instanceof NotInOrder)) throw error;
  const configuration = readConfiguration(options);
  const { folder } = registryFolder(options, sourceLimits(configuration), HISTORY_FOLDER);
  const { findings } = readHeads(folder, memoryStore(), { heads: 1, kinds: kindsWith(configuration.kinds) });
  if (findings.length > 0) return failAll(findings);
  if (revisionFiles(folder).length === 0) requireHistory(loadHeadSources(options));
  throw error;
}
