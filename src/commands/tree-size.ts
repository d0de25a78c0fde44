/** Counting a plan before anything is written, and refusing one that is too large for its bounds. */
import { rawFormOf } from '../api/endpoints.ts';
import type { Publication } from '../api/publication.ts';
import { tombstones } from '../api/tombstone.ts';
import { type Finding, finding } from '../diagnostics/finding.ts';
import type { Limit } from '../hosts/host.ts';
import { fail } from '../io/failure.ts';
import { pathAbove } from '../model/resource-path.ts';
import { companionsOf, fileOfUrl, namesOfUrl } from '../site/layout.ts';
import type { TreeCounts } from '../site/manifest.ts';
import type { Plan, PlannedDocument, Unit } from '../site/planned.ts';
import type { Hosting } from './hosting.ts';

/** The manifest and the two error documents. */
const OTHER_FILES = 3;

interface Tally {
  readonly counts: TreeCounts;
  /** The files of each snapshot, and under undefined those of all the rest. */
  readonly files: ReadonlyMap<number | undefined, number>;
  readonly largestFolder: readonly [folder: string, files: number];
}

/** What the tree will hold. Ends the command when it would break `max_files` or a bound of a chosen host. */
export function measurePlan(
  plan: Plan,
  publication: Publication,
  hosting: Hosting,
  maxFiles: number,
): TreeCounts {
  const snapshots = [...publication.snapshots];
  const tally = tallyOf(plan, publication, hosting);
  const findings: Finding[] = [];
  const over = overFiles(tally, snapshots, maxFiles);
  if (over) findings.push(finding('max-files', over));
  for (const host of hosting.hosts) {
    for (const limit of host.limits) {
      const found = foundOf(limit, tally, snapshots, plan);
      if (found)
        findings.push(
          finding('host-limit', {
            host: host.title,
            of: limit.of,
            most: limit.most,
            source: limit.source,
            ...found,
          }),
        );
    }
  }
  if (findings.length > 0) fail(...findings);
  return tally.counts;
}

function tallyOf(
  plan: Plan,
  publication: Publication,
  { variants, files: hostFiles, hosts }: Hosting,
): Tally {
  const others = OTHER_FILES + hostFiles.size + [...tombstones(publication)].length;
  const files = new Map<number | undefined, number>([[undefined, others]]);
  const namesOf = (url: string) => {
    const file = fileOfUrl(url);
    return [file, ...namesOfUrl(url, variants), ...companionsOf(file, variants)];
  };
  const [atRoot = 0, elsewhere = 0] = ['/', '/x'].map((url) => namesOf(url).length);
  const filesOf = (url: string) => {
    if (rawFormOf(url) !== undefined) return 1;
    return url === '/' ? atRoot : elsewhere;
  };
  const hasFolderLimit = hosts.some(({ limits }) => limits.some((limit) => limit.of === 'directory-files'));
  const folders = new Map<string, number>();
  const count = (units: readonly Unit<{ readonly url: string }>[]) => {
    let entries = 0;
    for (const { snapshot, list } of units) {
      let written = 0;
      for (const { url } of list()) {
        written += filesOf(url);
        if (hasFolderLimit) namesOf(url).forEach(countFolder);
        entries++;
      }
      files.set(snapshot, (files.get(snapshot) ?? 0) + written);
    }
    return entries;
  };
  const countFolder = (name: string) => {
    const folder = pathAbove(name);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  };
  const counts = {
    documents: count(plan.documents),
    aliases: count(plan.aliases),
    snapshots: publication.snapshots.size,
  };
  let largestFolder: readonly [string, number] = ['', 0];
  for (const folder of folders) if (folder[1] > largestFolder[1]) largestFolder = folder;
  return { counts, files, largestFolder };
}

/** How many files there are too many, and how many snapshots would fit; undefined when all do. */
function overFiles({ files }: Tally, snapshots: readonly number[], limit: number) {
  const without = files.get(undefined) ?? 0;
  let total = without;
  let fits = 0;
  for (const index of snapshots) {
    total += files.get(index) ?? 0;
    if (total <= limit) fits++;
  }
  return total > limit ? { files: total, limit, without, snapshots: snapshots.length, fits } : undefined;
}

interface Found {
  readonly found: number;
  readonly where: string;
  /** What would fit, in words. */
  readonly fits: string;
}

function foundOf(limit: Limit, tally: Tally, snapshots: readonly number[], plan: Plan): Found | undefined {
  const { of, most } = limit;
  if (of === 'files') {
    const over = overFiles(tally, snapshots, most);
    const fits =
      over &&
      (over.without > most
        ? 'not even a tree without snapshots'
        : `a tree with the newest ${over.fits} of ${over.snapshots} snapshots`);
    return over ? { found: over.files, where: 'the tree', fits: fits ?? '' } : undefined;
  }
  if (of === 'directory-files') {
    const [folder, found] = tally.largestFolder;
    return found > most
      ? {
          found,
          where: folder || 'the root',
          fits: 'fewer revisions with snapshots: each adds a version to every resource',
        }
      : undefined;
  }
  if (of === 'file-size') {
    const { url, size } = largestDocument(plan);
    return size > most
      ? { found: size, where: url, fits: 'smaller collections: no setting makes this one smaller' }
      : undefined;
  }
  return undefined;
}

/** Renders every document once, which is why only hosts with a bound on it make it happen. */
function largestDocument({ documents }: Plan): { readonly url: string; readonly size: number } {
  let largest = { url: '', size: 0 };
  const look = ({ url, body }: PlannedDocument) => {
    const size = Buffer.byteLength(body());
    if (size > largest.size) largest = { url, size };
  };
  for (const { list } of documents) for (const document of list()) look(document);
  return largest;
}
