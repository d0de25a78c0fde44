/**
 * Automatic settings add at most `budget` files: first all or no index files, then version links, then snapshots.
 * Version links cover the longest possible span of `VERSION_LINK_DAYS`. Snapshots cover the newest months (UTC).
 * Spans and months are coarse, so that links rarely stop working while a registry grows.
 */

import { type Publication, revisionAt, secondsSinceHead, timeShift } from '../../api/publication.ts';
import { VERSION_LINK_DAYS } from '../../model/configuration.ts';
import { DAY_SECONDS, utcTimestamp } from '../../model/revision.ts';
import { groupBy } from '../../platform/lookups.ts';
import { INDEX_NAME, type Variants } from '../layout.ts';
import { countFiles, fileCounter } from './count-files.ts';
import { versionLinkAliases } from './plan-histories.ts';
import { planTree } from './plan-tree.ts';
import { snapshotDocuments } from './plan-view.ts';

export interface AutomaticSettings {
  readonly indexFiles: boolean;
  readonly versionLinks: boolean;
  readonly snapshots: boolean;
}

interface FitOptions {
  /** The publication with all version links and all snapshots that automatic settings can add. */
  readonly publication: Publication;
  /** The variants of each document. If the setting for index files is automatic, the variants include index files. */
  readonly variants: Variants;
  readonly automatic: AutomaticSettings;
  /** The maximum number of files that automatic settings add. */
  readonly budget: number;
  /** The maximum number of files in the tree. */
  readonly maxFiles: number;
  /** The number of files that are not documents. */
  readonly otherFiles: number;
}

export interface FittedTree {
  readonly publication: Publication;
  readonly variants: Variants;
  readonly added: number;
  readonly omitted: OmittedParts;
}

/** The parts that automatic settings omit. Each field is named after its setting, as in the `--json` output. */
export interface OmittedParts {
  readonly index_files?: true;
  readonly version_links?: { readonly days: number };
  /** `since` is the month of the oldest snapshot, such as 2024-05. Undefined if the tree contains no snapshots. */
  readonly snapshots?: { readonly since: string | undefined; readonly built: number; readonly of: number };
}

/** Returns the publication without the version links and snapshots that automatic settings can add. */
export function requiredPart(publication: Publication, { versionLinks, snapshots }: AutomaticSettings): Publication {
  return {
    ...publication,
    ...(versionLinks ? { linkedRevisions: new Set<number>() } : {}),
    ...(snapshots ? { snapshots: new Set<number>() } : {}),
  };
}

export function fitTree(options: FitOptions): FittedTree {
  const { publication, variants, automatic, budget, maxFiles, otherFiles } = options;
  const plan = planTree(requiredPart(publication, automatic));
  const withoutIndex = { ...variants, names: variants.names.filter((name) => name !== INDEX_NAME) };
  const needed = countFiles({ plan, variants: automatic.indexFiles ? withoutIndex : variants, otherFiles, maxFiles });
  const most = needed.files + Math.max(0, Math.min(budget, maxFiles - needed.files));
  const indexed = automatic.indexFiles ? countFiles({ plan, variants, otherFiles, maxFiles: most }) : needed;
  const hasIndexFiles = indexed.files <= most;
  let room = most - (hasIndexFiles ? indexed : needed).files;
  const chosen = hasIndexFiles ? variants : withoutIndex;
  const filesOf = fileCounter(chosen);
  const count = (entries: Iterable<{ readonly url: string }>) => {
    let files = 0;
    for (const { url } of entries) files += filesOf(url);
    return files;
  };
  const subjects = [...publication.histories.subjects()];
  const linksAt = (index: number) => count(versionLinkAliases(publication, index, subjects));

  let { linkedRevisions, snapshots, timeShift: shift } = publication;
  let omitted: OmittedParts = hasIndexFiles ? {} : { index_files: true };
  if (automatic.versionLinks) {
    const fitted = fittingLinks(publication, room, linksAt);
    room -= fitted.files;
    if (fitted.linked.size < linkedRevisions.size) omitted = { ...omitted, version_links: { days: fitted.days } };
    linkedRevisions = fitted.linked;
  }
  if (automatic.snapshots) {
    const filesAt = (index: number) =>
      count(snapshotDocuments(publication, index, 0)) + (linkedRevisions.has(index) ? 0 : linksAt(index));
    const { built, since, files } = fittingSnapshots(publication, room, filesAt);
    room -= files;
    if (built.size < snapshots.size) {
      omitted = { ...omitted, snapshots: { since, built: built.size, of: snapshots.size } };
      // Version documents link to snapshots, so their bytes change when the tree drops the snapshots of a month.
      shift = timeShift(`${shift} ${since}`);
    }
    snapshots = built;
  }
  const added = most - needed.files - room;
  return {
    publication: { ...publication, linkedRevisions, snapshots, timeShift: shift },
    variants: chosen,
    added,
    omitted,
  };
}

function fittingLinks(publication: Publication, room: number, filesAt: (index: number) => number) {
  const ages = secondsSinceHead(publication.history);
  const ageOf = (index: number) => ages.get(index) ?? 0;
  const byAge = [...publication.linkedRevisions].sort((a, b) => ageOf(a) - ageOf(b));
  const totals: { readonly age: number; readonly total: number }[] = [];
  let total = 0;
  for (const index of byAge) {
    total += filesAt(index);
    totals.push({ age: ageOf(index), total });
    if (total > room) break;
  }
  // An age that equals a span is outside of the span.
  const fits = (days: number) => totals.every((each) => each.age >= days * DAY_SECONDS || each.total <= room);
  const days = VERSION_LINK_DAYS.find(fits) ?? 0;
  const linked = new Set(
    [...publication.linkedRevisions].filter((index) => days > 0 && ageOf(index) < days * DAY_SECONDS),
  );
  const files = totals.findLast(({ age }) => age < days * DAY_SECONDS)?.total ?? 0;
  return { days, linked, files: days > 0 ? files : 0 };
}

function fittingSnapshots(publication: Publication, room: number, filesAt: (index: number) => number) {
  const monthOf = (index: number) => utcTimestamp(revisionAt(publication, index).date).slice(0, 'YYYY-MM'.length);
  const byMonth = groupBy([...publication.snapshots], monthOf);
  let files = 0;
  let since: string | undefined;
  for (const month of [...byMonth.keys()].sort().reverse()) {
    let total = files;
    for (const index of byMonth.get(month) ?? []) if (total <= room) total += filesAt(index);
    if (total > room) break;
    [files, since] = [total, month];
  }
  const isBuilt = (index: number) => since !== undefined && monthOf(index) >= since;
  return { since, files, built: new Set([...publication.snapshots].filter(isBuilt)) };
}
