/** Questions about single resources, answered from the revision files that mention them. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { NotInOrder } from '../../core/history/excerpt.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configured/source-limits.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { readBodies, type SourceFolder } from '../../core/registry/registry.ts';
import { readSource } from '../../system/files/plain-file.ts';
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

/** What `ask` answers. Where something that it reads is not in order, the whole history is replayed to report it. */
export function askHistory<T>(options: SourceOptions, ask: (history: AskedHistory) => T): T {
  try {
    return ask(openHistory(options));
  } catch (error) {
    return failToAsk(error, options);
  }
}

/** The same of a question that is answered later. */
export async function askHistoryLater<T>(
  options: SourceOptions,
  ask: (history: AskedHistory) => Promise<T>,
): Promise<T> {
  try {
    return await ask(openHistory(options));
  } catch (error) {
    return failToAsk(error, options);
  }
}

function openHistory(options: SourceOptions): AskedHistory {
  const { registry } = options;
  checkRegistry(registry);
  const configuration = readConfiguration(options);
  const kinds = kindsWith(configuration.kinds);
  const limits = sourceLimits(configuration);
  const { folder } = registryFolder(options, limits, HISTORY_FOLDER);
  // Without the digests that others need of the files.
  const read = (file: string) => {
    const shown = `${folder.name}/${file}`;
    return reading(shown, () => readSource(`${registry}/${file}`, limits.revision_bytes, shown, 'revision_bytes'));
  };
  const present = lazily(() => {
    const store = memoryStore();
    return { store, state: readBodies(registryFolder(options, limits).folder, store, kinds).state };
  });
  return { ...scanHistory({ ...folder, read }, kinds), configuration, folder, present };
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
