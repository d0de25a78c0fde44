/** What archives are called, and where each has its tree: every path of the API stands below that, in the bounds of a tar. */

export const ARCHIVE_PREFIX = 'gridpress-';

/** `gridpress-meridian-91a34824...`: the name of an archive without ending, and of the one folder in it. */
export function archiveName(grid: string, revision: string): string {
  return `${ARCHIVE_PREFIX}${grid}-${revision}`;
}

export const PAYLOAD_FOLDER = 'data';
export const TREE_NAME = 'tree';
export const TREE_FOLDER = `${PAYLOAD_FOLDER}/${TREE_NAME}`;
