/** Counting a plan before anything is written, and refusing one that is too large for its bounds. */
import { rawFormOf } from '../../core/api/endpoints.ts';
import type { Publication } from '../../core/api/publication.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { fileOfUrl, INDEX_NAME, namesOfUrl, type Variants, variantFilesOf } from '../../core/tree/layout.ts';
import type { TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { causesOfFiles } from '../../core/tree/plan/file-causes.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import { urlsIn } from '../../core/tree/plan/section-urls.ts';
import { hostLimitFindings, overBound, type Tally } from './host-limits.ts';
import type { Hosting } from './hosting.ts';

/** What the tree will hold. Ends the command when it would break `max_files` or a bound of a chosen host. */
export function measurePlan(
  plan: Plan,
  publication: Publication,
  hosting: Hosting,
  { max_files, host_plan }: Pick<Configuration, 'max_files' | 'host_plan'>,
): TreeCounts {
  const snapshots = [...publication.snapshots];
  const filesOf = fileCounter(hosting.variants);
  // One more is the manifest.
  const others = plan.files().length + hosting.files.size + hosting.listings.length + 1;
  const tally = tallyOf(plan, publication, hosting, { filesOf, others });
  const findings: Finding[] = [];
  const over = overBound(tally.files, snapshots, max_files);
  const { names, pretty, precompressed } = hosting.variants;
  if (over) {
    const ways = {
      hasHistory: tellsHistory(publication),
      hasVersionLinks: publication.linkedRevisions.size > 0,
      hasIndexFiles: names.includes(INDEX_NAME),
      hasTimemaps: publication.hasTimemaps,
      hasVariants: pretty || precompressed,
    };
    const { found: files, ...rest } = over;
    const said = { files, limit: max_files, snapshots: snapshots.length, ...rest, ...ways };
    findings.push(finding('max-files', { ...said, causes: causesOfFiles(plan, filesOf, others) }));
  }
  findings.push(
    ...hostLimitFindings(hosting, {
      plan,
      tally,
      snapshots,
      hostPlan: host_plan,
      hasHistory: tellsHistory(publication),
      isRefused: over !== undefined,
    }),
  );
  if (findings.length > 0) fail(...findings);
  return tally.counts;
}

/** Whether there is history in the tree that could be left out. */
function tellsHistory({ head, bound }: Publication): boolean {
  return head > 0 && (bound?.isTold(head) ?? true);
}

/** Every file that a document or an alias has. */
function namesOf(url: string, variants: Variants): string[] {
  const file = fileOfUrl(url);
  return [file, ...namesOfUrl(url, variants), ...variantFilesOf(file, variants)];
}

/** How many they are, for many. */
function fileCounter(variants: Variants): (url: string) => number {
  const [atRoot = 0, elsewhere = 0] = ['/', '/x'].map((url) => namesOf(url, variants).length);
  return (url) => {
    if (rawFormOf(url) !== undefined) return namesOf(url, variants).length;
    return url === '/' ? atRoot : elsewhere;
  };
}

interface Counting {
  readonly filesOf: (url: string) => number;
  /** Files that are no documents. */
  readonly others: number;
}

function tallyOf(
  plan: Plan,
  publication: Publication,
  { variants, hosts }: Hosting,
  { filesOf, others }: Counting,
): Tally {
  const files = new Map<number | undefined, number>([[undefined, others]]);
  const tallied = (sections: Plan['documents'] | Plan['aliases']) => {
    let entries = 0;
    for (const section of sections) {
      let written = 0;
      for (const { url, count } of urlsIn(section)) {
        written += count * filesOf(url);
        entries += count;
      }
      files.set(section.snapshot, (files.get(section.snapshot) ?? 0) + written);
    }
    return entries;
  };
  const counts = {
    documents: tallied(plan.documents),
    aliases: tallied(plan.aliases),
    snapshots: publication.snapshots.size,
  };
  const hasFolderLimit = hosts.some(({ limits }) => limits.some((limit) => limit.of === 'directory-files'));
  return { counts, files, largestFolder: hasFolderLimit ? largestFolder(plan, variants) : ['', 0] };
}

/** The folder that holds most files, which takes listing all of them. */
function largestFolder({ documents, aliases }: Plan, variants: Variants): Tally['largestFolder'] {
  const folders = new Map<string, number>();
  for (const { list } of [...documents, ...aliases]) {
    for (const { url } of list()) {
      for (const name of namesOf(url, variants)) {
        const folder = pathAbove(name);
        folders.set(folder, (folders.get(folder) ?? 0) + 1);
      }
    }
  }
  return [...folders].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0]);
}
