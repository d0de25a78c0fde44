import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf, linksOf } from '../../core/tree/tree-contents.ts';
import { type Chunks, chunkReader, digestOf } from '../files/file-io.ts';
import { isAbsent, systemCode } from '../files/system-errors.ts';

export function treeReader(folder: string): (content: { readonly file: string }) => Chunks | undefined {
  const chunks = chunkReader();
  return ({ file }) => {
    const path = join(folder, file);
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? chunks(path) : undefined;
  };
}

/** Returns whether a folder contains all aliases and all files of a manifest, with the listed contents and times. */
export function isInstalled(folder: string, manifest: Manifest): boolean {
  const status = statusIn(folder);
  const chunks = chunkReader();
  const digest = (file: string) => digestOf(chunks(join(folder, file)));
  try {
    if (digest(MANIFEST_FILE) !== manifest.sha256) return false;
    for (const { file, sha256, modified } of contentsOf(manifest)) {
      if (status(file)?.mtimeMs !== modified * 1000 || digest(file) !== sha256) return false;
    }
    for (const { file, target } of linksOf(manifest)) {
      const [own, other] = [status(file), status(target)];
      if (!own || !other || own.mtimeMs !== other.mtimeMs) return false;
      const isLink = own.dev === other.dev && own.ino === other.ino;
      if (!isLink && digest(file) !== digest(target)) return false;
    }
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

export function statusIn(folder: string): (file: string) => Stats | undefined {
  return (file) => {
    try {
      const status = lstatSync(`${folder}/${file}`, { throwIfNoEntry: false });
      return status?.isFile() ? status : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  };
}
