/** Creates archives like the command, and unpacks them with tar. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type VerifyTreeResult, verifyTree } from '../../../src/cli/verify-place.ts';
import { type ArchiveOptions, type ArchiveResult, archive } from '../../../src/features/archive/archive.ts';
import { newFolder } from '../folders.ts';

/** Archives revisions of a registry, by default its head, to a new folder. */
export async function archived(
  registry: string,
  options: Partial<ArchiveOptions> = {},
): Promise<ArchiveResult & { readonly out: string }> {
  const out = options.out ?? newFolder();
  const result = await archive({ registry, revisions: [], all: false, showsProgress: false, ...options, out });
  return { ...result, out };
}

/** Unpacks a file with tar; returns the only folder in it. */
export function unpacked(tar: string): string {
  const folder = newFolder();
  execFileSync('tar', ['-xf', tar, '-C', folder]);
  const [only = '', ...others] = readdirSync(folder);
  if (others.length > 0) throw new Error(`more than one folder: ${others}`);
  return join(folder, only);
}

export async function verifiedArchive(place: string, older = false): Promise<VerifyTreeResult> {
  return await verifyTree({ place, timeout: 10, maxRequests: 1, older, trust: {}, showsProgress: false });
}

/** Returns all files of a flat folder with their bytes. */
export function bytesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((file) => [file, readFileSync(join(folder, file)).toString('latin1')]),
  );
}
