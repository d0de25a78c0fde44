/** Builds a new tree: registry -> publication -> plan -> staged tree -> swap. */
import { join } from 'node:path';
import { idAt } from '../../core/api/publication.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { printError, reportsResults } from '../../system/terminal/terminal.ts';
import { closeStage, openStage, swap } from '../../system/trees/staging.ts';
import { pendingEditWarnings } from '../sources/edit-plan.ts';
import { loadCheckedSources, loadSources } from '../sources/load-sources.ts';
import { publicSources } from '../sources/public-sources.ts';
import {
  type BuildOptions,
  type BuildResult,
  type CheckedTree,
  describeOmitted,
  type ListedOptions,
  withSettings,
} from './build-options.ts';
import { planBuild } from './plan-build.ts';
import { checkRoom } from './tree-size.ts';
import { writeTree } from './write-tree.ts';

interface ExistingTree {
  readonly isFirst: boolean;
  readonly choices: readonly string[];
  /** The name of a damaged file in the existing tree. */
  readonly damaged: string | undefined;
  readonly check: (sources: string) => Promise<CheckedTree>;
}

export async function newTree(options: ListedOptions, existing: ExistingTree): Promise<BuildResult> {
  const { isFirst, choices, check } = existing;
  const { out, force = false, sign } = options;
  const { planned, sources, pending, publishesAll } = await plannedSources(options, choices);
  // A registry with private fields must be read before its digest is known.
  const checked = existing.damaged === undefined ? await check(sources) : existing;
  if ('unchanged' in checked && checked.unchanged) return checked.unchanged;
  const { publication, counts, omitted } = planned;
  const isComplete = Object.keys(omitted).length === 0;
  if (!isComplete && options.showsProgress && reportsResults()) printError(describeOmitted(omitted));
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
    // A preview can contain the changes of an interrupted edit.
    const warnings = options.isPreview === true ? pendingEditWarnings(options.registry) : [];
    const findings = [...warnings, ...damageFindings(out, checked.damaged)];
    const result = { ...counts, out, revision, digest, isWritten: true, findings, publishesAll };
    const written = isComplete ? result : { ...result, omitted };
    return options.isPreview === true ? { ...written, pending } : written;
  } finally {
    closeStage(stage);
  }
}

/** Loads the registry in its own scope, so that V8 can free its memory afterwards. */
async function plannedSources(options: BuildOptions, choices: readonly string[]) {
  const { sources: given, pending } = await sourcesOfBuild(options);
  const sources = withSettings(given, options);
  const planned = await planBuild(sources, options);
  const publishesAll = sources.configuration.private === undefined;
  return { planned, sources: sources.digest(choices), pending, publishesAll };
}

async function sourcesOfBuild(options: BuildOptions) {
  if (options.isPreview !== true) return { sources: publicSources(loadCheckedSources(options), options), pending: [] };
  const { previewOf } = await import('../revisions/pending-revision.ts');
  return previewOf(publicSources(loadSources(options), options));
}

function damageFindings(out: string, file: string | undefined): Finding[] {
  return file === undefined ? [] : [finding('build-damaged', {}, { file: join(displayPath(out), file) })];
}
