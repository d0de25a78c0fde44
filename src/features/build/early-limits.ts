/**
 * Refusing a tree that cannot fit before its sources are read: how many resources there are, the names of the files tell,
 * and each has documents of its own. Of registries that are read in a moment the exact numbers are told instead.
 */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import { resourceOfFile } from '../../core/registry/layout.ts';
import { namesOfUrl, type Variants, variantFilesOf } from '../../core/tree/layout.ts';
import { unlessRefused } from '../../system/files/system-errors.ts';
import { readConfiguration } from '../sources/read-configuration.ts';
import type { BuildOptions, ListedOptions } from './build-options.ts';
import { hostsOf, variantsOf } from './hosting.ts';

/** Fewer resources are read at once. */
const FEWEST = 5000;

/** The least that the tree has of each resource: what, as JSON in all variants or as a file alone. */
const OF_EACH = [
  ['resources', 'json'],
  ['histories', 'json'],
  ['latest versions', 'json'],
  ['versions', 'json'],
] as const;
const TIMEMAPS_OF_EACH = [
  ['TimeMaps', 'json'],
  ['TimeMaps as links', 'raw'],
] as const;

/** Documents of which each resource has bytes of its own: itself, its history, a version. */
const OWN_DOCUMENTS = 3;

/** Ends the command where the tree would break `max_files`, a bound of a chosen host, or have no room on the disk. */
export async function checkEarly(options: ListedOptions, isNew: boolean): Promise<void> {
  // What was there at another revision, no file says.
  if (options.at !== undefined) return;
  const configuration = readConfiguration(options);
  const kinds = kindsWith(configuration.kinds);
  const files = options.listing.files.filter((file) => resourceOfFile(file, kinds) !== undefined);
  if (files.length < FEWEST) return;
  const hosts = await hostsOf(configuration, options);
  const causes = causesOf(files.length, variantsOf(configuration, hosts, options), configuration.timemaps);
  const found = causes.reduce((sum, [, count]) => sum + count, 0);
  const findings: Finding[] = [];
  const limit = configuration.max_files;
  const told = { found, resources: files.length, causes };
  if (found > limit) findings.push(finding('max-files-early', { ...told, limit }));
  for (const { title, limits } of hosts) {
    for (const { of, most: free, paid, source } of limits) {
      const most = configuration.host_plan === 'paid' ? (paid ?? free) : free;
      if (of === 'files' && found > most)
        findings.push(finding('host-files-early', { ...told, host: title, most, source }));
    }
  }
  if (isNew) findings.push(...roomFindings(options, files));
  if (findings.length > 0) fail(...findings);
}

function causesOf(resources: number, variants: Variants, hasTimemaps: boolean): [what: string, files: number][] {
  const json = 1 + namesOfUrl('/x', variants).length + variantFilesOf('x.json', variants).length;
  const raw = 1 + (variants.precompressed ? 2 : 0);
  return [...OF_EACH, ...(hasTimemaps ? TIMEMAPS_OF_EACH : [])].map(([what, form]) => [
    what,
    resources * (form === 'json' ? json : raw),
  ]);
}

/** Each body is in its item, in its collection and in a version at least. */
const TIMES_WRITTEN = 2;

/** Whether a new tree has room: for its bytes, and where a file system counts its files for those. */
function roomFindings({ out, registry }: BuildOptions, files: readonly string[]): Finding[] {
  let place = dirname(resolve(out));
  while (!existsSync(place)) place = dirname(place);
  const disk = unlessRefused(() => statfsSync(place));
  if (!disk) return [];
  const read = files.reduce((sum, file) => sum + statSync(join(registry, file)).size, 0);
  const [needed, free] = [read * TIMES_WRITTEN, disk.bavail * disk.bsize];
  if (needed > free) return [finding('disk-room', { needed, free, place })];
  const documents = files.length * OWN_DOCUMENTS;
  const isCounted = disk.files > 0;
  return isCounted && documents > disk.ffree
    ? [finding('disk-files', { needed: documents, free: disk.ffree, place })]
    : [];
}
