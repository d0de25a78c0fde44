/**
 * The commits of an import -> revision files in the stage, and their index beside it. Commits are taken in the order of
 * the graph, as the index has them; their files are numbered as they come in lines.
 */

import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
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
import { type IndexFeed, indexFeed, NOTHING_FED } from '../history-index/feed-index.ts';
import { placeBeside } from '../history-index/index-place.ts';
import { makerOf } from '../sources/index-maker.ts';
import { FEWEST_INDEXED } from '../sources/read-indexed-history.ts';
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

export interface StagedRevisions {
  /** In the order of the files. */
  readonly findings: readonly Finding[];
  /** Puts the index in its place, once the registry is in its own: after a moment since which nothing was written. */
  readonly finishIndex: (moment: number) => void;
}

export async function stageRevisions(asked: RevisionsToStage): Promise<StagedRevisions> {
  const { stage, registry, limits, known, translator, passing } = asked;
  const fresh = asked.commits.filter(({ id }) => !known?.history.indexOf.has(id));
  const fileOf = filesOf(fresh, known?.lastNumber ?? 0);
  const isNew = (id: string) => fileOf.has(id);
  const graph = graphOf([...(known?.history.revisions ?? []), ...fresh]);
  const byId = new Map(asked.commits.map((commit) => [commit.id, commit]));
  const ordered = graph.revisions.flatMap(({ id }) => byId.get(id) ?? []);
  // Planned twice, since the plan of a long history takes more memory than time.
  const plan = () => planImport(ordered, registry, asked.listed);
  const needs = needsOf(plan(), isNew);
  const feed = feedOf(asked, graph.revisions.length);
  const told = new Map<string, readonly Finding[]>();
  const filesToRead = { kinds: registry.kinds, count: needs.blobs.flat().length };
  const shown = progress('Importing', fresh.length, asked.showsProgress);
  const commits = fetched(asked, plan(), needs, isNew);
  let done = 0;
  try {
    for await (const { planned, read } of readAhead(commits, filesToRead)) {
      const { revision, findings, ...states } = translator.revise(planned, read);
      const { header, changes } = revision;
      told.set(header.id, findings);
      const file = mustGet(fileOf, header.id);
      const bytes = Buffer.from(writeRevisionFile(revision));
      stageFile(stage, file, bytes);
      if (bytes.length > limits.revision_bytes) feed?.close();
      feed?.add({ header, file, digest: hash('sha256', bytes, 'base64'), changes, ...states });
      if (passing) translator.forget(needs.lastUses(done, planned));
      passing?.keepOnly(translator.bodies);
      shown.at(++done);
    }
  } catch (error) {
    feed?.close();
    throw error;
  } finally {
    shown.end();
  }
  const maker = makerOf({ kinds: registry.kinds, limits });
  return {
    findings: fresh.flatMap(({ id }) => mustGet(told, id)),
    finishIndex: (moment) => feed?.finish({ registry: asked.out, graph, maker, moment }),
  };
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

/** Undefined where the history is too short for an index, or where what is there has none. */
function feedOf({ out, stage, registry, known, store }: RevisionsToStage, revisions: number): IndexFeed | undefined {
  if (revisions < FEWEST_INDEXED || (known && !known.index)) return undefined;
  mkdirSync(stage.beside);
  const old = known?.index
    ? { index: known.index, head: known.history.states.at(-1) ?? null, sameAsHead: known.worktree }
    : NOTHING_FED;
  return indexFeed(placeBeside(out, stage.beside), old, registry.kinds, store);
}
