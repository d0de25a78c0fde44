/** Loading what the working files of a registry say, whatever its history says: who asks nothing else loads no history. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { type Kinds, kindsWith } from '../../core/model/kinds.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { type Registry, readRegistry, type SourceFolder, sourceReader } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import type { KeptSources } from './kept-sources.ts';
import { readConfiguration } from './read-configuration.ts';
import { checkRegistry, type RegistryPlace, registryFolder } from './registry-files.ts';

export interface WorktreeOptions extends RegistryPlace {
  /** What is known from the last reading, in a process that reads the same registry again and again. */
  readonly kept?: KeptSources;
}

export interface Worktree {
  readonly configuration: Configuration;
  readonly kinds: Kinds;
  readonly folder: SourceFolder;
  /** The registry as its files say it is. */
  readonly worktree: RegistryState;
  readonly store: BodyStore;
}

/** What is wrong with the files ends the command. */
export function loadWorktree(options: WorktreeOptions): Worktree {
  checkRegistry(options.registry);
  const configuration = readConfiguration(options);
  const opened = registryFolder(options, sourceLimits(configuration));
  const store = memoryStore();
  const registry = readWorktree(opened, options, configuration, store);
  const all = [...opened.findings, ...registry.findings];
  if (all.length > 0) return failAll(all);
  const { folder } = opened;
  return { configuration, kinds: kindsWith(configuration.kinds), folder, worktree: registry.state, store };
}

/** All that is no history, with whatever is wrong with it. */
export function readWorktree(
  sources: ReadFolder,
  { kept }: WorktreeOptions,
  configuration: Configuration,
  store: BodyStore,
): Registry {
  const { folder } = sources;
  if (!kept) return readRegistry(folder, configuration, store, sourceReader(folder, store, packagedChecks()));
  const reader = kept.reader(sources, store, configuration);
  const found = readRegistry(folder, configuration, store, reader.read);
  reader.keep();
  return found;
}
