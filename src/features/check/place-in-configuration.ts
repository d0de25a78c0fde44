/** Where the value to which a way leads stands in the configuration's file. */
import { readFileSync } from 'node:fs';
import type { Place } from '../../core/diagnostics/finding.ts';
import { locate } from '../../core/registry/yaml/yaml-positions.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { configurationFile } from '../sources/configuration-file.ts';
import type { SourceOptions } from '../sources/load-sources.ts';

export function placeInConfiguration(options: SourceOptions, way: readonly PropertyKey[]): Place {
  const file = configurationFile(options);
  return locate(shownPath(file), readFileSync(file, 'utf8'), way);
}
