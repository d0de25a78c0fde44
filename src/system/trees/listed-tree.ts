/** Trees in folders as their manifests list them: read only where the manifest is whole, and compared to the last byte. */

import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { listingOf, type ManifestListing } from '../../core/tree/manifest-listing.ts';
import { contentsOf, linksOf } from '../../core/tree/tree-contents.ts';
import { type Chunks, chunkReader, digestOf } from '../files/file-chunks.ts';
import { reading, systemCode } from '../files/system-errors.ts';
import { manifestText } from './manifest-bytes.ts';

export interface ListedTree {
  readonly manifest: Uint8Array;
  readonly listing: ManifestListing;
}

/** Fails when there is no tree, or when its manifest is not what its digest and its seal say. */
export function readListedTree(folder: string): ListedTree {
  const path = join(folder, MANIFEST_FILE);
  if (!lstatSync(path, { throwIfNoEntry: false })) fail(finding('no-tree', { folder }));
  return listedTree(reading(path, () => readFileSync(path)));
}

/** Fails when the bytes are no manifest that is whole. */
export function listedTree(manifest: Buffer): ListedTree {
  const text = manifestText(manifest);
  const reason = 'it is no manifest of a format that this gridpress knows';
  if (!text) return fail(finding('verify-manifest', { reason }, { file: MANIFEST_FILE }));
  const listing = listingOf(text);
  if (listing.findings.length > 0) failAll(listing.findings);
  return { manifest, listing };
}

/** The manifest that stands in a folder; undefined where there is none, or none that is whole. */
export function standingListing(folder: string): ManifestListing | undefined {
  try {
    const text = manifestText(readFileSync(join(folder, MANIFEST_FILE)));
    const listing = text && listingOf(text);
    return listing?.findings.length === 0 ? listing : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Gives the bytes of the files of a tree; undefined where one is missing. */
export function treeReader(folder: string): (content: { readonly file: string }) => Chunks | undefined {
  const chunks = chunkReader();
  return ({ file }) => {
    const path = join(folder, file);
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? chunks(path) : undefined;
  };
}

/** Whether a folder holds this very tree: every file with its bytes and its time, under all of its names. */
export function isInstalled(folder: string, { manifest, listing }: ListedTree): boolean {
  const status = statusIn(folder);
  const chunks = chunkReader();
  const digest = (file: string) => digestOf(chunks(join(folder, file)));
  try {
    if (!readFileSync(join(folder, MANIFEST_FILE)).equals(manifest)) return false;
    for (const { file, sha256, modified } of contentsOf(listing)) {
      if (status(file)?.mtimeMs !== modified * 1000 || digest(file) !== sha256) return false;
    }
    for (const { file, target } of linksOf(listing)) {
      const [own, other] = [status(file), status(target)];
      if (!own || !other || own.mtimeMs !== other.mtimeMs) return false;
      const isLink = own.dev === other.dev && own.ino === other.ino;
      if (!isLink && digest(file) !== digest(target)) return false;
    }
    return true;
  } catch (error) {
    // What cannot be read is not there.
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Undefined for what is no file. */
function statusIn(folder: string): (file: string) => Stats | undefined {
  return (file) => {
    const status = lstatSync(join(folder, file), { throwIfNoEntry: false });
    return status?.isFile() ? status : undefined;
  };
}
