import { type ForUrl, failure, type NoArguments, warning } from '../message.ts';
import { formatCount, plural, shortId } from '../words.ts';
import { LIST_VALUES, shown, suggestNames } from './query.ts';

const UNIT_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  B: ['GiB', 'MiB'],
  'bit/s': ['Gbps', 'Mbps'],
  Hz: ['GHz', 'MHz'],
};
/** From this number on, people mean the smaller unit. */
const SMALLER_UNIT = 1000;

/** The other errors of `find` and of `mcp`, and the warnings about queries. */
export const FIND_MESSAGES = {
  'query-json': failure<{ path: string; problem: string }>(
    (a) => `${a.path === '' ? 'The query in CQL2-JSON' : `In the query, ${shown(a.path)}`} ${a.problem}.`,
    'Operators are and, or, not, =, <>, <, <=, >, >=, like, between, in and isNull, with casei and accenti.',
  ),
  'query-json-syntax': failure<{ expected: string | undefined; found: string | undefined }>(
    (a) =>
      `The query is not valid JSON${a.expected === undefined ? ', or it is nested too deep' : `: expected ${a.expected}, but found ${a.found ?? 'the end of the query'}`}.`,
    (a) =>
      a.expected === undefined || a.expected.length > 1
        ? 'Check the brackets, the commas and the quotes.'
        : `Add ${a.expected} here.`,
  ),
  'query-empty': failure<NoArguments>(
    () => 'The query is empty.',
    'Omit the argument to find all nodes, or write a condition, such as gpu.gpu_count >= 2.',
  ),
  'query-star': warning<{ pattern: string }>(
    (a) => `In LIKE, * matches only itself: ${shown(a.pattern)}.`,
    (a) => `Use % for any text: '${shown(a.pattern.replaceAll('*', '%'))}'.`,
  ),
  'query-whole': warning<{ pattern: string }>(
    (a) => `LIKE without % matches only the whole text: ${shown(a.pattern)}.`,
    (a) => `To find it anywhere in a text, write '%${shown(a.pattern)}%'.`,
  ),
  'query-date-text': warning<{ text: string; date: string }>(
    (a) => `'${shown(a.text)}' is compared as text, not as a date.`,
    (a) => `Write ${a.date === a.text ? '' : 'a day, such as '}DATE('${shown(a.date)}').`,
  ),
  'query-case': warning<{ field: string; pattern: string }>(
    (a) => `No node has a value like ${shown(a.pattern)} in ${shown(a.field)}, because upper and lower case matter.`,
    (a) => `To ignore case, write CASEI(${shown(a.field)}) LIKE '${shown(a.pattern)}'.`,
  ),
  'query-range': warning<{ field: string; isLargest: boolean; extreme: string }>(
    (a) =>
      `No node matches this bound. The ${a.isLargest ? 'largest' : 'smallest'} value of ${shown(a.field)} is ${a.extreme}.`,
    'Check the number and its unit.',
  ),
  'query-reversed': warning<{ low: string }>(
    (a) => `BETWEEN matches nothing, because ${shown(a.low)} is the larger bound.`,
    'Write the smaller bound first.',
  ),
  'query-order': warning<{
    field: string;
    nodes: number;
    example: string;
    asked: 'date' | 'timestamp' | 'number' | 'text';
  }>(
    (a) =>
      `${plural(a.nodes, 'node')} ${a.nodes === 1 ? 'has' : 'have'} a value in ${shown(a.field)} that is not a ${a.asked}, such as ${shown(a.example)}. The comparison ignores this value.`,
    (a) =>
      a.asked === 'date' || a.asked === 'timestamp'
        ? 'Dates have the form 2026-03-01.'
        : 'Texts and numbers have no order. Compare such values with =.',
  ),
  'query-unitless': warning<{ field: string; value: number; base: string }>(
    (a) => `${shown(a.field)} is in ${a.base}, so ${a.value} means ${a.value} ${a.base}.`,
    (a) => `Add a unit, such as ${a.value}${UNIT_EXAMPLES[a.base]?.[a.value < SMALLER_UNIT ? 0 : 1] ?? a.base}.`,
  ),
  'query-name': failure<{ given: string; nearest: readonly string[]; labels: readonly string[] }>(
    (a) => `No node is called ${shown(a.given)}.`,
    (a) =>
      suggestNames(
        [...a.labels, ...(a.labels.length > 0 ? [] : a.nearest)],
        'Name one by its path, its uid or its node_name, or write a condition, such as gpu.gpu_count >= 2.',
      ),
  ),
  'query-value': warning<{ field: string; value: string; nearest: readonly string[] }>(
    (a) => `No node has the value ${shown(a.value)} in ${shown(a.field)}.`,
    (a) => suggestNames(a.nearest, LIST_VALUES),
  ),
  'no-snapshot': failure<ForUrl & { id: string }>(
    (a) => `${a.url} does not exist: the nodes as of revision ${shortId(a.id)} are not published.`,
    'Use the folder of the registry in place of this URL, or name a revision that /snapshots lists.',
  ),
  'no-first-parents': failure<ForUrl>(
    (a) => `${a.url} does not list the revisions, because the list is too long. A date cannot be resolved without it.`,
    'Name a revision that /snapshots lists, or use the folder of the registry in place of this URL.',
  ),
  'snippet-past': failure<{ snippet: string; id: string }>(
    (a) =>
      `The code for ${a.snippet} would read the current documents, but the nodes were found as of the earlier revision ${shortId(a.id)}.`,
    'Omit --at, or print the nodes as of this revision with --ndjson or --csv.',
  ),
  'request-past': warning<{ id: string }>(
    (a) =>
      `The nodes were found as of the earlier revision ${shortId(a.id)}. Since then, they may have changed or been removed.`,
    'Omit --at to request nodes as they are now.',
  ),
  'reserve-few': failure<{
    count: number | 'all';
    qualifying: number;
    matching: number;
    spread: string | undefined;
    isSameHardware: boolean;
  }>((a) => {
    const parts = [
      ...(a.isSameHardware ? ['the same hardware'] : []),
      ...(a.spread === 'rack' ? ['a known rack'] : []),
    ];
    const some = a.qualifying < a.matching ? `, ${formatCount(a.qualifying)} of them with ${parts.join(' and ')}` : '';
    const matching = `${plural(a.matching, 'node matches', 'nodes match')}${some}`;
    return a.count === 'all'
      ? `No node can be reserved: ${matching}.`
      : `${plural(a.count, 'node was', 'nodes were')} requested, but ${matching}.`;
  }, 'Reserve fewer nodes, or change the query or the options.'),
  'reserve-one-place': warning<{ spread: 'site' | 'rack'; isSameHardware: boolean }>(
    (a) =>
      a.isSameHardware
        ? `All chosen nodes are ${a.spread === 'site' ? 'at one site' : 'in one rack'}, because no two ${a.spread}s have such hardware.`
        : `All chosen nodes are ${a.spread === 'site' ? 'at one site' : 'in one rack'}, because no other ${a.spread} has matching nodes.`,
    (a) => (a.isSameHardware ? 'To spread them, omit --same-hardware.' : 'To spread them, change the query.'),
  ),
  'reserve-exclude': failure<{ name: string; nearest: readonly string[] }>(
    (a) => `No node is called ${JSON.stringify(shown(a.name))}.`,
    (a) => suggestNames(a.nearest, 'Write one node_name or uid per line.'),
  ),
  'mcp-no-sdk': failure<{ install: string }>(
    () => 'The MCP server needs the SDK of the Model Context Protocol, which is not installed.',
    (a) =>
      `Install it in the same place as gridpress: npm install ${a.install}, with --global if gridpress is installed so.`,
  ),
  'mcp-too-long': failure<{ most: number }>(
    (a) => `The client sent a message of more than ${formatCount(a.most)} bytes.`,
    'Start the server again, and send shorter messages.',
  ),
} as const;
