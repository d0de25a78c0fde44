import { type ForUrl, failure, type NoArguments, warning } from '../message.ts';
import { formatCount, shortId } from '../words.ts';
import { shown, suggestNames } from './query.ts';

/** Messages of `find` and `mcp` that only the command line prints. */
export const FIND_MESSAGES = {
  'query-empty': failure<NoArguments>(
    () => 'The query is empty.',
    'Omit the argument to find all nodes, or write a condition, such as gpu.gpu_count >= 2.',
  ),
  'query-name': failure<{ given: string; nearest: readonly string[]; labels: readonly string[] }>(
    (a) => `No node is called ${shown(a.given)}.`,
    (a) =>
      suggestNames(
        [...a.labels, ...(a.labels.length > 0 ? [] : a.nearest)],
        'Name a node by its path, its uid or its node_name, or write a condition, such as gpu.gpu_count >= 2.',
      ),
  ),
  'no-snapshot': failure<ForUrl & { id: string }>(
    (a) => `${a.url} does not exist: the nodes as of revision ${shortId(a.id)} are not published.`,
    'Name a revision that /snapshots lists, or ask the operator for a snapshot of this revision. Or name the folder of the registry or of an archive with --from (for a lock file: --against).',
  ),
  'no-first-parents': failure<ForUrl>(
    (a) => `${a.url} does not list the revisions, because the list is too long. A date cannot be resolved without it.`,
    'Name a revision that /snapshots lists, or use the folder of the registry in place of this URL.',
  ),
  'snippet-earlier': failure<{ snippet: string; id: string }>(
    (a) =>
      `The code for ${a.snippet} would read the current documents, but the nodes were found as of the earlier revision ${shortId(a.id)}.`,
    'Omit --at, or print the nodes as of this revision with --ndjson or --csv.',
  ),
  'request-earlier': warning<{ id: string }>(
    (a) =>
      `The nodes were found as of the earlier revision ${shortId(a.id)}. Since then, they may have changed or been removed.`,
    'Omit --at to request nodes as they are now.',
  ),
  'table-long': warning<{ nodes: number }>(
    (a) => `The table has a row for each of the ${formatCount(a.nodes)} nodes.`,
    'To combine equal nodes in one row, add: --group-by site,node_type',
  ),
  'reserve-exclude': failure<{ name: string; nearest: readonly string[] }>(
    (a) => `No node is called ${JSON.stringify(shown(a.name))}.`,
    (a) => suggestNames(a.nearest, 'Write one node_name or uid per line.'),
  ),
  'reserve-exclude-unknown': warning<{ name: string; nearest: readonly string[] }>(
    (a) => `No node is called ${JSON.stringify(shown(a.name))}, so the line excludes no node.`,
    (a) => `${a.nearest.length > 0 ? `${suggestNames(a.nearest, '')} ` : ''}If the node was removed, delete the line.`,
  ),
  'mcp-no-sdk': failure<{ install: string }>(
    () => 'The MCP server needs the SDK of the Model Context Protocol, which is not installed.',
    (a) =>
      `Install it in the same place as gridpress: npm install ${a.install}. If gridpress is installed globally, add --global.`,
  ),
  'mcp-too-long': failure<{ most: number }>(
    (a) => `The client sent a message of more than ${formatCount(a.most)} bytes.`,
    'Start the server again, and send shorter messages.',
  ),
} as const;
