/** The endpoints of documents about nodes of all sites. The explorer bundles the paths without this table. */
import {
  NODE_FACETS_PATH,
  NODE_GROUPS_PATH,
  NODE_HISTORY_PATH,
  NODE_SEARCH_PATH,
  NODE_TABLE_PATH,
  NODES_PATH,
  namedNodeUrl,
  nodeGroupUrl,
  nodePageUrl,
  nodeRowsUrl,
  PAGE_PARAMETER,
} from './node-paths.ts';

export const NODE_ROWS = [
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
] as const;

export type NodeContent = (typeof NODE_ROWS)[number][1];
