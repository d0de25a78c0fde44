/**
 * Places that are served without a gap: `www` is a symbolic link to `.www.gridpress-trees/7`, the seventh tree that was put
 * there, and switching the link is one step. A tree that was replaced stays for some time, for those who still read it.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { realPlace } from './output-place.ts';

/** How long a tree stays that was replaced, in milliseconds. The last of them stays however long ago that was. */
const KEPT_MS = 10 * 60_000;

/** The place that a path means, once the links of others are followed. One of ours is the place itself. */
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
  return join(treesOf(place), String(Math.max(0, ...numbersIn(treesOf(place))) + 1));
}

/** Makes the link of a place lead to a tree, in one step. What stands there must be a link, or nothing. */
export function switchLink(place: string, tree: string, aside: string): void {
  const before = linkedTree(place);
  rmSync(aside, { force: true });
  symlinkSync(relative(dirname(place), tree), aside);
  renameSync(aside, place);
  // Says since when it is not needed any more.
  if (before !== undefined && existsSync(before)) utimesSync(before, new Date(), new Date());
}

/** Removes the trees of a place that were replaced some time ago, and those that were never put there. */
export function pruneTrees(place: string): void {
  const current = Number(basename(linkedTree(place) ?? '0'));
  const folder = treesOf(place);
  const [, ...older] = numbersIn(folder).filter((number) => number < current);
  const isOld = (number: number) => Date.now() - lstatSync(join(folder, String(number))).mtimeMs > KEPT_MS;
  const unused = numbersIn(folder).filter((number) => number > current);
  for (const number of [...older.filter(isOld), ...unused])
    rmSync(join(folder, String(number)), { recursive: true, force: true });
}

function numbersIn(folder: string): number[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .sort((a, b) => b - a);
}

function isOwnLink(place: string, target: string): boolean {
  return dirname(target) === basename(treesOf(place)) && /^[1-9]\d*$/.test(basename(target));
}

function linkAt(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}
