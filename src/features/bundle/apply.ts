import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { formatCount, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import { progress } from '../../system/terminal/progress.ts';
import { existingManifest } from '../../system/trees/manifest-file.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkReplaceable } from '../../system/trees/output-place.ts';
import { checkTrust, type Trust, type TrustResult } from '../../system/trees/signed-tree.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import {
  type Installed,
  install,
  isUpToDate,
  rejectDroppedHosts,
  rejectOlder,
  rejectUnsigned,
} from '../publish/install.ts';
import { isDeletion, treeDifference } from '../publish/published-difference.ts';
import type { BundleHead } from './bundle-head.ts';
import { type Bundle, openBundle } from './bundle-reader.ts';

export interface ApplyOptions {
  readonly file: string;
  readonly folder: string;
  readonly allowedSigners?: string | undefined;
  readonly minSerial?: number | undefined;
  readonly unsigned?: boolean;
  readonly older: boolean;
  readonly dropHost?: boolean;
  readonly isLinked?: boolean;
  readonly showsProgress: boolean;
}

export interface ApplyResult extends Installed {
  readonly folder: string;
  readonly revision: string;
  readonly digest: string;
  readonly signer: string | undefined;
  /** The number of files of the replaced tree that the new tree does not contain. */
  readonly removed: number;
  readonly isWritten: boolean;
}

/** Fails if the bundle is damaged, does not apply to the existing tree, or lacks a required signature. */
export function apply(options: ApplyOptions): ApplyResult {
  const bundle = openBundle(options.file);
  try {
    return applyOpen(bundle, options);
  } finally {
    bundle.close();
  }
}

function applyOpen(bundle: Bundle, options: ApplyOptions): ApplyResult {
  const { folder, allowedSigners, minSerial, older, dropHost, unsigned = false, isLinked = false } = options;
  const { findings, signer } = checked(bundle, { allowedSigners, minSerial }, options.showsProgress);
  const { head, manifest } = bundle;
  if (findings.length > 0 || !head || !manifest) return failAll(findings);
  checkReplaceable(folder);
  recover(stageOf(folder));
  const { revision, digest } = manifest.summary;
  const applied = { folder, revision, digest, signer };
  if (isUpToDate(folder, manifest, isLinked))
    return { ...applied, isWritten: false, written: 0, bytes: 0, kept: 0, removed: 0 };
  const admit = (existing: ManifestSummary | undefined) => {
    if (!older) rejectOlder(folder, existing, manifest.summary);
    refuseConflict(folder, existing, head);
    if (dropHost !== true) rejectDroppedHosts(folder, existing, manifest.summary);
    if (!unsigned) rejectUnsigned(folder, existing, manifest.summary);
  };
  admit(readManifestSummary(folder));
  const incoming = { manifest, read: bundle.read };
  const existing = existingManifest(folder);
  return {
    ...applied,
    isWritten: true,
    removed: existing ? treeDifference(existing, manifest).filter(isDeletion).length : 0,
    ...install({ label: 'Applying', folder, isLinked, incoming, admit, showsProgress: options.showsProgress }),
  };
}

/** For an update, fails unless the existing tree equals the tree before or after the update. */
function refuseConflict(folder: string, existing: ManifestSummary | undefined, { from, to }: BundleHead): void {
  if (from === null || [from.digest, to.digest].includes(existing?.digest ?? '')) return;
  const { revision: thereId = '', digest: thereDigest = '' } = existing ?? {};
  const there = { thereId, thereDigest };
  fail(finding('bundle-does-not-fit', { folder, forId: from.revision, forDigest: from.digest, ...there }));
}

function checked(bundle: Bundle, trust: Trust, showsProgress: boolean): TrustResult {
  const shown = progress('Verifying', bundle.files, showsProgress);
  try {
    const damages = bundle.check((done) => shown.at(done));
    const trusted: TrustResult = bundle.manifest
      ? checkTrust(bundle.manifest, trust)
      : { signer: undefined, findings: [] };
    return { signer: trusted.signer, findings: [...trusted.findings, ...damages] };
  } finally {
    shown.end();
  }
}

export function describeApplied(applied: ApplyResult): string {
  const { folder, revision, signer, isWritten, written, bytes, kept, removed } = applied;
  const signed = signer === undefined ? '' : `, signed by ${signer}`;
  if (!isWritten) return `${folder} already contains revision ${shortId(revision)}${signed}: nothing to do.\n`;
  return `Applied revision ${shortId(revision)} to ${folder}${signed}: ${plural(written, 'file')} written (${megabytes(bytes)}), ${formatCount(kept)} kept, ${formatCount(removed)} removed.\n`;
}
