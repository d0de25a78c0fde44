/**
 * Where the indexes of a registry lie: in the folder `.gridpress` beside `gridpress.yaml`, which ignores itself
 * for git. What is believed is only what a process of the same user made in this very place: a file in the folder has a
 * number and a time that nobody chooses, and the index states them. So one that came along with a clone or an archive,
 * whoever made it, is none.
 */

import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { unlessRefused } from '../../system/files/system-errors.ts';

const FOLDER = '.gridpress';
const ANCHOR = '.gitignore';
const IGNORES_ALL = '*\n';

export interface IndexPlace {
  readonly folder: string;
  /** Where files are written before they have their names. */
  readonly work: string;
  /** The file of the history's index. */
  readonly file: string;
  /** The file of the working files' index. */
  readonly sources: string;
  /** The beginning of the names of files with records. */
  readonly records: string;
}

/** Undefined for a registry that is in no project. */
export function indexPlace(registry: string): IndexPlace | undefined {
  if (!existsSync(join(dirname(resolve(registry)), 'gridpress.yaml'))) return undefined;
  return placeBeside(registry);
}

/** The same of a registry in the making: until it stands in its place, whatever is written lies in a folder of its own. */
export function placeBeside(registry: string, work?: string): IndexPlace {
  const root = resolve(registry);
  const folder = join(dirname(root), FOLDER);
  const name = basename(root);
  return {
    folder,
    work: work ?? folder,
    records: `${name}.records-`,
    file: join(folder, `${name}.index`),
    sources: join(folder, `${name}.sources`),
  };
}

/** What only a process knows that works in this place; undefined where the folder is not there, or somebody else's. */
function anchorOf({ folder }: IndexPlace): string | undefined {
  const user = process.geteuid?.();
  const held = lstatSync(folder, { throwIfNoEntry: false });
  const anchor = held?.isDirectory()
    ? lstatSync(join(folder, ANCHOR), { throwIfNoEntry: false, bigint: true })
    : undefined;
  if (!held || !anchor?.isFile()) return undefined;
  if (user !== undefined && (held.uid !== user || anchor.uid !== BigInt(user))) return undefined;
  return `${anchor.dev} ${anchor.ino} ${anchor.ctimeNs}`;
}

/** What an index was made in and by: of another, nothing is read. */
export interface IndexKey {
  readonly anchor: string;
  /** A digest of the program's version, and of what of the registry decides how files are read. */
  readonly maker: string;
}

/** Undefined where nothing may be believed. */
export function indexKey(place: IndexPlace, maker: string): IndexKey | undefined {
  const anchor = anchorOf(place);
  return anchor === undefined ? undefined : { anchor, maker };
}

/** Makes the folder. */
export function makePlace({ folder }: IndexPlace): void {
  mkdirSync(folder, { recursive: true });
  const anchor = join(folder, ANCHOR);
  if (!existsSync(anchor)) writeFileSync(anchor, IGNORES_ALL, { flag: 'wx' });
}

/** Whether something lies where a registry's index would be, whatever it is worth. */
export function isIndexThere(registry: string): boolean {
  const place = indexPlace(registry);
  return place !== undefined && existsSync(place.file);
}

/** Removes an index; its records go when the next one is written. */
export function dropIndex(registry: string): void {
  const place = indexPlace(registry);
  if (place) unlessRefused(() => rmSync(place.file, { force: true }));
}
