/**
 * The commits of an import -> revision files in the stage. Commits are taken in the order of the graph; their files are
 * numbered as they come in lines.
 */

import type { Finding } from '../../core/diagnostics/finding.ts';
import { graphOf } from '../../core/history/graph.ts';
import { writeRevisionFile } from '../../core/history/revision-file.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { revisionFileName } from '../../core/registry/layout.ts';
import type { Repository } from '../../system/git/git.ts';
import { type BlobContents, readBlobs } from '../../system/git/git-objects.ts';
import { progress } from '../../system/terminal/progress.ts';
import { stageFile } from '../../system/trees/stage-files.ts';
import type { Stage } from '../../system/trees/staging.ts';
import type { ListedUids } from './collection-file.ts';
import type { Importer } from './git-import.ts';
import { type DatedCommit, type GitRegistry, type PlannedCommit, planImport } from './import-plan.ts';
import type { ImportedRegistry } from './imported-registry.ts';
import { type ForgetfulStore, type Needs, neededFiles, needsOf } from './last-uses.ts';
import { type FetchedCommit, readAhead } from './read-ahead.ts';

export interface RevisionsToStage {
  readonly repository: Repository;
  /** Where the registry is to stand. */
  readonly out: string;
  readonly stage: Stage;
  readonly showsProgress: boolean;
  readonly registry: GitRegistry;
  readonly limits: SourceLimits;
  /** All commits in lines, as their files are numbered. */
  readonly commits: readonly DatedCommit[];
  /** The uids in the files that hold the items of whole collections. */
  readonly listed: ReadonlyMap<string, ListedUids>;
  /** What is there already. */
  readonly known: ImportedRegistry | undefined;
  readonly translator: Importer;
  /** Where it has bodies. */
  readonly store: BodyStore;
  /** The store of an import into nothing, which may forget. */
  readonly passing: ForgetfulStore | undefined;
}

/** What is wrong with the commits, in the order of the files. */
export async function stageRevisions(asked: RevisionsToStage): Promise<readonly Finding[]> {
  const { stage, registry, known, translator, passing } = asked;
  const fresh = asked.commits.filter(({ id }) => !known?.history.indexOf.has(id));
  const fileOf = filesOf(fresh, known?.lastNumber ?? 0);
  const isNew = (id: string) => fileOf.has(id);
  const graph = graphOf([...(known?.history.revisions ?? []), ...fresh]);
  const byId = new Map(asked.commits.map((commit) => [commit.id, commit]));
  const ordered = graph.revisions.flatMap(({ id }) => byId.get(id) ?? []);
  // Planned twice, since the plan of a long history takes more memory than time.
  const plan = () => planImport(ordered, registry, asked.listed);
  const needs = needsOf(plan(), isNew);
  const told = new Map<string, readonly Finding[]>();
  const filesToRead = { kinds: registry.kinds, count: needs.blobs.flat().length };
  const shown = progress('Importing', fresh.length, asked.showsProgress);
  const commits = fetched(asked, plan(), needs, isNew);
  let done = 0;
  try {
    for await (const { planned, read } of readAhead(commits, filesToRead)) {
      const { revision, findings } = translator.revise(planned, read);
      const { header } = revision;
      told.set(header.id, findings);
      const file = mustGet(fileOf, header.id);
      const bytes = Buffer.from(writeRevisionFile(revision));
      stageFile(stage, file, bytes);
      if (passing) translator.forget(needs.lastUses(done, planned));
      passing?.keepOnly(translator.bodies);
      shown.at(++done);
    }
  } finally {
    shown.end();
  }
  return fresh.flatMap(({ id }) => mustGet(told, id));
}

/** The new commits of a plan, each with the files that it needs first. */
async function* fetched(
  { repository, limits }: RevisionsToStage,
  plan: Iterable<PlannedCommit>,
  needs: Needs,
  isNew: (id: string) => boolean,
): AsyncGenerator<FetchedCommit> {
  const blobs = readBlobs(repository.objects, needs.blobs.flat(), limits.source_bytes);
  let at = 0;
  try {
    for (const planned of plan) {
      if (!isNew(planned.commit.id)) continue;
      const contents = new Map<string, BlobContents>();
      for (const blob of itemAt(needs.blobs, at++)) contents.set(blob, (await blobs.next()).value ?? undefined);
      const files = neededFiles(planned, isNew).flatMap((file) => {
        const { blob } = file.source;
        return contents.has(blob) ? [{ ...file, blob: contents.get(blob) }] : [];
      });
      yield { planned, files };
    }
  } finally {
    await blobs.return(undefined);
  }
}

/** The files of commits, by their identifiers. */
function filesOf(commits: readonly DatedCommit[], lastNumber: number): ReadonlyMap<string, string> {
  return new Map(commits.map(({ id }, at) => [id, revisionFileName(lastNumber + at + 1, id)]));
}
