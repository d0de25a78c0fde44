/** The file of the configuration beside a registry, whatever it says. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { readSource } from '../../system/files/plain-file.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { reading } from '../../system/files/system-errors.ts';

export interface ConfigurationPlace {
  readonly registry: string;
  /** By default `gridpress.yaml` beside the registry. */
  readonly config?: string | undefined;
}

export function configurationFile({ registry, config }: ConfigurationPlace): string {
  return config ?? join(dirname(resolve(registry)), 'gridpress.yaml');
}

export function readConfigurationFile(options: ConfigurationPlace): Buffer {
  const file = configurationFile(options);
  if (!existsSync(file)) fail(finding('no-configuration', { file: shownPath(file) }));
  return reading(file, () => readSource(file, FILE_BYTES, shownPath(file)));
}
