/** A folder with this manifest file is a tree. */
export const MANIFEST_FILE = '_manifest.json';

/** Names in an archive are short, because tar files limit the length of paths. */

export const ARCHIVE_PREFIX = 'gridpress-';

/** Returns the name of an archive and of its top folder, without extension: `gridpress-meridian-91a34824...`. */
export function archiveName(grid: string, revision: string): string {
  return `${ARCHIVE_PREFIX}${grid}-${revision}`;
}

export const PAYLOAD_FOLDER = 'data';
export const TREE_NAME = 'tree';
export const TREE_FOLDER = `${PAYLOAD_FOLDER}/${TREE_NAME}`;
