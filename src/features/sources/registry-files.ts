/** The files of a registry, whatever they say: listed, read and digested. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { HIGHEST_SOURCE_LIMITS, type SourceLimits } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { type FolderListing, listFolder, type ReadFolder, readFolder } from '../../system/files/read-folder.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { type ConfigurationPlace, readConfigurationFile } from './configuration-file.ts';

/** A registry and its configuration. */
export interface RegistryPlace extends ConfigurationPlace {
  /** The files of the registry, where they were listed before. */
  readonly listing?: FolderListing;
}

/** The folder of a registry, or one part of it. */
export function registryFolder({ registry, listing }: RegistryPlace, limits: SourceLimits, part?: string): ReadFolder {
  const name = shownPath(registry);
  const isListed = listing !== undefined && part === undefined;
  return readFolder(registry, name, limits, isListed ? listing : listFolder(registry, name, part));
}

/** All files of a registry, of which none is read. */
export function listSources({ registry }: Pick<RegistryPlace, 'registry'>): FolderListing {
  checkRegistry(registry);
  return listFolder(registry, shownPath(registry));
}

export function checkRegistry(registry: string): void {
  if (!existsSync(join(registry, 'grid.yaml')) && !existsSync(join(registry, HISTORY_FOLDER))) {
    fail(finding('no-registry', { folder: registry }));
  }
}

/** The digest that `Sources` has, without looking at what the sources say. */
export function digestOfSources(options: RegistryPlace, others: readonly string[]): string {
  checkRegistry(options.registry);
  // What the configuration says is for those who read the sources: of its bytes, too, only the digest is asked.
  const { digest } = registryFolder(options, HIGHEST_SOURCE_LIMITS);
  return digest([readConfigurationFile(options).toString('latin1'), ...others]);
}

/** The files of its history. */
export function revisionFiles(folder: Pick<FolderListing, 'files'>): string[] {
  return folder.files.filter((file) => file.startsWith(`${HISTORY_FOLDER}/`) && file.endsWith('.yaml'));
}
