import {
  existsSync,
  fstatSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CATALOG_PATH } from '../../core/api/description/description-paths.ts';
import { Failure, fail, finding } from '../../core/diagnostics/finding.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { MANIFEST_BEGINNING } from '../../core/tree/manifest/manifest.ts';
import { SITE_FILES } from '../../core/tree/site-files.ts';
import { withFile } from '../files/file-io.ts';
import { isInside } from '../files/read-folder.ts';
import { realPlace } from '../files/real-place.ts';
import { reasonOf, undefinedOnSystemError } from '../files/system-errors.ts';
import { readManifestSummary } from './manifest-summary.ts';

/** Fails if the output is a file, overlaps the registry, or contains files that gridpress did not write. */
export function checkOutput(folder: string, registry: string): void {
  checkNoOverlap(folder, registry);
  checkReplaceable(folder);
}

export function checkNoOverlap(folder: string, registry: string): void {
  if (overlap(folder, registry)) fail(finding('output-in-registry', { folder, registry }));
}

export function overlap(one: string, other: string): boolean {
  const [a, b] = [realPlace(one), realPlace(other)];
  return isInside(a, b) || isInside(b, a);
}

/**
 * Fails if a path is inside a tree, because the manifest of this tree would not list the new files. `newTree` is a
 * folder that becomes a tree.
 */
export function checkOutsideTrees(path: string, newTree?: string): void {
  const planned = newTree === undefined ? undefined : realPlace(newTree);
  for (let place = realPlace(path); ; place = dirname(place)) {
    if (place === planned || isTree(place))
      fail(finding('output-in-tree', { folder: path, isTree: place === realPlace(path), tree: place }));
    if (dirname(place) === place) return;
  }
}

/** Fails if the path is not a folder, or if it contains files that gridpress did not write. */
export function checkReplaceable(folder: string): void {
  const exists = checkFolder(folder);
  const names = writable(folder, () => (exists && !isReplaceable(folder) ? readdirSync(folder) : []));
  if (names.length > 0) fail(finding('output-not-ours', { folder }));
}

/** Returns whether the folder exists. Fails if the path is not a folder. */
export function checkFolder(folder: string): boolean {
  return writable(folder, () => {
    const status = statSync(folder, { throwIfNoEntry: false });
    if (status && !status.isDirectory()) fail(finding('output-is-file', { folder }));
    if (!status && lstatSync(folder, { throwIfNoEntry: false }))
      fail(finding('output-not-writable', { folder, reason: 'it is a broken symbolic link' }));
    return status !== undefined;
  });
}

export function isTree(folder: string): boolean {
  return readManifestSummary(folder) !== undefined;
}

/**
 * Returns whether a new tree may replace the folder. Accepts a tree, a tree with a truncated manifest, and a folder
 * that contains only `SITE_FILES` and no API catalogue.
 */
export function isReplaceable(folder: string): boolean {
  if (isTree(folder) || hasCutManifest(folder)) return true;
  const hasCatalog = existsSync(join(folder, CATALOG_PATH));
  return !hasCatalog && readdirSync(folder).every((name) => SITE_FILES.has(name));
}

/** After a power failure, a manifest can be empty, truncated or filled with zeros. */
function hasCutManifest(folder: string): boolean {
  const isCut = (file: number) => {
    if (!fstatSync(file).isFile()) return false;
    const bytes = Buffer.alloc(MANIFEST_BEGINNING.length);
    const text = bytes.toString('latin1', 0, readSync(file, bytes)).replace(/\0+$/, '');
    return MANIFEST_BEGINNING.startsWith(text);
  };
  const path = join(folder, MANIFEST_FILE);
  return undefinedOnSystemError(() => withFile(path, isCut)) ?? false;
}

export function writable<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail(finding('output-not-writable', { folder, reason: reasonOf(error) }));
  }
}

/** Replaced trees are deleted after this time. The last replaced tree is kept. */
const RETENTION_MS = 10 * 60_000;

/** Resolves symbolic links, except links that `switchLink` created. */
export function realPlaceOf(path: string): string {
  const place = join(realPlace(dirname(resolve(path))), basename(resolve(path)));
  const target = linkAt(place);
  if (target === undefined || isOwnLink(place, target) || !existsSync(place)) return place;
  return realPlaceOf(resolve(dirname(place), target));
}

export function linkedTree(place: string): string | undefined {
  const target = linkAt(place);
  return target !== undefined && isOwnLink(place, target) ? join(dirname(place), target) : undefined;
}

export function isLinkedPlace(path: string): boolean {
  return linkedTree(realPlaceOf(path)) !== undefined;
}

export function treesOf(place: string): string {
  return join(dirname(place), `.${basename(place)}.gridpress-trees`);
}

export function nextTree(place: string): string {
  if (isLink(treesOf(place)))
    fail(finding('output-not-writable', { folder: treesOf(place), reason: 'it is a symbolic link' }));
  return join(treesOf(place), String(Math.max(0, ...numbersIn(treesOf(place))) + 1));
}

export function switchLink(place: string, tree: string, aside: string): void {
  rmSync(aside, { force: true });
  symlinkSync(relative(dirname(place), tree), aside);
  renameSync(aside, place);
}

/** Deletes old replaced trees, and trees that were never linked. */
export function pruneTrees(place: string): void {
  const current = Number(basename(linkedTree(place) ?? '0'));
  const folder = treesOf(place);
  const replaced = numbersIn(folder).filter((number) => number < current);
  // The time of a tree is the time at which it replaced the previous tree. Another user can own the previous tree, so
  // its time cannot be set.
  const isOld = (number: number) => Date.now() - lstatSync(join(folder, String(number))).mtimeMs > RETENTION_MS;
  const old = replaced.filter((_, i) => i > 0 && isOld(itemAt(replaced, i - 1)));
  const unused = numbersIn(folder).filter((number) => number > current);
  for (const number of [...old, ...unused]) rmSync(join(folder, String(number)), { recursive: true, force: true });
}

function numbersIn(folder: string): number[] {
  const names = existsSync(folder) && !isLink(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .sort((a, b) => b - a);
}

function isOwnLink(place: string, target: string): boolean {
  const trees = treesOf(place);
  return dirname(target) === basename(trees) && /^[1-9]\d*$/.test(basename(target)) && !isLink(trees);
}

/** Detects links, because a cloned link in place of a folder can point to a folder of the user. */
function isLink(path: string): boolean {
  return linkAt(path) !== undefined;
}

function linkAt(place: string): string | undefined {
  return undefinedOnSystemError(() => readlinkSync(place));
}
