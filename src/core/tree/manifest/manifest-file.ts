/** What the manifest of a tree is called: by it a folder is known to be one. */
export const MANIFEST_FILE = '_manifest.json';
