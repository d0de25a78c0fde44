/** The commits of an import -> revision files in the stage. */
import type { Finding } from '../../core/diagnostics/finding.ts';
import { writeRevisionFile } from '../../core/history/revision-file.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { revisionFileName } from '../../core/registry/layout.ts';
import type { Repository } from '../../system/git/git.ts';
import { type BlobContents, readBlobs } from '../../system/git/git-objects.ts';
import { progress } from '../../system/terminal/progress.ts';
import { stageFile } from '../../system/trees/stage-files.ts';
import type { Stage } from '../../system/trees/staging.ts';
import type { Importer } from './git-import.ts';
import { neededFiles, type PlannedCommit } from './import-plan.ts';

export interface RevisionsToStage {
  readonly repository: Repository;
  readonly stage: Stage;
  readonly showsProgress: boolean;
  readonly limits: SourceLimits;
  /** The commits that the registry has not, parents before children. */
  readonly planned: readonly PlannedCommit[];
  readonly lastNumber: number;
  readonly translator: Importer;
}

/** Returns the findings in the order of the commits. */
export async function stageRevisions(asked: RevisionsToStage): Promise<Finding[]> {
  const { stage, planned: commits, lastNumber, translator } = asked;
  const ids = new Set(commits.map(({ commit }) => commit.id));
  const childrenLeft = new Map<string, number>();
  for (const id of commits.flatMap(({ commit }) => commit.parents))
    childrenLeft.set(id, (childrenLeft.get(id) ?? 0) + 1);
  const needed = commits.map((planned) => neededFiles(planned, (id) => ids.has(id)));
  const blobIds = needed.map((files) => [...new Set(files.map(({ source }) => source.blob))]);
  const blobs = readBlobs(asked.repository.objects, blobIds.flat(), asked.limits.source_bytes);
  const shown = progress('Importing', commits.length, asked.showsProgress);
  const findings: Finding[] = [];
  try {
    for (const [at, planned] of commits.entries()) {
      const read = new Map<string, BlobContents>();
      for (const blob of blobIds[at] ?? []) read.set(blob, (await blobs.next()).value ?? undefined);
      const revised = translator.revise(planned, needed[at] ?? [], read);
      findings.push(...revised.findings);
      const { id, parents } = planned.commit;
      stageFile(stage, revisionFileName(lastNumber + at + 1, id), writeRevisionFile(revised.revision));
      for (const parent of parents) {
        const left = (childrenLeft.get(parent) ?? 0) - 1;
        childrenLeft.set(parent, left);
        if (left === 0) translator.forget(parent);
      }
      shown.at(at + 1);
    }
  } finally {
    await blobs.return(undefined);
    shown.end();
  }
  return findings;
}
