/** The mark of what a tree tells of the past, by which the next build knows what it can take over: see `past-mark.ts`. */
import type { PastMark } from '../../../core/tree/manifest/manifest.ts';
import { pastDigest } from '../../../core/tree/past-mark.ts';
import { VERSION } from '../../../system/files/package-version.ts';
import type { PlannedBuild } from '../plan-build.ts';

export interface MarkedBuild extends Pick<PlannedBuild, 'publication' | 'configuration' | 'hosting'> {
  readonly isProvisional?: boolean;
}

/** Undefined where nothing is recorded. */
export function pastMark(build: MarkedBuild): PastMark | undefined {
  const { history, head } = build.publication;
  const index = build.isProvisional === true ? history.parents[head]?.[0] : head;
  const revision = index === undefined ? undefined : history.revisions[index];
  if (index === undefined || !revision) return undefined;
  return { revision: revision.id, digest: pastDigestOf(build, index) };
}

/** Of the revision with an index. */
export function pastDigestOf({ publication, configuration, hosting }: MarkedBuild, index: number): string {
  const { variants } = hosting;
  // Compressed bytes are those of the libraries that Node.js comes with.
  const { zlib, brotli } = process.versions;
  const makers = [VERSION, ...(variants.precompressed ? [`zlib ${zlib}`, `brotli ${brotli}`] : [])];
  return pastDigest(index, { publication, configuration, variants, makers });
}
