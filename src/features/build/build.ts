/** `gridpress build`: sources -> publication -> plan -> tree, staged and swapped. */

import { join } from 'node:path';
import { idAt } from '../../core/api/publication.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { ManifestSummary, TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkOutput } from '../../system/trees/output-place.ts';
import { dropStage, openStage, recover, stageOf, swap } from '../../system/trees/staging.ts';
import type { DifferingResource } from '../revisions/differing-resources.ts';
import { listSources } from '../sources/load-sources.ts';
import { revisionFiles } from '../sources/read-history.ts';
import { awaitedWithIndex } from '../sources/with-index.ts';
import { type BuildOptions, choicesOf, type ListedOptions, sourcesOfBuild } from './build-options.ts';
import { checkEarly } from './early-limits.ts';
import { planBuild } from './plan-build.ts';
import type { StandingTree } from './standing/unchanged-tree.ts';
import { writeTree } from './write-tree.ts';

export interface BuildResult extends TreeCounts {
  readonly out: string;
  readonly revision: string;
  readonly digest: string;
  /** False when the tree was already what the sources give. */
  readonly isWritten: boolean;
  /** That what stood there was damaged, if it was, and has been written anew. */
  readonly findings: readonly Finding[];
  /** What a preview shows though it is not recorded; undefined when nothing was looked for. */
  readonly pending?: readonly DifferingResource[];
}

/** Reads every file, and replays of the history what its index does not know. */
export function build(options: BuildOptions): Promise<BuildResult> {
  return awaitedWithIndex({ ...options, isThorough: true, readsFilesAnew: true }, built);
}

async function built(asked: BuildOptions): Promise<BuildResult> {
  const { out, force = false, sign } = asked;
  checkOutput(out, asked.registry);
  recover(stageOf(out));
  const options = { ...asked, listing: listSources(asked) };
  const extras = choicesOf(options);
  const known = readManifestSummary(out);
  const mayBeKnown = !force && known !== undefined && !tellsOtherRevisions(known, options);
  const standing = mayBeKnown ? await standingTree(known, extras, options) : undefined;
  const damaged = standing?.damaged;
  if (known && standing?.isKnown === true && damaged === undefined && (await isSigned(out, sign))) {
    const { revision, digest, counts } = known;
    return { ...counts, out, revision, digest, isWritten: false, findings: [] };
  }
  await checkEarly(options, known === undefined);
  const { planned, sources, pending } = await plannedSources(options, extras);
  const { publication, counts } = planned;
  const stage = openStage(out);
  try {
    const digest = await writeTree({
      ...planned,
      ...{ stage, sources, isProvisional: pending.length > 0 },
      reuses: !force,
      showsProgress: options.showsProgress,
      pause: options.pause,
    });
    if (sign !== undefined) (await signing()).signTree(stage.next, sign);
    swap(stage, options.fsync);
    const revision = idAt(publication, publication.head);
    const findings = damageFindings(out, damaged);
    const written = { ...counts, out, revision, digest, isWritten: true, findings };
    return options.isPreview === true ? { ...written, pending } : written;
  } finally {
    dropStage(stage);
  }
}

// What is asked of the tree that stands there, or of a key, is loaded where there is one.
const signing = () => import('../../system/trees/signed-tree.ts');

async function isSigned(out: string, sign: string | undefined): Promise<boolean> {
  return sign === undefined || (await signing()).isSignedWith(out, sign);
}

async function standingTree(
  known: ManifestSummary,
  choices: readonly string[],
  options: ListedOptions,
): Promise<StandingTree> {
  return (await import('./standing/unchanged-tree.ts')).standingTree(known, choices, options);
}

/** What is to be written, and the digest of its sources, which are done with: where there are many files, they take memory. */
async function plannedSources(options: BuildOptions, extras: readonly string[]) {
  const { sources, pending } = await sourcesOfBuild(options);
  return { planned: await planBuild(sources, options), sources: sources.digest(extras), pending };
}

/** Whether a tree has more or fewer revisions than there are, by the names of their files: then sources need not be digested. */
function tellsOtherRevisions(
  { serial }: ManifestSummary,
  { at, isPreview, listing }: ListedOptions,
): boolean {
  return at === undefined && isPreview !== true && serial !== revisionFiles(listing).length;
}

function damageFindings(out: string, file: string | undefined): Finding[] {
  return file === undefined ? [] : [finding('build-damaged', {}, { file: join(shownPath(out), file) })];
}
