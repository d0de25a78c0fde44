/** A folder with a file of this name is a tree. */
export const MANIFEST_FILE = '_manifest.json';

/** The names in an archive. They are short, because paths in a tar file have a length limit. */

export const ARCHIVE_PREFIX = 'gridpress-';

/** The name of an archive without its extension, and of its top folder: `gridpress-meridian-91a34824...`. */
export function archiveName(grid: string, revision: string): string {
  return `${ARCHIVE_PREFIX}${grid}-${revision}`;
}

export const PAYLOAD_FOLDER = 'data';
export const TREE_NAME = 'tree';
export const TREE_FOLDER = `${PAYLOAD_FOLDER}/${TREE_NAME}`;
