/** The paths of what shows the nodes of all sites together. No kind has a collection of this name at the top. */

export const NODES_PATH = '/nodes';
export const NODE_SEARCH_PATH = `${NODES_PATH}/search`;
export const NODE_TABLE_PATH = `${NODES_PATH}/table`;
export const NODE_FACETS_PATH = `${NODES_PATH}/facets`;
export const NODE_HISTORY_PATH = `${NODES_PATH}/history`;
/** What the nodes are grouped by. */
export const NODE_GROUPS_PATH = `${NODES_PATH}/by`;

/** The number of a page, from 1 on. */
export const PAGE_PARAMETER = '{page}';
type Page = number | typeof PAGE_PARAMETER;

/** A page of the nodes of all sites. */
export function nodePageUrl(page: Page): string {
  return `${NODES_PATH}/pages/${page}`;
}

/** The uids and names of rows of the table, where it has not got them itself. */
export function nodeRowsUrl(page: Page): string {
  return `${NODE_TABLE_PATH}/rows/${page}`;
}

/** The nodes that have a value in a field, both as segments. */
export function nodeGroupUrl(field: string, value: string): string {
  return `${NODE_GROUPS_PATH}/${field}/${value}`;
}

/** The node of a name, as a segment. */
export function namedNodeUrl(name: string): string {
  return `${NODES_PATH}/by-name/${name}`;
}

/** What these paths answer. */
export type NodeContent =
  | 'node-page'
  | 'node-search'
  | 'node-table'
  | 'node-facets'
  | 'node-rows'
  | 'node-history'
  | 'node-groups'
  | 'node-group'
  | 'named-node';

/** The rows of all nodes together: what each template answers, and in which form. */
export const NODE_ROWS: readonly (readonly [template: string, content: NodeContent, form: 'item' | 'collection'])[] = [
  [NODES_PATH, 'node-page', 'collection'],
  [nodePageUrl(PAGE_PARAMETER), 'node-page', 'collection'],
  [NODE_SEARCH_PATH, 'node-search', 'collection'],
  [NODE_TABLE_PATH, 'node-table', 'item'],
  [nodeRowsUrl(PAGE_PARAMETER), 'node-rows', 'item'],
  [NODE_FACETS_PATH, 'node-facets', 'item'],
  [NODE_HISTORY_PATH, 'node-history', 'item'],
  [NODE_GROUPS_PATH, 'node-groups', 'collection'],
  [nodeGroupUrl('{field}', '{value}'), 'node-group', 'collection'],
  [namedNodeUrl('{node_name}'), 'named-node', 'item'],
];
