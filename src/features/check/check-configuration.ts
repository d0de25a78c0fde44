/** What is wrong with the configuration beyond its schema: the hosts that it names must be there. */
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { distance, isClose } from '../../core/diagnostics/nearest.ts';
import { HOSTS, hostNamed } from '../../core/hosts/all.ts';
import type { HeadSources, SourceOptions } from '../sources/load-sources.ts';
import { placeInConfiguration } from './place-in-configuration.ts';

export function configurationFindings(options: SourceOptions, { configuration }: HeadSources): Finding[] {
  const known = HOSTS.map(({ name }) => name);
  return configuration.hosts.flatMap((name, i) => {
    if (hostNamed(name)) return [];
    const [nearest] = known.filter((each) => isClose(each, name)).sort((a, b) => distance(a, name) - distance(b, name));
    const place = placeInConfiguration(options, ['hosts', i]);
    return [finding('configuration-host', { name, nearest, known }, place)];
  });
}
