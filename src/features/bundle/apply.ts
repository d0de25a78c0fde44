import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { grouped, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import { progress } from '../../system/terminal/progress.ts';
import { standingManifest } from '../../system/trees/manifest-file.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkReplaceable } from '../../system/trees/output-place.ts';
import { checkTrust, type Trust, type Trusted } from '../../system/trees/signed-tree.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import { type Installed, install, refuseOlder, refuseUnsigned, stands } from '../publish/install.ts';
import { removedIn, treeDifference } from '../publish/published-difference.ts';
import type { BundleHead } from './bundle-head.ts';
import { type Bundle, openBundle } from './bundle-reader.ts';

export interface ApplyOptions {
  readonly file: string;
  readonly folder: string;
  readonly allowedSigners?: string | undefined;
  /** The least serial that is no old tree. */
  readonly minSerial?: number | undefined;
  /** Whether a tree that nobody signed may take the place of one that somebody did. */
  readonly unsigned?: boolean;
  readonly older: boolean;
  readonly isLinked?: boolean;
  readonly showsProgress: boolean;
}

export interface Applied extends Installed {
  readonly folder: string;
  readonly revision: string;
  readonly digest: string;
  readonly signer: string | undefined;
  /** Documents, aliases and other files of the tree that stood there, which this one does not have. */
  readonly removed: number;
  readonly isWritten: boolean;
}

/** Fails when the bundle is not whole, not signed by whom it should be, or does not fit what stands there. */
export function apply(options: ApplyOptions): Applied {
  const bundle = openBundle(options.file);
  try {
    return applyOpen(bundle, options);
  } finally {
    bundle.close();
  }
}

function applyOpen(bundle: Bundle, options: ApplyOptions): Applied {
  const { folder, allowedSigners, minSerial, older, unsigned = false, isLinked = false } = options;
  const { findings, signer } = checked(bundle, { allowedSigners, minSerial }, options.showsProgress);
  const { head, manifest } = bundle;
  if (findings.length > 0 || !head || !manifest) return failAll(findings);
  checkReplaceable(folder);
  recover(stageOf(folder));
  const { revision, digest } = manifest.summary;
  const applied = { folder, revision, digest, signer };
  if (stands(folder, manifest, isLinked))
    return { ...applied, isWritten: false, written: 0, bytes: 0, kept: 0, removed: 0 };
  const admit = (standing: ManifestSummary | undefined) => {
    if (!older) refuseOlder(folder, standing, manifest.summary);
    refuseConflict(folder, standing, head);
    if (!unsigned) refuseUnsigned(folder, standing, manifest.summary);
  };
  admit(readManifestSummary(folder));
  const incoming = { manifest, read: bundle.read };
  const standing = standingManifest(folder);
  return {
    ...applied,
    isWritten: true,
    removed: standing ? removedIn(treeDifference(standing, manifest)) : 0,
    ...install({ label: 'Applying', folder, isLinked, incoming, admit, showsProgress: options.showsProgress }),
  };
}

/** What stands there must be what the bundle goes onto, or what it makes, by their digests. */
function refuseConflict(folder: string, standing: ManifestSummary | undefined, { from, to }: BundleHead): void {
  if (from === null || [from.digest, to.digest].includes(standing?.digest ?? '')) return;
  const { revision: thereId = '', digest: thereDigest = '' } = standing ?? {};
  const there = { thereId, thereDigest };
  fail(finding('bundle-does-not-fit', { folder, forId: from.revision, forDigest: from.digest, ...there }));
}

function checked(bundle: Bundle, trust: Trust, showsProgress: boolean): Trusted {
  const shown = progress('Verifying', bundle.files, showsProgress);
  try {
    const damages = bundle.check((done) => shown.at(done));
    const trusted: Trusted = bundle.manifest ? checkTrust(bundle.manifest, trust) : { signer: undefined, findings: [] };
    return { signer: trusted.signer, findings: [...trusted.findings, ...damages] };
  } finally {
    shown.end();
  }
}

export function describeApplied(applied: Applied): string {
  const { folder, revision, signer, isWritten, written, bytes, kept, removed } = applied;
  const signed = signer === undefined ? '' : `, signed by ${signer}`;
  if (!isWritten) return `${folder} holds revision ${shortId(revision)} already${signed}: nothing to do.\n`;
  return `Applied revision ${shortId(revision)} to ${folder}${signed}: ${plural(written, 'file')} written (${megabytes(bytes)}), ${grouped(kept)} kept, ${grouped(removed)} removed.\n`;
}
