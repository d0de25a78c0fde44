/** Counts a plan before anything is written, and refuses one that is too large for its bounds. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Publication } from '../../core/api/publication.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { INDEX_NAME } from '../../core/tree/layout.ts';
import type { TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { causesOfFiles, countFiles } from '../../core/tree/plan/count-files.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import { unlessRefused } from '../../system/files/system-errors.ts';
import type { ListedOptions } from './build-options.ts';
import { hostLimitFindings, mostOf, overBound } from './host-limits.ts';
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
