/** `gridpress build`: finds out whether there is anything to do, before the code that does it is loaded. */

import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkOutput } from '../../system/trees/output-place.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import { digestOfSources, listSources, revisionFiles } from '../sources/registry-files.ts';
import { type BuildOptions, type BuildResult, choicesOf, type ListedOptions } from './build-options.ts';

/** Reads every file, and replays the history where there is something to do. */
export async function build(asked: BuildOptions): Promise<BuildResult> {
  const { out, registry, config, force = false, sign } = asked;
  checkOutput(out, registry);
  recover(stageOf(out));
  const options = { ...asked, listing: listSources(asked) };
  const { listing } = options;
  const choices = choicesOf(options);
  const known = readManifestSummary(out);
  const isUnchanged =
    !force &&
    known !== undefined &&
    !hasOtherRevisions(known, options) &&
    known.sources === digestOfSources({ registry, config, listing }, choices);
  const damaged = isUnchanged ? (await import('../../system/trees/damaged-tree.ts')).firstDamaged(out) : undefined;
  if (isUnchanged && damaged === undefined && (await isSigned(out, sign))) {
    const { revision, digest, counts } = known;
    return { ...counts, out, revision, digest, isWritten: false, findings: [] };
  }
  const { newTree } = await import('./new-tree.ts');
  return newTree(options, { isFirst: known === undefined, choices, damaged });
}

async function isSigned(out: string, sign: string | undefined): Promise<boolean> {
  return sign === undefined || (await import('../../system/trees/signed-tree.ts')).isSignedWith(out, sign);
}

/** Compares numbers of revisions, by the names of their files: then sources need not be digested. */
function hasOtherRevisions({ serial }: ManifestSummary, { at, isPreview, listing }: ListedOptions): boolean {
  return at === undefined && isPreview !== true && serial !== revisionFiles(listing).length;
}
