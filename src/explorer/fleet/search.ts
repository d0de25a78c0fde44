import { Failure, type Finding } from '../../core/diagnostics/finding.ts';
import {
  HELP,
  LIST_FIELDS,
  LIST_UNITS,
  LIST_VALUES,
  OMIT_SAME_HARDWARE,
  QUERY_MESSAGES,
} from '../../core/diagnostics/messages/query.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { findField } from '../../core/query/columns.ts';
import { textOfCql2Json } from '../../core/query/cql2-json.ts';
import { nodesOf } from '../../core/query/evaluate.ts';
import { parseQuery } from '../../core/query/parse.ts';
import type { FieldReference, Query } from '../../core/query/query.ts';
import { queryHints } from '../../core/query/value-hints.ts';
import { fieldsOf, fieldTitled } from './field-names.ts';
import { fieldTitle } from './field-titles.ts';
import type { Fleet } from './fleet.ts';
import { missingNote, nullNotes, siteNotes, titleNotes } from './search-notes.ts';
import { visible } from './visible.ts';
import { COMPARED_FIELD, type MissingWord, parenthesized, queryOfWords, type SiteUids } from './words.ts';

export type SearchOutcome =
  | {
      readonly kind: 'rows';
      readonly rows: readonly number[];
      /** The query into which the explorer translates the typed words. Undefined if the user typed a query. */
      readonly translatedQuery: string | undefined;
      /** Sentences about likely mistakes in the search, and about unexpected interpretations of terms. */
      readonly notes: readonly string[];
      readonly missing: readonly MissingWord[];
    }
  | WrongQuery;

export interface WrongQuery extends ErrorMessage {
  readonly kind: 'wrong';
  /** Suggestions. `name` is an existing name. `text` is the search with this name in place of the wrong name. */
  readonly corrections: readonly { readonly name: string; readonly text: string }[];
}

const NO_SITES: SiteUids = new Map();

/** Finds the rows that match words or a query. With `siteUids`, the display name of a site also finds its nodes. */
export function search(fleet: Fleet, input: string, siteUids = NO_SITES): SearchOutcome | undefined {
  const text = input.trim();
  if (text === '') return undefined;
  const isJson = text.startsWith('{');
  const isWords = isWordSearch(text, fleet);
  try {
    if (isWords) return wordsOutcome(fleet, queryOfWords(text, fleet, siteUids));
    const asked = isJson ? textOfCql2Json(text) : text;
    const { query, changed } = withFieldNames(parseQuery(asked), asked, fleet);
    const rows = rowsOf(query, asked, fleet);
    const titles = rows.length === 0 ? titleNotes(query) : [];
    const sites = siteNotes(query, siteUids);
    const notes = [...queryNotes(query, asked, fleet), ...sites, ...titles, ...nullNotes(query, fleet)];
    const translatedQuery = changed === text ? undefined : changed;
    return { kind: 'rows', rows, translatedQuery, notes, missing: [] };
  } catch (error) {
    const { problem, hint, column } = messageOf(error);
    const corrections = isJson ? [] : correctionsOf(error, { text, column: isWords ? undefined : column, fleet });
    return { kind: 'wrong', problem, hint, column: isJson || isWords ? undefined : column, corrections };
  }
}

function wordsOutcome(fleet: Fleet, { text, missing, notes }: ReturnType<typeof queryOfWords>): SearchOutcome {
  const query = parseQuery(text);
  // Only comparisons need hints, because all other conditions contain values of existing nodes.
  const hints = /[<>]|BETWEEN/.test(text) ? queryNotes(query, text, fleet) : [];
  const all = [...missing.map((word) => missingNote(word, fleet)), ...notes, ...hints];
  return { kind: 'rows', rows: rowsOf(query, text, fleet), translatedQuery: text, notes: all, missing };
}

function rowsOf(query: Query, text: string, fleet: Fleet): number[] {
  return fleet.table.total === 0 ? [] : nodesOf(query, fleet.query, text);
}

function queryNotes(query: Query, text: string, fleet: Fleet): string[] {
  return queryHints(query, fleet.query, text).map((hint) => {
    const { problem, hint: fix } = renderedFinding(hint) ?? { problem: '', hint: '' };
    return `${problem} ${fix}`;
  });
}

/** Matches a query. Quoted texts and comparisons after a colon can also occur in typed words. */
const QUERY = /[=<>()]|(?<!\S)'|&&|\|\||\b(?:LIKE|BETWEEN)\b|\bIS\s+(?:NOT\s+)?NULL\b|^(?:NOT\s+)*(?:TRUE|FALSE)$/i;
/** Matches a list of values after IN. In `A100 in (uc OR tacc)`, the parentheses contain words. */
const LIST = /\bIN\s*\(\s*(?:'|(?:[-+]?[.\d]|TRUE\b|FALSE\b)(?:[^()]*,|[^()\s]*\s*\)))/i;
const QUOTED = /"[^"]*"/g;

export function isWordSearch(text: string, fleet: Fleet): boolean {
  return !text.startsWith('{') && !isQuery(text, fleet);
}

/** True if the text is a query, correct or not. The explorer treats any other text as words. */
function isQuery(text: string, fleet: Fleet): boolean {
  const plain = text.replaceAll(QUOTED, '""').replaceAll(COMPARED_FIELD, '');
  if (LIST.test(plain)) return true;
  const groups = parenthesized(plain);
  const rest = groups ? `${groups.inside} ${groups.outside}` : plain;
  if (QUERY.test(rest)) return true;
  const names = fieldsOf(fleet);
  const terms = rest.split(/\s+/);
  const isBeforeOperator = (i: number) => /^(?:IN|IS|NOT)$/.test(terms[i + 1] ?? '');
  // A short field name such as `infiniband` can also be a search word.
  return terms.some((term, i) => names.includes(term) && (/[._]/.test(term) || isBeforeOperator(i)));
}

/** Replaces the titles of fields by the names of the fields, in a parsed query and in its text. */
function withFieldNames(query: Query, text: string, fleet: Fleet): { readonly query: Query; readonly changed: string } {
  const titled: FieldReference[] = [];
  const named = (field: FieldReference, isValue: boolean): FieldReference => {
    const name = fieldTitled(field.name, fleet);
    // In `gpu IS NULL`, gpu means the field `gpu`, which contains other fields, and not the title “GPU”.
    if (name === field.name || (!isValue && findField(field.name, fleet.query).isKnown)) return field;
    titled.push(field);
    return { ...field, name, path: name.split('.') };
  };
  const changed = (part: Query): Query => {
    switch (part.kind) {
      case 'condition': {
        const { test } = part;
        const field = named(part.field, test.kind !== 'null');
        return {
          ...part,
          field,
          test: test.kind === 'compare-field' ? { ...test, other: named(test.other, true) } : test,
        };
      }
      case 'and':
      case 'or':
        return { ...part, parts: part.parts.map(changed) };
      case 'not':
        return { ...part, part: changed(part.part) };
      case 'constant':
        return part;
      default:
        return part satisfies never;
    }
  };
  const whole = changed(query);
  const fromEnd = titled.toSorted((a, b) => b.start - a.start);
  const replaced = fromEnd.reduce((before, { name, start }) => {
    const at = before.indexOf(name, start);
    return before.slice(0, at) + fieldTitled(name, fleet) + before.slice(at + name.length);
  }, text);
  return { query: whole, changed: replaced };
}

interface WrongText {
  readonly text: string;
  readonly column: number | undefined;
  readonly fleet: Fleet;
}

function shortNames(fleet: Fleet): string[] {
  return fieldsOf(fleet).flatMap((name) => (fieldTitle(name) === visible(name) ? [] : fieldTitle(name).toLowerCase()));
}

/** Returns corrections of the wrong name at a column, or of the first occurrence. Prefers short field names. */
function correctionsOf(error: unknown, { text, column, fleet }: WrongText): WrongQuery['corrections'] {
  const first = error instanceof Failure ? error.findings[0] : undefined;
  if (first?.code !== 'query-field' && first?.code !== 'query-unit-unknown') return [];
  const given = 'unit' in first.args ? first.args.unit : first.args.field;
  const at = column === undefined ? text.indexOf(given) : column - 1;
  const start = text.startsWith(given, at) ? at : text.indexOf(given, at);
  if (start < 0) return [];
  const corrected = (name: string) => text.slice(0, start) + name + text.slice(start + given.length);
  const titles = first.code === 'query-field' ? suggestSimilar(given.toLowerCase(), shortNames(fleet)) : [];
  return (titles.length > 0 ? titles : first.args.nearest).map((name) => ({ name, text: corrected(name) }));
}

interface ErrorMessage {
  readonly problem: string;
  readonly hint: string;
  readonly column: number | undefined;
}

/** Maps hints about commands to hints about the page. */
const HINTS_ON_PAGE = new Map([
  [
    HELP,
    "Write a field, an operator and a value, such as label.ram >= 256GiB. Put text in single quotes: site = 'uc'. Join conditions with AND or OR.",
  ],
  [OMIT_SAME_HARDWARE, 'To spread them, clear “Same hardware”.'],
  ...[LIST_FIELDS, LIST_VALUES, LIST_UNITS].map(
    (hint) => [hint, 'The view “Fields” lists all fields and values.'] as const,
  ),
]);

/** Returns the message of a Failure. Rethrows other errors. */
export function messageOf(error: unknown): ErrorMessage {
  const message = error instanceof Failure ? renderedFinding(error.findings[0]) : undefined;
  if (!message) throw error;
  return message;
}

export function renderedFinding(finding: Finding | undefined): ErrorMessage | undefined {
  const message = Object.entries(QUERY_MESSAGES).find(([code]) => code === finding?.code)?.[1];
  const rendered: unknown = message && Reflect.apply(message.text, undefined, [finding?.args]);
  if (!isJsonObject(rendered)) return undefined;
  const { what, fix } = rendered;
  const hint = String(fix);
  return { problem: String(what), hint: HINTS_ON_PAGE.get(hint) ?? hint, column: finding?.place?.column };
}
