/** Where a command may write: what speaks against a place, and what stands there already. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CATALOG_PATH } from '../../core/api/description/description-paths.ts';
import { Failure, fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { MANIFEST_BEGINNING } from '../../core/tree/manifest/manifest.ts';
import { isInside } from '../files/read-folder.ts';
import { reasonOf } from '../files/system-errors.ts';
import { readManifestSummary } from './manifest-summary.ts';

/** Refuses an output that is a file, that lies in the registry (or the other way round), or that is not ours. */
export function checkOutput(folder: string, registry: string): void {
  checkApart(folder, registry);
  checkReplaceable(folder);
}

export function checkApart(folder: string, registry: string): void {
  if (overlap(folder, registry)) fail(finding('output-in-registry', { folder, registry }));
}

/** Whether one of two places lies in the other, or they are the same. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [realPlace(one), realPlace(other)];
  return isInside(a, b) || isInside(b, a);
}

/** Refuses a folder that is a tree or lies in one, which would then hold what its manifest does not list. */
export function checkInNoTree(path: string): void {
  for (let place = realPlace(path); ; place = dirname(place)) {
    if (isTree(place))
      fail(finding('output-in-tree', { folder: path, isTree: place === realPlace(path), tree: place }));
    if (dirname(place) === place) return;
  }
}

/** Refuses what is no folder, or one that holds something that is no tree of ours. */
export function checkReplaceable(folder: string): void {
  const isThere = checkFolder(folder);
  const names = writable(folder, () => (isThere && !isOurs(folder) ? readdirSync(folder) : []));
  if (names.length > 0) fail(finding('output-not-ours', { folder }));
}

export function checkFolder(folder: string): boolean {
  return writable(folder, () => {
    const status = statSync(folder, { throwIfNoEntry: false });
    if (status && !status.isDirectory()) fail(finding('output-is-file', { folder }));
    if (!status && lstatSync(folder, { throwIfNoEntry: false }))
      fail(finding('output-not-writable', { folder, reason: 'it is a symbolic link that leads nowhere' }));
    return status !== undefined;
  });
}

export function isTree(folder: string): boolean {
  return readManifestSummary(folder) !== undefined;
}

/** What hosts, browsers and git look for at the root of a site: it stays where a first tree comes. */
const SITE_FILES = new Set([
  ...['.git', '.gitattributes', '.github', '.nojekyll', '.well-known'],
  ...['CNAME', 'favicon.ico', 'humans.txt', 'robots.txt'],
]);

/**
 * Whether a folder may become a tree: it is one that gridpress wrote, or what a power cut has left of one, or holds nothing
 * but files of its host, such as a CNAME or a .well-known without a catalogue of APIs, which would be replaced.
 */
export function isOurs(folder: string): boolean {
  if (isTree(folder) || hasCutManifest(folder)) return true;
  const hasCatalog = existsSync(join(folder, CATALOG_PATH));
  return !hasCatalog && readdirSync(folder).every((name) => SITE_FILES.has(name));
}

/**
 * Whether the manifest of a folder is empty, or ends before its end, or is all zeros from some place on: so file systems
 * leave what was not on the disk yet.
 */
function hasCutManifest(folder: string): boolean {
  let file: number;
  try {
    file = openSync(join(folder, MANIFEST_FILE), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    if (!fstatSync(file).isFile()) return false;
    const bytes = Buffer.alloc(MANIFEST_BEGINNING.length);
    const text = bytes.toString('latin1', 0, readSync(file, bytes)).replace(/\0+$/, '');
    return MANIFEST_BEGINNING.startsWith(text);
  } finally {
    closeSync(file);
  }
}

export function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(resolve(path));
    return above === path ? path : join(realPlace(above), basename(path));
  }
}

/** Runs what makes or needs the output folder; a system error ends the command with a finding that names it. */
export function writable<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail(finding('output-not-writable', { folder, reason: reasonOf(error) }));
  }
}
