/** No kind can have a top-level collection of this name. */

export const NODES_PATH = '/nodes';
export const NODE_SEARCH_PATH = `${NODES_PATH}/search`;
export const NODE_TABLE_PATH = `${NODES_PATH}/table`;
export const NODE_FACETS_PATH = `${NODES_PATH}/facets`;
export const NODE_HISTORY_PATH = `${NODES_PATH}/history`;
export const NODE_GROUPS_PATH = `${NODES_PATH}/by`;

export const PAGE_PARAMETER = '{page}';
type Page = number | typeof PAGE_PARAMETER;

export function nodePageUrl(page: Page): string {
  return `${NODES_PATH}/pages/${page}`;
}

/** Returns the URL of a page with uids and names. Only a large registry has these pages. */
export function nodeRowsUrl(page: Page): string {
  return `${NODE_TABLE_PATH}/rows/${page}`;
}

export function isNodeRowsUrl(url: string): boolean {
  return url.startsWith(`${NODE_TABLE_PATH}/rows/`);
}

/** Returns the URL of the list of nodes with `value` in `field`. Both must be valid path segments. */
export function nodeGroupUrl(field: string, value: string): string {
  return `${NODE_GROUPS_PATH}/${field}/${value}`;
}

export function namedNodeUrl(name: string): string {
  return `${NODES_PATH}/by-name/${name}`;
}
