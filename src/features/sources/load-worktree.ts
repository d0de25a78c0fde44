/** Loading what the working files of a registry say, whatever its history says: who asks nothing else loads no history. */

import { failAll } from '../../core/diagnostics/failure.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configured/source-limits.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { type Registry, readRegistry, sourceReader } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { makerOf } from './index-maker.ts';
import type { KeptSources } from './kept-sources.ts';
import { readConfiguration } from './read-configuration.ts';
import { indexedSources } from './read-indexed-sources.ts';
import { checkRegistry, type RegistryPlace, registryFolder } from './registry-files.ts';

export interface WorktreeOptions extends RegistryPlace {
  /** Whether history and files are taken from their indexes as far as these go: see `withIndex`. */
  readonly isIndexed?: boolean;
  /**
   * Whether all is about to be rendered: then no index of working files is made, and a history of few revisions is read without
   * one, since bodies that are in memory already are rendered faster than they are found in an index.
   */
  readonly rendersAll?: boolean;
  /** Whether the indexes are held against all files as they are read, and not only against their times. */
  readonly isThorough?: boolean;
  /** What is known from the last reading, in a process that reads the same registry again and again. */
  readonly kept?: KeptSources;
}

export interface Worktree {
  readonly configuration: Configuration;
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
  return all.length > 0 ? failAll(all) : { configuration, worktree: registry.state, store };
}

/** All that is no history, with whatever is wrong with it. */
export function readWorktree(
  sources: ReadFolder,
  { registry, isIndexed, rendersAll = false, isThorough = false, kept }: WorktreeOptions,
  configuration: Configuration,
  store: BodyStore,
): Registry {
  const { folder } = sources;
  const read = sourceReader(folder, store, packagedChecks());
  if (isIndexed !== true && !kept) return readRegistry(folder, configuration, store, read);
  const maker = makerOf({ kinds: kindsWith(configuration.kinds), limits: sourceLimits(configuration) });
  const indexed = kept
    ? kept.reader(sources, store, maker)
    : indexedSources(sources, read, { registry, isThorough, maker, store, keeps: !rendersAll });
  const found = readRegistry(folder, configuration, store, indexed.read);
  indexed.keep();
  return found;
}
