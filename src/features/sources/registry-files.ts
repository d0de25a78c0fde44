import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { FILE_BYTES, HIGHEST_SOURCE_LIMITS, type SourceLimits } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER, REGISTRY_FOLDER } from '../../core/registry/layout.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readSource } from '../../system/files/file-io.ts';
import { type FolderListing, listFolder, type ReadFolder, readFolder } from '../../system/files/read-folder.ts';
import { reading } from '../../system/files/system-errors.ts';

export interface ConfigurationPlace {
  readonly registry: string;
  /** The path of the configuration. The default is `gridpress.yaml` in the folder of the registry. */
  readonly config?: string | undefined;
}

export interface RegistryPlace extends ConfigurationPlace {
  readonly listing?: FolderListing;
}

export function configurationFile({ registry, config }: ConfigurationPlace): string {
  return config ?? join(dirname(resolve(registry)), 'gridpress.yaml');
}

export function readConfigurationFile(options: ConfigurationPlace): Buffer {
  const file = configurationFile(options);
  if (!existsSync(file)) fail(finding('no-configuration', { file: displayPath(file) }));
  return reading(file, () => readSource(file, FILE_BYTES, displayPath(file)));
}

export function registryFolder({ registry, listing }: RegistryPlace, limits: SourceLimits, part?: string): ReadFolder {
  const name = displayPath(registry);
  const isListed = listing !== undefined && part === undefined;
  return readFolder(registry, name, limits, isListed ? listing : listFolder(registry, name, part));
}

export function listSources({ registry }: Pick<RegistryPlace, 'registry'>): FolderListing {
  checkRegistry(registry);
  return listFolder(registry, displayPath(registry));
}

export function checkRegistry(registry: string): void {
  if (isRegistry(registry)) return;
  fail(finding('no-registry', { folder: displayPath(registry), meant: registryInProject(registry) }));
}

/** Returns the path of the registry for messages if the folder is its project. */
export function registryInProject(folder: string): string | undefined {
  const inside = join(folder, REGISTRY_FOLDER);
  return isRegistry(inside) ? displayPath(inside) : undefined;
}

export function isRegistry(folder: string): boolean {
  return existsSync(join(folder, 'grid.yaml')) || existsSync(join(folder, HISTORY_FOLDER));
}

/** Returns the same digest as `Sources.digest`, but does not parse the files. */
export function digestOfSources(options: RegistryPlace, others: readonly string[]): string {
  checkRegistry(options.registry);
  const { digest } = registryFolder(options, HIGHEST_SOURCE_LIMITS);
  return digest([readConfigurationFile(options).toString('latin1'), ...others]);
}

/** Fails if the file of a new revision is too large, because no command could then read the registry. */
export function requireReadable(file: string, text: string, { revision_bytes: most }: SourceLimits): void {
  const size = Buffer.byteLength(text);
  if (size > most) fail(finding('revision-too-large', { file, reason: tooLargeReason(size, most) }));
}

export function revisionFiles(folder: Pick<FolderListing, 'files'>): string[] {
  return folder.files.filter((file) => file.startsWith(`${HISTORY_FOLDER}/`) && file.endsWith('.yaml'));
}
