/** The manifests of trees in folders, in archives and in memory: what reads them knows nothing of where they lie. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { bytesSource, type ManifestSource } from '../../core/tree/manifest/manifest-frame.ts';
import { type Manifest, readManifest } from '../../core/tree/manifest/read-manifest.ts';
import { reading, unlessRefused } from '../files/system-errors.ts';
import { fileSource, withFile } from './manifest-summary.ts';
import { packagedChecks } from './packaged-checks.ts';
import { isNoFile, type TreeFiles } from './tree-files.ts';

const CHECKS = packagedChecks();

/** Undefined when it is no manifest of this format. */
export function manifestFrom(source: ManifestSource): Manifest | undefined {
  return readManifest(source, CHECKS);
}

export function manifestInBytes(bytes: Uint8Array): Manifest | undefined {
  return manifestFrom(bytesSource(bytes));
}

/** Undefined when the file is no manifest of this format. System errors are thrown on. */
export function manifestInFile(path: string): Manifest | undefined {
  return withFile(path, (file) => manifestFrom(fileSource(file)));
}

/** The manifest of a tree; fails when there is none, or none that is whole. */
export function wholeManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_FILE);
  if (!lstatSync(path, { throwIfNoEntry: false })) fail(finding('no-tree', { folder }));
  return checkedManifest(reading(path, () => manifestInFile(path)));
}

export const NO_MANIFEST = 'it is no manifest of a format that this gridpress knows';

/** Fails when a manifest cannot be read, or is not what its digest and its seal say. */
export function checkedManifest(manifest: Manifest | undefined): Manifest {
  if (!manifest) return fail(finding('verify-manifest', { reason: NO_MANIFEST }, { file: MANIFEST_FILE }));
  if (manifest.findings.length > 0) failAll(manifest.findings);
  return manifest;
}

export function manifestUnlessAbsent(folder: string): Manifest | undefined {
  return unlessRefused(() => manifestInFile(join(folder, MANIFEST_FILE)));
}

/** The same; undefined where it is not whole, too. */
export function standingManifest(folder: string): Manifest | undefined {
  const manifest = manifestUnlessAbsent(folder);
  return manifest?.findings.length === 0 ? manifest : undefined;
}

export function manifestSourceIn(tree: TreeFiles): ManifestSource | undefined {
  const status = tree.status(MANIFEST_FILE);
  if (isNoFile(status)) return undefined;
  return {
    size: status.size,
    read: (from, length) => {
      const chunk = tree.chunk(MANIFEST_FILE, from, length);
      return isNoFile(chunk) ? new Uint8Array() : chunk.bytes;
    },
  };
}
