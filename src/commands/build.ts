/** `gridpress build`: sources -> publication -> plan -> tree, staged and swapped. */
import { idAt, type Publication } from '../api/publication.ts';
import { finding } from '../diagnostics/finding.ts';
import { fail } from '../io/failure.ts';
import { readManifestSummary } from '../io/manifest-file.ts';
import { checkOutput, dropStage, openStage, recover, stageOf, swap } from '../io/staging.ts';
import type { Configuration } from '../model/configuration.ts';
import type { TreeCounts } from '../site/manifest.ts';
import { type Plan, planTree } from '../site/plan.ts';
import { type BuildOptions, sourcesOfBuild } from './build-options.ts';
import { publicationOf } from './publication.ts';
import { digestOfSources } from './sources.ts';
import { VERSION } from './version.ts';
import { writeTree } from './write-tree.ts';

export interface BuildResult extends TreeCounts {
  readonly out: string;
  readonly revision: string;
  readonly digest: string;
  /** False when the tree was already what the sources give. */
  readonly isWritten: boolean;
}

export async function build(options: BuildOptions): Promise<BuildResult> {
  const { out, dialect, snapshots, at, isPreview } = options;
  checkOutput(out, options.registry);
  const stage = stageOf(out);
  recover(stage);
  const extras = [VERSION, JSON.stringify({ dialect, snapshots, at, isPreview })];
  const digest = digestOfSources(options, extras);
  const known = readManifestSummary(stage.out);
  if (known?.sources === digest)
    return { ...known.counts, out, revision: known.revision, digest: known.digest, isWritten: false };

  const sources = sourcesOfBuild(options);
  if (digestOfSources(options, extras) !== digest) fail(finding('sources-changed', {}));
  const publication = publicationOf(sources, options);
  const plan = planTree(publication);
  const indexFiles = sources.configuration.index_files;
  const counts = countPlan(plan, publication, sources.configuration);
  openStage(stage);
  try {
    const whole = await writeTree({
      options,
      publication,
      plan,
      stage,
      sources: { digest, extras },
      counts,
      indexFiles,
    });
    swap(stage);
    return { ...counts, out, revision: idAt(publication, publication.head), digest: whole, isWritten: true };
  } catch (error) {
    dropStage(stage);
    throw error;
  }
}

/** The files of a tree that are no documents: the manifest and the answer to a miss. */
const OTHER_FILES = 2;

/** Counts the plan, and refuses one that would have more files than `max_files`. */
function countPlan(
  plan: Plan,
  { snapshots }: Publication,
  { max_files: limit, index_files }: Configuration,
): TreeCounts {
  const perEntry = index_files ? 2 : 1;
  const filesOf = new Map<number | undefined, number>();
  const count = (units: Plan['documents'] | Plan['aliases']) => {
    let total = 0;
    for (const { snapshot, list } of units) {
      let entries = 0;
      for (const _ of list()) entries++;
      filesOf.set(snapshot, (filesOf.get(snapshot) ?? 0) + entries * perEntry);
      total += entries;
    }
    return total;
  };
  const counts = {
    documents: count(plan.documents),
    aliases: count(plan.aliases),
    snapshots: snapshots.size,
  };
  const without = (filesOf.get(undefined) ?? 0) + OTHER_FILES;
  let files = without;
  let fits = 0;
  for (const index of snapshots) {
    files += filesOf.get(index) ?? 0;
    if (files <= limit) fits++;
  }
  if (files > limit) fail(finding('max-files', { files, limit, without, snapshots: snapshots.size, fits }));
  return counts;
}
