/** What stands in a tree that others have replaced: what gridpress wrote, which goes, and what is others', which stays. */
import { type Dirent, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { WELL_KNOWN_FOLDER } from '../../../core/api/description/description-paths.ts';
import { isDocumentName, isTreeName, isWellKnown, MANIFEST_FILE } from '../../../core/tree/layout.ts';
import { readManifestSummary } from '../manifest-summary.ts';

/** A tree that goes: its root, and those of its files that are no documents. */
export interface RetiringTree {
  readonly old: string;
  readonly files: ReadonlySet<string>;
  /** How many documents and aliases it says it has. */
  readonly size: number;
}

export interface RetiringEntry {
  /** Below the root. */
  readonly path: string;
  readonly entry: Dirent;
  readonly isOthers: boolean;
}

export function retiringTree(old: string): RetiringTree {
  const { files = [], counts } = readManifestSummary(old) ?? {};
  const size = counts ? counts.documents + counts.aliases : 0;
  return { old, files: new Set(files.map(({ file }) => file)), size };
}

/** All that stands in a folder of a tree, but for the manifest. */
export function* entriesOf({ old, files }: RetiringTree, folder: string): Generator<RetiringEntry> {
  for (const entry of readdirSync(`${old}/${folder}`, { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (path !== MANIFEST_FILE) yield { path, entry, isOthers: !files.has(path) && !isOurs(entry, path) };
  }
}

/** Removes what is ours in a folder. `takeOthers` says whether it has taken away what is others'; returned is whether all is gone. */
export function emptyFolder(tree: RetiringTree, folder: string, takeOthers: (path: string) => boolean): boolean {
  let isEmpty = true;
  for (const { path, entry, isOthers } of entriesOf(tree, folder)) {
    if (isOthers) isEmpty = takeOthers(path) && isEmpty;
    else if (!entry.isDirectory()) unlinkSync(`${tree.old}/${path}`);
    else if (emptyFolder(tree, path, takeOthers)) rmdirSync(`${tree.old}/${path}`);
    else isEmpty = false;
  }
  return isEmpty;
}

function isOurs(entry: Dirent, path: string): boolean {
  if (entry.name === path) return isTreeName(path);
  if (path.startsWith(`${WELL_KNOWN_FOLDER}/`)) return entry.isFile() && isWellKnown(path);
  return entry.isDirectory() || (entry.isFile() && isDocumentName(entry.name));
}
