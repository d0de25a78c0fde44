/** Builds a tree in steps: registry -> publication -> plan -> staged tree -> swap. */
import { join } from 'node:path';
import { idAt } from '../../core/api/publication.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { closeStage, openStage, swap } from '../../system/trees/staging.ts';
import { loadCheckedSources, loadSources } from '../sources/load-sources.ts';
import type { BuildOptions, BuildResult, ListedOptions } from './build-options.ts';
import { planBuild } from './plan-build.ts';
import { checkRoom } from './tree-size.ts';
import { writeTree } from './write-tree.ts';

interface ExistingTree {
  readonly isFirst: boolean;
  readonly choices: readonly string[];
  /** A damaged file of the existing tree. Undefined if no file is damaged. */
  readonly damaged: string | undefined;
}

/** Builds a tree and reuses the unchanged files of the existing tree. */
export async function newTree(options: ListedOptions, existing: ExistingTree): Promise<BuildResult> {
  const { isFirst, choices, damaged } = existing;
  const { out, force = false, sign } = options;
  const { planned, sources, pending } = await plannedSources(options, choices);
  const { publication, counts } = planned;
  if (isFirst) checkRoom(options, counts);
  const stage = openStage(out);
  try {
    const digest = await writeTree({
      ...planned,
      stage,
      sources,
      isProvisional: pending.length > 0,
      reuses: !force,
      showsProgress: options.showsProgress,
      pause: options.pause,
    });
    if (sign !== undefined) (await import('../../system/trees/signed-tree.ts')).signTree(stage.next, sign);
    swap(stage, options.fsync);
    const revision = idAt(publication, publication.head);
    const findings = damageFindings(out, damaged);
    const written = { ...counts, out, revision, digest, isWritten: true, findings };
    return options.isPreview === true ? { ...written, pending } : written;
  } finally {
    closeStage(stage);
  }
}

/** Returns the plan and the digest of the registry. The registry can be garbage-collected afterwards. */
async function plannedSources(options: BuildOptions, choices: readonly string[]) {
  const { sources, pending } = await sourcesOfBuild(options);
  const planned = await planBuild(sources, options);
  return { planned, sources: sources.digest(choices), pending };
}

async function sourcesOfBuild(options: BuildOptions) {
  if (options.isPreview !== true) return { sources: loadCheckedSources(options), pending: [] };
  const { previewOf } = await import('../revisions/pending-revision.ts');
  return previewOf(loadSources(options));
}

function damageFindings(out: string, file: string | undefined): Finding[] {
  return file === undefined ? [] : [finding('build-damaged', {}, { file: join(displayPath(out), file) })];
}
