import { failAll } from '../../core/diagnostics/finding.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { type Kinds, kindsWith } from '../../core/model/kinds.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { type Registry, readRegistry, type SourceFolder, sourceReader } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { readConfiguration } from './read-configuration.ts';
import { checkRegistry, type RegistryPlace, registryFolder } from './registry-files.ts';
import type { SourceCache } from './source-cache.ts';

export interface WorktreeOptions extends RegistryPlace {
  readonly sourceCache?: SourceCache;
}

export interface Worktree {
  readonly configuration: Configuration;
  readonly kinds: Kinds;
  readonly folder: SourceFolder;
  readonly worktree: RegistryState;
  readonly store: BodyStore;
}

/** Reads the current registry files. Throws all findings of the files, if any. */
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

export function readWorktree(
  sources: ReadFolder,
  { sourceCache }: WorktreeOptions,
  configuration: Configuration,
  store: BodyStore,
): Registry {
  const { folder } = sources;
  if (!sourceCache) return readRegistry(folder, configuration, store, sourceReader(folder, store, packagedChecks));
  const reader = sourceCache.reader(sources, store, configuration);
  const found = readRegistry(folder, configuration, store, reader.read);
  reader.keep();
  return found;
}

export interface ChangedFiles {
  /** The new texts of files. */
  readonly texts: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
}

interface ChangedRegistry extends Registry {
  readonly folder: SourceFolder;
}

/** Returns the registry after a change, with all findings that its files would have. Writes nothing. */
export function changedRegistry(
  { folder, configuration, store }: Worktree,
  { texts, removed }: ChangedFiles,
): ChangedRegistry {
  const left = new Set([...folder.files, ...texts.keys()]);
  for (const file of removed) left.delete(file);
  const read = (file: string) => {
    const text = texts.get(file);
    return text === undefined ? folder.read(file) : new TextEncoder().encode(text);
  };
  const changed = { ...folder, files: [...left].sort(byCodeUnit), read };
  const registry = readRegistry(changed, configuration, store, sourceReader(changed, store, packagedChecks));
  return { ...registry, folder: changed };
}
