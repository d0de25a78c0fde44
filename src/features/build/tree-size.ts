/** Counts a plan before anything is written, and refuses one that is too large for its bounds. */

import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rawFormOf } from '../../core/api/endpoints.ts';
import type { Publication } from '../../core/api/publication.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { Limit } from '../../core/hosts/host.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { INDEX_NAME, namesOfUrl, type Variants } from '../../core/tree/layout.ts';
import type { TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { causesOfFiles, countFiles, type FileCounts, largestFolder } from '../../core/tree/plan/count-files.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import { unlessRefused } from '../../system/files/system-errors.ts';
import type { ListedOptions } from './build-options.ts';
import type { Hosting } from './hosting.ts';

/** Files: a larger tree is counted no further, unless a bound is higher, because each million takes seconds. */
const MOST_COUNTED = 2_000_000;

/** Returns what the tree will hold. Fails where it would break `max_files` or a bound of a chosen host. */
export function measurePlan(
  plan: Plan,
  publication: Publication,
  hosting: Hosting,
  { max_files, host_plan }: Pick<Configuration, 'max_files' | 'host_plan'>,
): TreeCounts {
  const snapshots = [...publication.snapshots];
  const { hosts, variants } = hosting;
  const bounds = hosts.flatMap(({ limits }) => limits.filter(({ of }) => of === 'files'));
  const most = Math.max(MOST_COUNTED, max_files, ...bounds.map((limit) => mostOf(limit, host_plan)));
  // One more is the manifest.
  const others = plan.files().length + hosting.files.size + hosting.listings.length + 1;
  const counted = { plan, variants, others, most };
  const counts = countFiles(counted);
  const { files, filesBySnapshot, isComplete } = counts;
  const { head, bound, linkedRevisions, hasTimemaps } = publication;
  const hasHistory = head > 0 && (bound?.isTold(head) ?? true);
  const findings: Finding[] = [];
  const over = overBound(filesBySnapshot, snapshots, max_files);
  if (over) {
    const { without, fits } = over;
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
  findings.push(
    ...hostLimitFindings(hosting, {
      plan,
      counts,
      snapshots,
      hostPlan: host_plan,
      hasHistory,
      isRefused: over !== undefined,
    }),
  );
  if (findings.length > 0) fail(...findings);
  return { documents: counts.documents, aliases: counts.aliases, snapshots: snapshots.length };
}

/** Smaller registries fit on every disk. */
const FEWEST_SOURCES = 5000;
/** Each body is written at least twice: in its item and in a version. */
const TIMES_WRITTEN = 2;

/** Fails where the disk has no room for a new tree. Some file systems have room for a fixed number of files. */
export function checkRoom({ out, registry, listing }: ListedOptions, { documents }: TreeCounts): void {
  if (listing.files.length < FEWEST_SOURCES) return;
  let place = dirname(resolve(out));
  while (!existsSync(place)) place = dirname(place);
  const disk = unlessRefused(() => statfsSync(place));
  if (!disk) return;
  const read = listing.files.reduce((sum, file) => sum + statSync(join(registry, file)).size, 0);
  const [needed, free] = [read * TIMES_WRITTEN, disk.bavail * disk.bsize];
  if (needed > free) fail(finding('disk-room', { needed, free, place }));
  const hasBound = disk.files > 0;
  if (hasBound && documents > disk.ffree) fail(finding('disk-files', { needed: documents, free: disk.ffree, place }));
}

/** Numbers of each snapshot, and under undefined those of all the rest. */
type BySnapshot = ReadonlyMap<number | undefined, number>;

interface Measured {
  readonly plan: Plan;
  readonly counts: FileCounts;
  readonly snapshots: readonly number[];
  /** Whether there is history that could be left out. */
  readonly hasHistory: boolean;
  /** Whose bounds hold, where a host has several. */
  readonly hostPlan: Configuration['host_plan'];
  readonly isRefused: boolean;
}

/**
 * A finding for each bound of a chosen host that the tree would break: on sizes, once the numbers are within bounds, since all
 * documents are rendered for that. Hosts keep those on redirects, rules and their configuration themselves: they write no
 * more than fits, and say so in their statements.
 */
function hostLimitFindings(hosting: Hosting, measured: Measured): Finding[] {
  const ofNumbers = findingsOf(hosting, measured, (limit) => !isOfSizes(limit));
  if (measured.isRefused || ofNumbers.length > 0) return ofNumbers;
  return findingsOf(hosting, measured, isOfSizes);
}

/** The bound of a limit for who has this plan of the host. */
function mostOf({ most, paid }: Limit, plan: Configuration['host_plan']): number {
  return plan === 'paid' ? (paid ?? most) : most;
}

function isOfSizes({ of }: Limit): boolean {
  return of === 'tree-size' || of === 'file-size';
}

function findingsOf({ hosts, variants }: Hosting, measured: Measured, isAsked: (limit: Limit) => boolean): Finding[] {
  let sizes: Sizes | undefined;
  const sizesOf = () => {
    sizes ??= measureSizes(measured.plan, variants);
    return sizes;
  };
  return hosts.flatMap(({ title, limits }) =>
    limits.filter(isAsked).flatMap((limit) => {
      const { of, paid, source } = limit;
      const most = mostOf(limit, measured.hostPlan);
      const found = foundOf({ of, most }, measured, { variants, sizesOf });
      if (!found) return [];
      const more = paid !== undefined && paid > most ? { paid } : {};
      // A file is as large as what is in it now.
      const hasHistory = measured.hasHistory && of !== 'file-size';
      return [finding('host-limit', { host: title, of, most, source, ...more, ...found, hasHistory })];
    }),
  );
}

/** By how much a bound is exceeded, and how many of the snapshots would fit; undefined when all do. */
function overBound(numbers: BySnapshot, snapshots: readonly number[], most: number) {
  const without = numbers.get(undefined) ?? 0;
  let found = without;
  let fits = 0;
  for (const index of snapshots) {
    found += numbers.get(index) ?? 0;
    if (found <= most) fits++;
  }
  return found > most ? { found, without, fits } : undefined;
}

interface Found {
  readonly found: number;
  /** False where there is more than was counted. */
  readonly isComplete?: boolean;
  readonly where: string;
  readonly fits: string;
}

function foundOf(
  { of, most }: Pick<Limit, 'of' | 'most'>,
  { plan, counts, snapshots }: Measured,
  { variants, sizesOf }: { readonly variants: Variants; readonly sizesOf: () => Sizes },
): Found | undefined {
  switch (of) {
    case 'files':
      return treeFound(counts.filesBySnapshot, snapshots, most, counts.isComplete);
    case 'tree-size':
      return treeFound(sizesOf().bytes, snapshots, most);
    case 'directory-files': {
      const [folder, found] = largestFolder(plan, variants);
      const fits = 'fewer revisions with snapshots: each adds a version to every resource';
      return found > most ? { found, where: folder || 'the root', fits } : undefined;
    }
    case 'file-size': {
      const { url, size } = sizesOf().largest;
      const fits = 'smaller collections: no setting makes this one smaller';
      return size > most ? { found: size, where: url, fits } : undefined;
    }
    case 'redirects':
    case 'header-rules':
    case 'configuration-size':
      return undefined;
    default:
      return of satisfies never;
  }
}

function treeFound(
  numbers: BySnapshot,
  snapshots: readonly number[],
  most: number,
  isComplete = true,
): Found | undefined {
  const over = overBound(numbers, snapshots, most);
  if (!over) return undefined;
  const fits =
    over.without > most
      ? 'not even a tree without snapshots'
      : `a tree with the newest ${over.fits} of ${snapshots.length} snapshots`;
  return { found: over.found, isComplete, where: 'the tree', fits };
}

interface Sizes {
  readonly largest: { readonly url: string; readonly size: number };
  /** The bytes of all documents under all of their names, without compressed variants. */
  readonly bytes: BySnapshot;
}

/** Renders every document once, which is why only hosts with a bound on sizes make it happen. */
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
      const indented =
        variants.pretty && rawFormOf(url) === undefined
          ? Buffer.byteLength(JSON.stringify(JSON.parse(text), null, 2))
          : 0;
      known.set(url, size + indented);
      add(snapshot, url, size + indented);
      if (size > largest.size) largest = { url, size };
    }
  }
  for (const { snapshot, list } of aliases) {
    for (const { url, target } of list()) add(snapshot, url, known.get(target) ?? 0);
  }
  return { largest, bytes };
}
