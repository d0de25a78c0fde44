import { resourceUrl } from '../../../core/api/urls.ts';
import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { megabytes } from '../../../core/diagnostics/words.ts';
import { fileOfUrl, variantFilesOf } from '../../../core/tree/layout.ts';
import type { ManifestSummary } from '../../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../../core/tree/manifest/read-manifest.ts';
import { progress } from '../../../system/terminal/progress.ts';
import { isLinkedPlace } from '../../../system/trees/linked-place.ts';
import { isInstalled } from '../../../system/trees/listed-tree.ts';
import { type Installed, type InstallOptions, installTree } from './install-tree.ts';

/** Refuses a tree with a smaller serial than that of the one that stands there; a provisional one counts for nothing. */
export function refuseOlder(folder: string, standing: ManifestSummary | undefined, comes: ManifestSummary): void {
  const standingSerial = standing?.provisional ? 0 : (standing?.serial ?? 0);
  const serial = comes.serial ?? 0;
  if (serial < standingSerial) fail(finding('install-older', { folder, standing: standingSerial, comes: serial }));
  // After it, no tree of the same registry would be newer.
  if (standingSerial > 0 && serial > standingSerial + MOST_AHEAD)
    fail(finding('install-serial', { folder, standing: standingSerial, comes: serial }));
}

/** How many revisions nobody records between two publications. */
const MOST_AHEAD = 1_000_000;

export function refuseUnsigned(folder: string, standing: ManifestSummary | undefined, comes: ManifestSummary): void {
  if (standing?.signature !== undefined && comes.signature === undefined) fail(finding('install-unsigned', { folder }));
}

export function stands(folder: string, manifest: Manifest, isLinked: boolean): boolean {
  return (!isLinked || isLinkedPlace(folder)) && isInstalled(folder, manifest);
}

export interface InstallRun extends Omit<InstallOptions, 'onProgress'> {
  readonly label: string;
  readonly showsProgress: boolean;
}

export function install({ label, showsProgress, ...options }: InstallRun): Installed {
  const { counts, variants, files } = options.incoming.manifest.summary;
  // Raw documents have fewer variants: there are few of them, and the total is only shown.
  const each = 1 + variantFilesOf(fileOfUrl(resourceUrl('')), variants).length;
  const shown = progress(label, counts.documents * each + files.length, showsProgress);
  try {
    return installTree({ ...options, onProgress: (done, bytes) => shown.at(done, megabytes(bytes)) });
  } finally {
    shown.end();
  }
}
