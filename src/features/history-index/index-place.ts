/**
 * Where the index of a registry's history lies: in the folder `.gridpress` beside `gridpress.yaml`, which ignores itself
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
  /** The file of the index. */
  readonly file: string;
  /** The beginning of the names of files with records. */
  readonly records: string;
}

/** Undefined for a registry that is in no project. */
export function indexPlace(registry: string): IndexPlace | undefined {
  const root = resolve(registry);
  const project = dirname(root);
  if (!existsSync(join(project, 'gridpress.yaml'))) return undefined;
  const folder = join(project, FOLDER);
  const name = basename(root);
  return { folder, file: join(folder, `${name}.index`), records: `${name}.records-` };
}

/** What only a process knows that works in this place; undefined where the folder is not there, or somebody else's. */
export function anchorOf({ folder }: IndexPlace): string | undefined {
  const user = process.geteuid?.();
  const held = lstatSync(folder, { throwIfNoEntry: false });
  const anchor = held?.isDirectory()
    ? lstatSync(join(folder, ANCHOR), { throwIfNoEntry: false, bigint: true })
    : undefined;
  if (!held || !anchor?.isFile()) return undefined;
  if (user !== undefined && (held.uid !== user || anchor.uid !== BigInt(user))) return undefined;
  return `${anchor.dev} ${anchor.ino} ${anchor.ctimeNs}`;
}

/** Makes the folder. */
export function makePlace({ folder }: IndexPlace): void {
  mkdirSync(folder, { recursive: true });
  const anchor = join(folder, ANCHOR);
  if (!existsSync(anchor)) writeFileSync(anchor, IGNORES_ALL, { flag: 'wx' });
}

/** Removes an index; its records go when the next one is written. */
export function dropIndex(registry: string): void {
  const place = indexPlace(registry);
  if (place) unlessRefused(() => rmSync(place.file, { force: true }));
}
