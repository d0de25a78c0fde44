/** Counts the files of a plan before a build writes any file, and checks the limits. */

import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rawFormOf } from '../../core/api/endpoints.ts';
import type { Publication } from '../../core/api/publication.ts';
import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import type { Limit } from '../../core/hosts/host.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { type Lazy, lazily } from '../../core/platform/on-demand.ts';
import { INDEX_NAME, namesOfUrl, type Variants } from '../../core/tree/layout.ts';
import type { TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { causesOfFiles, countFiles, type FileCounts, largestFolder } from '../../core/tree/plan/count-files.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import { undefinedOnSystemError } from '../../system/files/system-errors.ts';
import type { ListedOptions } from './build-options.ts';
import type { Hosting } from './hosting.ts';

/** The maximum number of counted files, unless a limit is higher. Counting a million files takes seconds. */
const MOST_COUNTED = 2_000_000;

/** Fails if the tree would exceed `max_files` or a limit of a chosen host. */
export function measurePlan(
  plan: Plan,
  publication: Publication,
  hosting: Hosting,
  { max_files, host_plan }: Pick<Configuration, 'max_files' | 'host_plan'>,
): TreeCounts {
  const snapshots = [...publication.snapshots];
  const { variants } = hosting;
  const limits = hosting.hosts.flatMap(({ title, limits }) =>
    limits.map((limit) => ({
      ...limit,
      host: title,
      allowed: host_plan === 'paid' ? (limit.paid ?? limit.most) : limit.most,
    })),
  );
  const fileLimits = limits.filter(({ of }) => of === 'files').map(({ allowed }) => allowed);
  const counted = {
    plan,
    variants,
    otherFiles: plan.files().length + hosting.files.size + hosting.listings.length + 1,
    maxFiles: Math.max(MOST_COUNTED, max_files, ...fileLimits),
  };
  const counts = countFiles(counted);
  const { files, filesBySnapshot, isComplete } = counts;
  const { head, bound, linkedRevisions, hasTimemaps } = publication;
  const hasHistory = head > 0 && (bound?.isIncluded(head) ?? true);
  const findings: Finding[] = [];
  const excess = excessOf(filesBySnapshot, snapshots, max_files);
  if (excess) {
    const { without, fits } = excess;
    findings.push(
      finding('max-files', {
        files,
        limit: max_files,
        isComplete,
        without,
        snapshots: snapshots.length,
        fits,
        hasHistory,
        hasVersionLinks: linkedRevisions.size > 0,
        hasIndexFiles: variants.names.includes(INDEX_NAME),
        hasTimemaps,
        hasVariants: variants.pretty || variants.precompressed,
        causes: causesOfFiles(counted),
      }),
    );
  }
  const measured = { plan, variants, counts, snapshots, sizes: lazily(() => measureSizes(plan, variants)) };
  const check = (areSizes: boolean) => {
    for (const { host, of, allowed, paid, source } of limits) {
      if ((of === 'tree-size' || of === 'file-size') !== areSizes) continue;
      const exceeding = exceedingPart(of, allowed, measured);
      if (!exceeding) continue;
      const more = paid !== undefined && paid > allowed ? { paid } : {};
      // A shorter history does not make a single file smaller.
      const canOmitHistory = hasHistory && of !== 'file-size';
      findings.push(
        finding('host-limit', { host, of, most: allowed, source, ...more, ...exceeding, hasHistory: canOmitHistory }),
      );
    }
  };
  check(false);
  // Sizes require rendering all documents. So sizes are checked only if all numbers are within the limits.
  if (findings.length === 0) check(true);
  if (findings.length > 0) fail(...findings);
  return { documents: counts.documents, aliases: counts.aliases, snapshots: snapshots.length };
}

/** The minimum number of registry files for this check. Smaller registries need less space than any disk has. */
const FEWEST_SOURCES = 5000;
/** The minimum number of times that a build writes each body: in its item and in a version. */
const TIMES_WRITTEN = 2;

/** Fails if the disk has too little space for a new tree. On some file systems, also fails if it has too few inodes. */
export function checkRoom({ out, registry, listing }: ListedOptions, { documents }: TreeCounts): void {
  if (listing.files.length < FEWEST_SOURCES) return;
  let place = dirname(resolve(out));
  while (!existsSync(place)) place = dirname(place);
  const disk = undefinedOnSystemError(() => statfsSync(place));
  if (!disk) return;
  const read = listing.files.reduce((sum, file) => sum + statSync(join(registry, file)).size, 0);
  const [needed, free] = [read * TIMES_WRITTEN, disk.bavail * disk.bsize];
  if (needed > free) fail(finding('disk-room', { needed, free, place }));
  const hasInodes = disk.files > 0;
  if (hasInodes && documents > disk.ffree) fail(finding('disk-files', { needed: documents, free: disk.ffree, place }));
}

/** Numbers by snapshot. The key undefined stands for all files outside of snapshots. */
type BySnapshot = ReadonlyMap<number | undefined, number>;

/**
 * Compares the total with a limit. Returns the total, the part outside of snapshots, and the number of newest snapshots
 * within the limit.
 */
function excessOf(numbers: BySnapshot, snapshots: readonly number[], limit: number) {
  const without = numbers.get(undefined) ?? 0;
  let found = without;
  let fits = 0;
  for (const index of snapshots) {
    found += numbers.get(index) ?? 0;
    if (found <= limit) fits++;
  }
  return found > limit ? { found, without, fits } : undefined;
}

interface Measured {
  readonly plan: Plan;
  readonly variants: Variants;
  readonly counts: FileCounts;
  readonly snapshots: readonly number[];
  readonly sizes: Lazy<Sizes>;
}

/**
 * Returns the part of a tree that exceeds a limit, and the part within the limit. Hosts check the limits on their
 * configuration themselves.
 */
function exceedingPart(of: Limit['of'], limit: number, { plan, variants, counts, snapshots, sizes }: Measured) {
  const wholeTree = (numbers: BySnapshot, isComplete = true) => {
    const excess = excessOf(numbers, snapshots, limit);
    if (!excess) return undefined;
    const fits =
      excess.without > limit
        ? 'not even a tree without snapshots'
        : `a tree with the newest ${excess.fits} of ${snapshots.length} snapshots`;
    return { found: excess.found, isComplete, where: 'the tree', fits };
  };
  switch (of) {
    case 'files':
      return wholeTree(counts.filesBySnapshot, counts.isComplete);
    case 'tree-size':
      return wholeTree(sizes().bytes);
    case 'directory-files': {
      const [folder, found] = largestFolder(plan, variants);
      const fits = 'fewer revisions with snapshots: each adds a version to every resource';
      return found > limit ? { found, where: folder || 'the root', fits } : undefined;
    }
    case 'file-size': {
      const { url, size } = sizes().largest;
      const fits = 'smaller collections: no setting makes this one smaller';
      return size > limit ? { found: size, where: url, fits } : undefined;
    }
    case 'redirects':
    case 'header-rules':
    case 'configuration-size':
      return undefined;
    default:
      return of satisfies never;
  }
}

interface Sizes {
  readonly largest: { readonly url: string; readonly size: number };
  /** The number of bytes under all names. Compressed variants are not counted. */
  readonly bytes: BySnapshot;
}

function measureSizes({ documents, aliases }: Plan, variants: Variants): Sizes {
  let largest = { url: '', size: 0 };
  const bytes = new Map<number | undefined, number>();
  const known = new Map<string, number>();
  const add = (snapshot: number | undefined, url: string, written: number) => {
    const names = 1 + namesOfUrl(url, variants).length;
    bytes.set(snapshot, (bytes.get(snapshot) ?? 0) + names * written);
  };
  for (const { snapshot, list } of documents) {
    for (const { url, body } of list()) {
      const text = body();
      const size = Buffer.byteLength(text);
      const hasPretty = variants.pretty && rawFormOf(url) === undefined;
      const written = size + (hasPretty ? Buffer.byteLength(JSON.stringify(JSON.parse(text), null, 2)) : 0);
      known.set(url, written);
      add(snapshot, url, written);
      if (size > largest.size) largest = { url, size };
    }
  }
  for (const { snapshot, list } of aliases)
    for (const { url, target } of list()) add(snapshot, url, known.get(target) ?? 0);
  return { largest, bytes };
}
