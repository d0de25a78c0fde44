import { type ForUrl, failure, listed, warning } from '../message.ts';
import { grouped, shortId } from '../words.ts';

const EXPECTED = {
  condition: 'a condition, such as gpu.gpu_count >= 2',
  field: 'the name of a field',
  comparison: '=, <>, <, <=, >, >=, IN, BETWEEN, LIKE or IS NULL',
  negatable: 'IN, BETWEEN or LIKE after NOT',
  null: 'NULL, or NOT NULL',
  value: 'a value',
  between: 'AND between the two bounds',
  open: 'a parenthesis before the list',
  list: 'a comma, or the parenthesis that closes the list',
  close: 'a closing parenthesis',
  end: 'AND, OR, or the end of the query',
} as const;

const HOLDS = { text: 'texts', number: 'numbers', boolean: 'true and false' } as const;
type ScalarKind = keyof typeof HOLDS;

/** How much of a query a message repeats. */
const SHOWN = 60;
const shown = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const either = (names: readonly string[]) => names.join(' or ');
const HELP = 'gridpress find --help shows queries.';

export const QUERY_MESSAGES = {
  'query-expected': failure<{ expected: keyof typeof EXPECTED; found: string | undefined; hint: string | undefined }>(
    (a) =>
      `Expected ${EXPECTED[a.expected]}; found ${a.found === undefined ? 'the end of the query' : shown(a.found)}.`,
    (a) => {
      if (a.hint === undefined) return HELP;
      return a.hint.startsWith("'")
        ? `Texts stand in single quotes: ${shown(a.hint)}`
        : `Write ${a.hint} instead of ${shown(a.found ?? '')}.`;
    },
  ),
  'query-quote': failure<{ quote: string }>(
    (a) => `The quote ${a.quote} is not closed.`,
    (a) =>
      a.quote === "'"
        ? "Close it; a single quote within a text is written twice: 'rack ''A'''."
        : 'Close it: double quotes stand around odd names of fields, single quotes around texts.',
  ),
  'query-long': failure<{ length: number; limit: number }>(
    (a) => `The query has ${grouped(a.length)} characters; ${grouped(a.limit)} are the most.`,
    'Ask for less at a time.',
  ),
  'query-many': failure<{ limit: number }>(
    (a) => `The query has more than ${grouped(a.limit)} conditions.`,
    "Ask for many values of a field in one: node_name IN ('a', 'b').",
  ),
  'query-deep': failure<{ limit: number }>(
    (a) => `Parentheses and negations lie more than ${a.limit} deep within each other.`,
    'Write it flatter: AND binds before OR.',
  ),
  'query-number': failure<{ digits: string }>(
    (a) => `${shown(a.digits)} is larger than any number can be.`,
    'Write a smaller one.',
  ),
  'query-pattern': failure<{ length: number; limit: number }>(
    (a) => `The pattern has ${grouped(a.length)} characters; ${grouped(a.limit)} are the most.`,
    'Write a shorter one.',
  ),
  'query-unit-unknown': failure<{ unit: string; nearest: readonly string[] }>(
    (a) => `There is no unit ${shown(a.unit)}.`,
    (a) =>
      a.nearest.length > 0
        ? `Did you mean ${either(a.nearest)}?`
        : 'Units are such as GB, GiB, Gbps and GHz, in upper and lower case as here.',
  ),
  'query-unit': failure<{ field: string; unit: string; base: string | undefined; units: readonly string[] }>(
    (a) =>
      a.base === undefined
        ? `${a.field} has no unit, so that ${a.unit} does not fit it.`
        : `${a.field} is in ${a.base}, which ${a.unit} does not fit.`,
    (a) => (a.units.length > 0 ? `Its units are ${listed(a.units)}.` : 'Write the number alone.'),
  ),
  'query-field': failure<{ field: string; nearest: readonly string[]; isLength: boolean }>(
    (a) => `No node has a field ${shown(a.field)}.`,
    (a) => {
      if (a.isLength) return 'It is a column of CSV alone: --columns takes it with --csv.';
      return a.nearest.length > 0 ? `Did you mean ${either(a.nearest)}?` : 'gridpress find --fields lists the fields.';
    },
  ),
  'query-holder': failure<{ field: string; below: readonly string[] }>(
    (a) => `${shown(a.field)} is no value: it holds other fields.`,
    (a) => `Ask for one of them, such as ${either(a.below)}.`,
  ),
  'query-type': failure<{ field: string; holds: readonly ScalarKind[]; asked: ScalarKind; hint: string | undefined }>(
    (a) =>
      `${shown(a.field)} holds ${a.holds.map((kind) => HOLDS[kind]).join(' and ')}, and cannot be compared so with ${
        { text: 'a text', number: 'a number', boolean: 'true or false' }[a.asked]
      }.`,
    (a) => (a.hint === undefined ? 'gridpress find --fields lists what fields hold.' : `Write ${shown(a.hint)}.`),
  ),
  'query-name': failure<{ given: string; nearest: readonly string[] }>(
    (a) => `No node is called ${shown(a.given)}.`,
    (a) =>
      a.nearest.length > 0
        ? `Did you mean ${either(a.nearest)}?`
        : 'Name one by its path, its uid or its node_name, or write a condition, such as gpu.gpu_count >= 2.',
  ),
  'query-value': warning<{ field: string; value: string; nearest: readonly string[] }>(
    (a) => `No node has ${shown(a.value)} in ${shown(a.field)}.`,
    (a) =>
      a.nearest.length > 0 ? `Did you mean ${either(a.nearest)}?` : 'gridpress find --fields lists what fields hold.',
  ),
  'no-snapshot': failure<ForUrl & { id: string }>(
    (a) => `${a.url} is not there: how the nodes were at ${shortId(a.id)} is not published.`,
    'Ask the registry itself (--from its folder), or a revision that /snapshots lists.',
  ),
  'no-first-parents': failure<ForUrl>(
    (a) => `${a.url} is left out, which would tell what revision was in force at a date: it is too long.`,
    'Name a revision that /snapshots lists, or ask the registry itself (--from its folder).',
  ),
  'snippet-uid': failure<{ uid: string; field: string }>(
    (a) => `${JSON.stringify(shown(a.uid))} cannot stand in a command as the ${a.field} of a node.`,
    'Names in commands have letters, digits, dots, hyphens, underscores and tildes only.',
  ),
} as const;
