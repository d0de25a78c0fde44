/** Builds a tree. Checks whether the tree is up to date before it loads the code for building. */

import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkOutput } from '../../system/trees/output-place.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import { digestOfSources, listSources, revisionFiles } from '../sources/registry-files.ts';
import {
  type BuildOptions,
  type BuildResult,
  type CheckedTree,
  choicesOf,
  type ListedOptions,
} from './build-options.ts';

export async function build(given: BuildOptions): Promise<BuildResult> {
  const { out, registry, config, force = false, sign } = given;
  checkOutput(out, registry);
  recover(stageOf(out));
  const options = { ...given, listing: listSources(given) };
  const { listing } = options;
  const choices = choicesOf(options);
  const existing = readManifestSummary(out);
  const check = async (sources: string): Promise<CheckedTree> => {
    if (force || existing?.sources !== sources) return {};
    const damaged = (await import('../../system/trees/damaged-tree.ts')).firstDamaged(out);
    if (damaged !== undefined || !(await isSigned(out, sign))) return { damaged };
    const { revision, digest, counts } = existing;
    return { unchanged: { ...counts, out, revision, digest, isWritten: false, findings: [] } };
  };
  const isComparable = !force && existing !== undefined && !hasOtherRevisions(existing, options);
  const { damaged, unchanged } = isComparable
    ? await check(digestOfSources({ registry, config, listing }, choices))
    : {};
  if (unchanged) return unchanged;
  const { newTree } = await import('./new-tree.ts');
  return newTree(options, { isFirst: existing === undefined, choices, damaged, check });
}

async function isSigned(out: string, sign: string | undefined): Promise<boolean> {
  return sign === undefined || (await import('../../system/trees/signed-tree.ts')).isSignedWith(out, sign);
}

/**
 * Compares the number of revisions with the tree's serial. This is faster than computing the digest of the registry.
 */
function hasOtherRevisions({ serial }: ManifestSummary, { at, isPreview, listing }: ListedOptions): boolean {
  return at === undefined && isPreview !== true && serial !== revisionFiles(listing).length;
}
