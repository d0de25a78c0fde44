import { error, failure, joinNames, type NoArguments, warning } from '../message.ts';
import { formatCount, plural } from '../words.ts';

const EXPECTED = {
  condition: 'a condition, such as gpu.gpu_count >= 2',
  field: 'the name of a field',
  comparison: '=, <>, <, <=, >, >=, IN, BETWEEN, LIKE or IS NULL',
  operator: '=, <>, <, <=, > or >= after a value',
  negatable: 'IN, BETWEEN or LIKE after NOT',
  null: 'NULL, or NOT NULL',
  value: 'a value',
  between: 'AND between the two bounds',
  open: 'a parenthesis before the list',
  list: 'a comma, or the parenthesis that closes the list',
  close: 'a closing parenthesis',
  end: 'AND, OR, or the end of the query',
} as const;

const VALUES = { text: 'text', number: 'numbers', boolean: 'true and false' } as const;
type ScalarKind = keyof typeof VALUES;

const SHOWN = 60;
export const shown = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const either = (names: readonly string[]) => names.join(' or ');
/** Omits quotes around suggested names. Users would copy the quotes into the query, where quotes have a meaning. */
export const suggestNames = (nearest: readonly string[], otherwise: string) =>
  nearest.length > 0 ? `Did you mean ${either(nearest.map(withVisibleSpaces))}?` : otherwise;
/** Without quotes, a space at the start or the end of a name is invisible. */
const withVisibleSpaces = (name: string) => (name === name.trim() ? name : `'${name}'`);
/** These hints name commands, so the explorer replaces them. */
export const HELP = '"gridpress find --help" shows example queries.';
export const LIST_FIELDS = 'List the fields with "gridpress find --fields".';
export const LIST_VALUES = 'List the fields and their values with "gridpress find --fields".';
export const LIST_UNITS = 'Compare fields that have the same unit. "gridpress find --fields" lists the units.';

export type Advice =
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'replace'; readonly text: string; readonly instead: string }
  | { readonly kind: 'repeat'; readonly keyword: string }
  | { readonly kind: 'arithmetic' }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'value'; readonly field: string; readonly holds: 'number' | 'boolean' };

function adviceText(advice: Advice | undefined): string {
  switch (advice?.kind) {
    case undefined:
      return HELP;
    case 'quote':
      return `Put text in single quotes: ${shown(advice.text)}`;
    case 'replace':
      return `Write ${shown(advice.text)} instead of ${shown(advice.instead)}.`;
    case 'repeat':
      return `Repeat the field after ${advice.keyword.toUpperCase()}: each condition names its field.`;
    case 'arithmetic':
      return 'Arithmetic is not supported. Compare a field with a value or with another field.';
    case 'function':
      return `The function ${shown(advice.name)} is not supported. Functions are CASEI, ACCENTI, DATE and TIMESTAMP.`;
    case 'value':
      return `${shown(advice.field)} contains ${VALUES[advice.holds]}. Write ${advice.holds === 'number' ? 'a number' : 'TRUE or FALSE'}.`;
    default:
      return advice satisfies never;
  }
}

const UNIT_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  B: ['GiB', 'MiB'],
  'bit/s': ['Gbps', 'Mbps'],
  Hz: ['GHz', 'MHz'],
};
/** Hints suggest GiB, Gbps or GHz for numbers below this limit, and MiB, Mbps or MHz for other numbers. */
const SMALLER_UNIT = 1000;
/** The maximum number of fields that a message names. */
const MOST_FIELDS = 4;

export const OMIT_SAME_HARDWARE = 'To spread them, omit --same-hardware.';

/** The command line and the explorer show these messages about queries, snippets and reservations. */
export const QUERY_MESSAGES = {
  'query-expected': failure<{ expected: keyof typeof EXPECTED; found: string | undefined; advice: Advice | undefined }>(
    (a) =>
      `Expected ${EXPECTED[a.expected]}, but found ${a.found === undefined ? 'the end of the query' : shown(a.found)}.`,
    (a) => adviceText(a.advice),
  ),
  'query-semicolon': failure<NoArguments>(() => 'A query has no semicolon at its end.', 'Remove it.'),
  'query-quote': failure<{ quote: string }>(
    (a) => `The quote ${a.quote} is not closed.`,
    (a) =>
      a.quote === "'"
        ? "Close it. Write a single quote inside text twice: 'rack ''A'''."
        : 'Close it. Double quotes enclose unusual field names, single quotes enclose text.',
  ),
  'query-long': failure<{ length: number; limit: number }>(
    (a) => `The query has ${formatCount(a.length)} characters. The limit is ${formatCount(a.limit)}.`,
    'Use several shorter queries.',
  ),
  'query-many': failure<{ limit: number }>(
    (a) => `The query has more than ${formatCount(a.limit)} conditions.`,
    "Use one condition for many values of a field: node_name IN ('a', 'b').",
  ),
  'query-deep': failure<{ limit: number }>(
    (a) => `Parentheses and negations are nested more than ${a.limit} levels deep.`,
    'Reduce the nesting. AND binds before OR.',
  ),
  'query-number': failure<{ digits: string }>(
    (a) => `${shown(a.digits)} is too large for a number.`,
    'Write a smaller number.',
  ),
  'query-temporal': failure<{ temporal: 'date' | 'timestamp'; text: string }>(
    (a) => `${shown(a.text)} is not a ${a.temporal}.`,
    (a) =>
      a.temporal === 'date'
        ? "Write a day: DATE('2026-03-01')."
        : "Write a time with an offset: TIMESTAMP('2026-03-01T12:00:00Z').",
  ),
  'query-pattern': failure<{ length: number; limit: number }>(
    (a) => `The pattern has ${formatCount(a.length)} characters. The limit is ${formatCount(a.limit)}.`,
    'Write a shorter pattern.',
  ),
  'query-unit-unknown': failure<{ unit: string; nearest: readonly string[] }>(
    (a) => `Unknown unit ${shown(a.unit)}.`,
    (a) => suggestNames(a.nearest, 'Examples of units are GB, GiB, Gbps and GHz. Upper and lower case matter.'),
  ),
  'query-unit': failure<{ field: string; unit: string; base: string | undefined; units: readonly string[] }>(
    (a) =>
      a.base === undefined
        ? `${a.field} has no unit, so it cannot be compared with a value in ${a.unit}.`
        : `${a.field} is in ${a.base}, so it cannot be compared with a value in ${a.unit}.`,
    (a) => (a.units.length > 0 ? `Use one of its units: ${joinNames(a.units)}.` : 'Write the number without a unit.'),
  ),
  'query-units': failure<{ field: string; base: string; other: string; otherBase: string }>(
    (a) => `${shown(a.field)} is in ${a.base} and ${shown(a.other)} is in ${a.otherBase}, so they cannot be compared.`,
    LIST_UNITS,
  ),
  'query-field': failure<{ field: string; nearest: readonly string[]; isLength: boolean }>(
    (a) => `No node has a field ${shown(a.field)}.`,
    (a) =>
      a.isLength
        ? 'This is a column of CSV only. --columns accepts it together with --csv.'
        : suggestNames(a.nearest, LIST_FIELDS),
  ),
  'query-holder': failure<{ field: string; below: readonly string[] }>(
    (a) => `${shown(a.field)} is not a value. It contains other fields.`,
    (a) => `Use one of them, such as ${either(a.below)}.`,
  ),
  'query-type': failure<{ field: string; holds: readonly ScalarKind[]; asked: ScalarKind; hint: string | undefined }>(
    (a) =>
      `${shown(a.field)} contains ${a.holds.map((kind) => VALUES[kind]).join(' and ')}, so this comparison with ${
        { text: 'text', number: 'a number', boolean: 'true or false' }[a.asked]
      } is not possible.`,
    (a) => {
      if (a.hint === undefined) return LIST_VALUES;
      return `Write ${shown(a.hint)}${a.asked === 'text' ? ' without quotes' : ''}.`;
    },
  ),
  'snippet-uid': failure<{ uid: string; field: string }>(
    (a) => `${JSON.stringify(shown(a.uid))} cannot be the ${a.field} of a node in a command.`,
    'Only names of letters, digits, dots, hyphens, underscores and tildes can be written into commands.',
  ),
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
  'query-star': warning<{ pattern: string }>(
    (a) => `In LIKE, * matches only itself: ${shown(a.pattern)}.`,
    (a) => `Use % for any text: '${shown(a.pattern.replaceAll('*', '%'))}'.`,
  ),
  'query-whole': warning<{
    pattern: string;
    /** The name of the field, if a value of the field matches the pattern only when case is ignored. */
    otherCase: string | undefined;
  }>(
    (a) => `LIKE without % matches only the whole text: ${shown(a.pattern)}.`,
    (a) =>
      a.otherCase === undefined
        ? `To find it anywhere in a text, write '%${shown(a.pattern)}%'. Upper and lower case matter.`
        : `To find it anywhere in a text and ignore case, write CASEI(${shown(a.otherCase)}) LIKE '%${shown(a.pattern)}%'.`,
  ),
  'query-date-text': warning<{ text: string; date: string }>(
    (a) => `'${shown(a.text)}' is compared as text, not as a date.`,
    (a) => `Write ${a.date === a.text ? '' : 'a day, such as '}DATE('${shown(a.date)}').`,
  ),
  'query-version': warning<{ version: string; other: string; isLarger: boolean }>(
    (a) =>
      `'${shown(a.version)}' is compared as text, not as a version. So '${shown(a.other)}' is ${a.isLarger ? 'larger' : 'smaller'}.`,
    'Compare versions with =, IN or LIKE.',
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
  'query-nominal': warning<{ field: string; label: string; more: number; fewer: number }>(
    (a) => {
      const counts = [
        ...(a.more > 0 ? [`${formatCount(a.more)} more`] : []),
        ...(a.fewer > 0 ? [`${formatCount(a.fewer)} fewer`] : []),
      ];
      const nodes = a.more + a.fewer === 1 ? 'node matches' : 'nodes match';
      return `${a.field} is the recorded size of the memory. With ${a.label}, the nominal size, ${counts.join(' and ')} ${nodes}.`;
    },
    (a) => `To compare nominal sizes, write ${a.label}.`,
  ),
  'query-unitless': warning<{ field: string; value: number; base: string }>(
    (a) => `${shown(a.field)} is in ${a.base}, so ${a.value} means ${a.value} ${a.base}.`,
    (a) => `Add a unit, such as ${a.value}${UNIT_EXAMPLES[a.base]?.[a.value < SMALLER_UNIT ? 0 : 1] ?? a.base}.`,
  ),
  'query-value': warning<{ field: string; value: string; nearest: readonly string[] }>(
    (a) => `No node has the value ${shown(a.value)} in ${shown(a.field)}.`,
    (a) => suggestNames(a.nearest, LIST_VALUES),
  ),
  'reserve-few': error<{
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
  'reserve-profiles': warning<{
    type: string;
    site: string;
    profiles: number;
    names: readonly string[];
    fields: readonly string[];
  }>((a) => {
    const rest = a.fields.length > MOST_FIELDS ? ` and ${plural(a.fields.length - MOST_FIELDS, 'other field')}` : '';
    const fields = `${a.fields.slice(0, MOST_FIELDS).map(shown).join(', ')}${rest}`;
    return `The nodes of type ${shown(a.type)} at ${shown(a.site)} have ${formatCount(a.profiles)} kinds of hardware: ${a.names.map(shown).join(' and ')} differ in ${fields}.`;
  }, 'Leave out the other nodes with --exclude or a condition, or reserve without --same-hardware.'),
  'reserve-past': warning<{ start: string }>(
    (a) => `The start ${a.start} is in the past, so the scheduler will refuse the request.`,
    'Choose a later start with --start.',
  ),
  'reserve-one-place': warning<{ spread: 'site' | 'rack'; isSameHardware: boolean }>(
    (a) =>
      a.isSameHardware
        ? `All chosen nodes are ${a.spread === 'site' ? 'at one site' : 'in one rack'}, because no two ${a.spread}s have such hardware.`
        : `All chosen nodes are ${a.spread === 'site' ? 'at one site' : 'in one rack'}, because no other ${a.spread} has matching nodes.`,
    (a) => (a.isSameHardware ? OMIT_SAME_HARDWARE : 'To spread them, change the query.'),
  ),
} as const;
