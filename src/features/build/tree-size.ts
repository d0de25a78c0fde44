import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rawFormOf } from '../../core/api/endpoints.ts';
import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import type { Host, Limit } from '../../core/hosts/host.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { namesOfUrl, type Variants } from '../../core/tree/layout.ts';
import type { TreeCounts } from '../../core/tree/manifest/manifest.ts';
import {
  type CountOptions,
  causesOfFiles,
  countFiles,
  type FileCounts,
  largestFolder,
} from '../../core/tree/plan/count-files.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import { undefinedOnSystemError } from '../../system/files/system-errors.ts';
import type { ListedOptions } from './build-options.ts';
import type { Hosting } from './hosting.ts';

/** Counting stops at this number of files, to save time. If a limit is higher, counting stops at the highest limit. */
const MOST_COUNTED = 2_000_000;

type Limits = Pick<Configuration, 'max_files' | 'host_plan'>;

interface HostLimit extends Limit {
  readonly host: string;
  readonly allowed: number;
}

function hostLimits(hosts: readonly Host[], { host_plan }: Limits): HostLimit[] {
  return hosts.flatMap(({ title, limits }) =>
    limits.map((limit) => ({
      ...limit,
      host: title,
      allowed: host_plan === 'paid' ? (limit.paid ?? limit.most) : limit.most,
    })),
  );
}

/** Returns the minimum of `max_files` and the file limits of the hosts. */
export function mostFiles(hosts: readonly Host[], limits: Limits): number {
  const ofHosts = hostLimits(hosts, limits).flatMap(({ of, allowed }) => (of === 'files' ? [allowed] : []));
  return Math.min(limits.max_files, ...ofHosts);
}

/** Counts the files that are not documents, including the manifest. */
export function otherFilesOf(plan: Plan, { files, listings }: Pick<Hosting, 'files' | 'listings'>): number {
  return plan.files().length + files.size + listings.length + 1;
}

/** Returns a finding about an exceeded limit. `settings` contains lines for gridpress.yaml that make the tree fit. */
export type ExceededLimit = (settings: readonly string[]) => Finding;

export interface MeasuredPlan {
  readonly counts: Pick<TreeCounts, 'documents' | 'aliases'>;
  readonly exceeded: readonly ExceededLimit[];
}

export function measurePlan(plan: Plan, { hosts, variants, ...others }: Hosting, limits: Limits): MeasuredPlan {
  const { max_files } = limits;
  const ofHosts = hostLimits(hosts, limits);
  const fileLimits = ofHosts.filter(({ of }) => of === 'files').map(({ allowed }) => allowed);
  const maxFiles = Math.max(MOST_COUNTED, max_files, ...fileLimits);
  const counted: CountOptions = { plan, variants, otherFiles: otherFilesOf(plan, others), maxFiles };
  const counts = countFiles(counted);
  const { files, isComplete } = counts;
  const exceeded: ExceededLimit[] = [];
  if (files > max_files) {
    const causes = lazily(() => causesOfFiles(counted));
    exceeded.push((settings) =>
      finding('max-files', { files, limit: max_files, isComplete, causes: causes(), settings }),
    );
  }
  const measured = { plan, variants, counts, sizes: lazily(() => measureSizes(plan, variants)) };
  const check = (areSizes: boolean) => {
    for (const { host, of, allowed, paid, source } of ofHosts) {
      if ((of === 'tree-size' || of === 'file-size') !== areSizes) continue;
      const exceeding = exceedingPart(of, allowed, measured);
      if (!exceeding) continue;
      const more = paid !== undefined && paid > allowed ? { paid } : {};
      exceeded.push((settings) =>
        finding('host-limit', { host, of, most: allowed, source, ...more, ...exceeding, settings }),
      );
    }
  };
  check(false);
  // Checks the sizes last, because measuring the sizes requires rendering all documents.
  if (exceeded.length === 0) check(true);
  return { counts, exceeded };
}

/** A registry with fewer files is not checked, because its tree fits on any disk. */
const FEWEST_SOURCES = 5000;
/** A build writes the body of a resource twice: in its item and in a version. */
const TIMES_WRITTEN = 2;

/** Fails if the disk has too little space or too few inodes for a new tree. */
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

interface Measured {
  readonly plan: Plan;
  readonly variants: Variants;
  readonly counts: FileCounts;
  readonly sizes: () => Sizes;
}

/** Each host's own module checks the limits on the host's configuration. */
function exceedingPart(of: Limit['of'], limit: number, { plan, variants, counts, sizes }: Measured) {
  const above = (found: number, where: string, isComplete = true) =>
    found > limit ? { found, where, isComplete } : undefined;
  switch (of) {
    case 'files':
      return above(counts.files, 'the tree', counts.isComplete);
    case 'tree-size':
      return above(sizes().bytes, 'the tree');
    case 'directory-files': {
      const [folder, found] = largestFolder(plan, variants);
      return above(found, folder || 'the root');
    }
    case 'file-size': {
      const { url, size } = sizes().largest;
      return above(size, url);
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
  /** The total size of documents and aliases in bytes, without compressed variants. */
  readonly bytes: number;
}

function measureSizes({ documents, aliases }: Plan, variants: Variants): Sizes {
  let largest = { url: '', size: 0 };
  let bytes = 0;
  const known = new Map<string, number>();
  const add = (url: string, written: number) => {
    bytes += written * (1 + namesOfUrl(url, variants).length);
  };
  for (const { list } of documents) {
    for (const { url, body } of list()) {
      const text = body();
      const size = Buffer.byteLength(text);
      const hasPretty = variants.pretty && rawFormOf(url) === undefined;
      const written = size + (hasPretty ? Buffer.byteLength(JSON.stringify(JSON.parse(text), null, 2)) : 0);
      known.set(url, written);
      add(url, written);
      if (size > largest.size) largest = { url, size };
    }
  }
  for (const { list } of aliases) for (const { url, target } of list()) add(url, known.get(target) ?? 0);
  return { largest, bytes };
}
