import { lstatSync, readdirSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { byCodeUnit } from '../../../core/model/json.ts';
import type { Manifest } from '../../../core/tree/manifest/read-manifest.ts';
import { expectedFiles } from '../../../core/tree/tree-contents.ts';
import { reasonOf, systemCode } from '../../../system/files/system-errors.ts';
import { decodeContent } from '../../../system/trees/content-coding.ts';
import { folderFiles } from '../../../system/trees/tree-files.ts';
import { type ProvenanceClaim, type ProvenanceProof, provenanceClaimOf, provenanceProof } from '../file-provenance.ts';
import type { PruneItem } from '../prune-options.ts';

export interface Unlisted {
  /** Proven to be of this API, in the order of their names. */
  readonly own: readonly string[];
  /** Whatever else no manifest lists. */
  readonly foreign: readonly PruneItem[];
}

/** `names` are the patterns of other names that any tree may have. */
export function unlistedFiles(folder: string, manifest: Manifest, names: readonly string[]): Unlisted {
  const listed = new Set(expectedFiles(manifest));
  const proof = provenanceProof();
  const own: string[] = [];
  const foreign: PruneItem[] = [];
  const found = [...folderFiles(folder).names()].filter(({ name }) => !listed.has(name));
  for (const { name: file, isFile } of found.sort((a, b) => byCodeUnit(a.name, b.name))) {
    const reason = isFile
      ? strangeness(join(folder, file), provenanceClaimOf(file, names), proof)
      : 'it is no file of its own, but a link or a device';
    if (reason === undefined) own.push(file);
    else foreign.push({ name: file, reason });
  }
  return { own, foreign };
}

function strangeness(path: string, claim: ProvenanceClaim | undefined, isProven: ProvenanceProof): string | undefined {
  if (!claim) return 'it stands where no document does';
  const other = 'it does not say what a document at its path says';
  try {
    const bytes = readFileSync(path);
    const decoded = claim.coding === undefined ? bytes : decodeContent(claim.coding, bytes);
    if (!decoded) return other;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decoded);
    return isProven(claim, text) ? undefined : other;
  } catch (error) {
    if (error instanceof TypeError) return other;
    return `it cannot be read: ${reasonOf(error)}`;
  }
}

export function removeFiles(folder: string, files: readonly string[], onProgress: (done: number) => void): void {
  const emptied = new Set<string>();
  for (const [i, file] of files.entries()) {
    removing(file, () => {
      const status = lstatSync(join(folder, file), { throwIfNoEntry: false });
      if (status?.isFile()) unlinkSync(join(folder, file));
    });
    emptied.add(dirname(file));
    onProgress(i + 1);
  }
  for (const below of emptied) removeIfEmpty(folder, below);
}

function removeIfEmpty(folder: string, below: string): void {
  for (let at = below; at !== '.'; at = dirname(at)) {
    const path = join(folder, at);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
    if (readdirSync(path).length > 0) return;
    removing(at, () => rmdirSync(path));
  }
}

function removing(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    fail(finding('prune-failed', { file, reason: reasonOf(error) }));
  }
}
