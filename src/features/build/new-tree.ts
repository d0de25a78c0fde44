/** Making the tree that a build is asked for: sources -> publication -> plan -> tree, staged and swapped. */
import { join } from 'node:path';
import { idAt } from '../../core/api/publication.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { dropStage, openStage, swap } from '../../system/trees/staging.ts';
import type { DifferingResource } from '../revisions/differing-resources.ts';
import { loadCheckedSources, loadSources, type Sources } from '../sources/load-sources.ts';
import type { BuildOptions, BuildResult, ListedOptions } from './build-options.ts';
import { planBuild } from './plan-build.ts';
import { checkRoom } from './tree-size.ts';
import { writeTree } from './write-tree.ts';

export interface WhatStands {
  readonly isFirst: boolean;
  readonly choices: readonly string[];
  /** The file of the tree that was found damaged, if one was. */
  readonly damaged: string | undefined;
}

/** Writes it anew, all but what the tree that stands there has as it is to be. */
export async function newTree(options: ListedOptions, { isFirst, choices, damaged }: WhatStands): Promise<BuildResult> {
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
    dropStage(stage);
  }
}

/** The plan, and the digest of its sources, which take memory only until this returns. */
async function plannedSources(options: BuildOptions, choices: readonly string[]) {
  const { sources, pending } = await sourcesOfBuild(options);
  const planned = await planBuild(sources, options);
  return { planned, sources: sources.digest(choices), pending };
}

interface SourcesOfBuild {
  readonly sources: Sources;
  /** Changes that are not recorded, of which their head is made: none where it is recorded. */
  readonly pending: readonly DifferingResource[];
}

async function sourcesOfBuild(options: BuildOptions): Promise<SourcesOfBuild> {
  if (options.isPreview !== true) return { sources: loadCheckedSources(options), pending: [] };
  const { previewOf } = await import('../revisions/preview.ts');
  return previewOf(loadSources(options));
}

function damageFindings(out: string, file: string | undefined): Finding[] {
  return file === undefined ? [] : [finding('build-damaged', {}, { file: join(shownPath(out), file) })];
}
