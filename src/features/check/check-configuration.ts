/** What is wrong with the configuration beyond its schema: the hosts that it names must be there. */
import { readFileSync } from 'node:fs';
import { type Finding, finding, type Place } from '../../core/diagnostics/finding.ts';
import { distance, isClose } from '../../core/diagnostics/nearest.ts';
import { HOSTS, hostNamed } from '../../core/hosts/all.ts';
import { locate } from '../../core/registry/yaml/yaml-positions.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { configurationFile } from '../sources/configuration-file.ts';
import type { SourceOptions, Sources } from '../sources/load-sources.ts';

export function configurationFindings(options: SourceOptions, { configuration }: Sources): Finding[] {
  const known = HOSTS.map(({ name }) => name);
  return configuration.hosts.flatMap((name, i) => {
    if (hostNamed(name)) return [];
    const [nearest] = known
      .filter((each) => isClose(each, name))
      .sort((a, b) => distance(a, name) - distance(b, name));
    const place = placeInConfiguration(options, ['hosts', i]);
    return [finding('configuration-host', { name, nearest, known }, place)];
  });
}

/** Where the value to which a way leads stands in the configuration's file. */
export function placeInConfiguration(options: SourceOptions, way: readonly PropertyKey[]): Place {
  const file = configurationFile(options);
  return locate(shownPath(file), readFileSync(file, 'utf8'), way);
}
