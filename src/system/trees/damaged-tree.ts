/**
 * Whether the files of a tree are what its manifest says, as far as their sizes and times tell. No bytes of them are read, and
 * their own names alone are looked at: what else is wrong with a tree, verifying it tells.
 */
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { firstUnlike, type ListedFile, otherUnlike, type Unlike } from '../../core/tree/manifest/listed-files.ts';
import { type ManifestFrame, readFrame } from '../../core/tree/manifest/manifest-frame.ts';
import type { ManifestSource } from '../../core/tree/manifest/manifest-source.ts';
import { reading } from '../files/system-errors.ts';
import { statusIn } from './listed-tree.ts';
import { fileSource, withFile } from './manifest-summary.ts';
import { packagedChecks } from './packaged-checks.ts';

/** The number of the next piece of a manifest, for threads that share one: each piece is looked at by one of them. */
export type NextPiece = Int32Array;

/** No manifest has so many. */
const NONE_LEFT = 2 ** 30;

export function firstPiece(): NextPiece {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Ends the looking in all threads, each with the piece that it has. */
export function endLooking(next: NextPiece): void {
  Atomics.store(next, 0, NONE_LEFT);
}

/**
 * The first file of a document that is missing, or has another size or time than it should, in the pieces that this thread
 * takes; undefined where all are as they should be.
 */
export function firstDamaged(folder: string, next: NextPiece): Unlike | undefined {
  const look: Look<Unlike | undefined> = (source, frame) =>
    firstUnlike(source, frame, () => Atomics.add(next, 0, 1), asListedIn(folder));
  const found = inManifest(folder, look, undefined);
  if (found) endLooking(next);
  return found;
}

/** The same of the files that are no documents, and of the manifest itself. */
export function otherDamaged(folder: string): string | undefined {
  const look: Look<string | undefined> = (source, frame) => otherUnlike(source, frame, asListedIn(folder));
  return inManifest(folder, look, MANIFEST_FILE);
}

type Look<T> = (source: ManifestSource, frame: ManifestFrame) => T;

/** `none` is said where it is no manifest any more. */
function inManifest<T>(folder: string, look: Look<T>, none: T): T {
  const path = join(folder, MANIFEST_FILE);
  return reading(path, () =>
    withFile(path, (file) => {
      const source = fileSource(file);
      const frame = readFrame(source, packagedChecks());
      return frame ? look(source, frame) : none;
    }),
  );
}

function asListedIn(folder: string): (listed: ListedFile) => boolean {
  const status = statusIn(folder);
  return ({ file, size, modified }) => {
    const found = status(file);
    if (!found) return false;
    return (size === undefined || size === found.size) && (modified === undefined || modified * 1000 === found.mtimeMs);
  };
}
