/** `gridpress build`: whether there is anything to do, before what does it is loaded. */

import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkOutput } from '../../system/trees/output-place.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import { listSources, revisionFiles } from '../sources/registry-files.ts';
import { type BuildOptions, type BuildResult, choicesOf, type ListedOptions } from './build-options.ts';
import type { StandingTree } from './standing/unchanged-tree.ts';

/** Reads every file, and replays the history where there is something to do. */
export async function build(asked: BuildOptions): Promise<BuildResult> {
  const { out, force = false, sign } = asked;
  checkOutput(out, asked.registry);
  recover(stageOf(out));
  const options = { ...asked, listing: listSources(asked) };
  const choices = choicesOf(options);
  const known = readManifestSummary(out);
  const mayBeKnown = !force && known !== undefined && !tellsOtherRevisions(known, options);
  const standing = mayBeKnown ? await standingTree(known, choices, options) : undefined;
  const damaged = standing?.damaged;
  if (known && standing?.isKnown === true && damaged === undefined && (await isSigned(out, sign))) {
    const { revision, digest, counts } = known;
    return { ...counts, out, revision, digest, isWritten: false, findings: [] };
  }
  const { newTree } = await import('./new-tree.ts');
  return newTree(options, { isFirst: known === undefined, choices, damaged });
}

async function isSigned(out: string, sign: string | undefined): Promise<boolean> {
  return sign === undefined || (await import('../../system/trees/signed-tree.ts')).isSignedWith(out, sign);
}

async function standingTree(
  known: ManifestSummary,
  choices: readonly string[],
  options: ListedOptions,
): Promise<StandingTree> {
  return (await import('./standing/unchanged-tree.ts')).standingTree(known, choices, options);
}

/** Whether a tree has more or fewer revisions than there are, by the names of their files: then sources need not be digested. */
function tellsOtherRevisions({ serial }: ManifestSummary, { at, isPreview, listing }: ListedOptions): boolean {
  return at === undefined && isPreview !== true && serial !== revisionFiles(listing).length;
}
