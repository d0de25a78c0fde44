import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { bytesSource, type ManifestSource } from '../../core/tree/manifest/manifest-frame.ts';
import { type Manifest, readManifest } from '../../core/tree/manifest/read-manifest.ts';
import { displayPath } from '../files/display-path.ts';
import { withFile } from '../files/file-io.ts';
import { reading, readingIfExists, undefinedOnSystemError } from '../files/system-errors.ts';
import { fileSource } from './manifest-summary.ts';
import { packagedChecks } from './packaged-checks.ts';
import { isMissingFile, type TreeFiles } from './tree-files.ts';

/** Returns undefined if the source is not a manifest of this format. */
export function manifestFrom(source: ManifestSource): Manifest | undefined {
  return readManifest(source, packagedChecks);
}

export function manifestInBytes(bytes: Uint8Array): Manifest | undefined {
  return manifestFrom(bytesSource(bytes));
}

export function manifestInFile(path: string): Manifest | undefined {
  return withFile(path, (file) => manifestFrom(fileSource(file)));
}

export function readIntactManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_FILE);
  if (!readingIfExists(displayPath(path), () => lstatSync(path))) fail(finding('no-tree', { folder }));
  return assertIntactManifest(reading(path, () => manifestInFile(path)));
}

export const NO_MANIFEST = 'it is not a manifest that this version of gridpress can read';

/** Fails if the manifest is unreadable or does not match its digest and seal. */
export function assertIntactManifest(manifest: Manifest | undefined): Manifest {
  if (!manifest) return fail(finding('verify-manifest', { reason: NO_MANIFEST }, { file: MANIFEST_FILE }));
  if (manifest.findings.length > 0) failAll(manifest.findings);
  return manifest;
}

export function readManifestIfExists(folder: string): Manifest | undefined {
  return undefinedOnSystemError(() => manifestInFile(join(folder, MANIFEST_FILE)));
}

export function existingManifest(folder: string): Manifest | undefined {
  const manifest = readManifestIfExists(folder);
  return manifest?.findings.length === 0 ? manifest : undefined;
}

export function manifestSourceIn(tree: TreeFiles): ManifestSource | undefined {
  const status = tree.status(MANIFEST_FILE);
  if (isMissingFile(status)) return undefined;
  return {
    size: status.size,
    read: (from, length) => {
      const chunk = tree.chunk(MANIFEST_FILE, from, length);
      return isMissingFile(chunk) ? new Uint8Array() : chunk.bytes;
    },
  };
}
