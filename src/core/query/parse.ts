/**
 * Parses the text form of CQL2 (OGC 21-065) with extensions. Numbers can have units. Field names with letters and
 * hyphens need no quotes. CASEI or ACCENTI on one side of a comparison applies to both sides.
 *
 *     disjunction = conjunction *("OR" conjunction)
 *     conjunction = negation *("AND" negation)
 *     negation    = *"NOT" ("(" disjunction ")" / "TRUE" / "FALSE" / condition)
 *     condition   = field test / literal comparison field
 *     field       = name / ("CASEI" / "ACCENTI") "(" field ")"
 *     test        = comparison (value / field) / "IS" ["NOT"] "NULL"
 *                 / ["NOT"] ("IN" "(" value *("," value) ")" / "BETWEEN" value "AND" value / "LIKE" value)
 *     value       = literal / ("CASEI" / "ACCENTI") "(" value ")"
 *     literal     = text / number [unit] / "TRUE" / "FALSE" / ("DATE" / "TIMESTAMP") "(" text ")"
 */
import { fail, finding } from '../diagnostics/finding.ts';
import { pathOfField } from '../model/fields/field-name.ts';
import {
  COMPARISONS,
  type Comparison,
  type Condition,
  conditionsOf,
  type FieldReference,
  FOLDS,
  type Fold,
  type Literal,
  placeInQuery,
  type Query,
} from './query.ts';
import { isTemporal, type Temporal } from './temporal.ts';
import { newTokenReader, type TokenReader } from './token-reader.ts';
import { isKeyword, isNumberWord, isReserved, literalOf } from './tokens.ts';

/** Swaps the sides of a comparison: `value < field` means `field > value`. */
export const FLIPPED = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** Throws a Failure with the place of a syntax error. */
export function parseQuery(text: string): Query {
  const reader = newTokenReader(text);
  const query = disjunction(reader);
  if (reader.peek().kind !== 'end') return reader.expected('end');
  let count = 0;
  for (const { field } of conditionsOf(query)) {
    if (++count > MOST_CONDITIONS)
      return fail(finding('query-many', { limit: MOST_CONDITIONS }, placeInQuery(text, field.start)));
  }
  return query;
}

/** The maximum number of conditions in a query limits the evaluation time. A list of values counts as one condition. */
const MOST_CONDITIONS = 1000;

/** Returns the texts that AND joins at the top level of a query, or an empty list for other queries. */
export function joinedByAnd(text: string): string[] {
  const reader = newTokenReader(text);
  const parts: string[] = [];
  do {
    const { start } = reader.peek();
    negation(reader);
    parts.push(text.slice(start, reader.peek().start).trim());
  } while (reader.takeKeyword('AND'));
  return parts.length > 1 && reader.peek().kind === 'end' ? parts : [];
}

function disjunction(reader: TokenReader): Query {
  return joined('or', reader, conjunction);
}

function conjunction(reader: TokenReader): Query {
  return joined('and', reader, negation);
}

function joined(kind: 'and' | 'or', reader: TokenReader, part: (reader: TokenReader) => Query): Query {
  const first = part(reader);
  const parts = [first];
  while (reader.takeKeyword(kind.toUpperCase())) parts.push(part(reader));
  return parts.length === 1 ? first : { kind, parts };
}

function negation(reader: TokenReader): Query {
  if (reader.takeKeyword('NOT')) return reader.nested(() => ({ kind: 'not', part: negation(reader) }));
  if (reader.peek().kind === 'open') {
    reader.take();
    const inner = reader.nested(() => disjunction(reader));
    reader.need('close', 'close');
    return inner;
  }
  for (const value of [true, false]) {
    const isAlone = reader.peek(1).kind !== 'operator';
    if (isAlone && reader.takeKeyword(String(value).toUpperCase())) return { kind: 'constant', value };
  }
  return condition(reader);
}

function condition(reader: TokenReader): Query {
  const kind = 'condition';
  const literal = literalIf(reader, true);
  if (literal) {
    const operator = FLIPPED[comparison(reader, 'operator')];
    if (temporalCall(reader)) return reader.expected('field');
    return { kind, test: { kind: 'compare', operator, literal }, field: field(reader, 'field') };
  }
  const about = field(reader, 'condition');
  if (reader.takeKeyword('IS')) {
    const isNegated = reader.takeKeyword('NOT');
    if (!reader.takeKeyword('NULL')) return reader.expected('null');
    return negatedIf(isNegated, { kind, field: about, test: { kind: 'null' } });
  }
  const isNegated = reader.takeKeyword('NOT');
  const special = listTest(reader, about);
  if (special) return negatedIf(isNegated, { kind, ...special });
  if (isNegated) return reader.expected('negatable');
  const operator = comparison(reader);
  const { folds, ...against } = inFolds(reader, () => literalOr(reader, comparedField));
  const compared = folded(about, folds);
  if (!against.literal)
    return { kind, field: compared, test: { kind: 'compare-field', operator, other: against.other } };
  return { kind, field: compared, test: { kind: 'compare', operator, literal: against.literal } };
}

function negatedIf(isNegated: boolean, part: Query): Query {
  return isNegated ? { kind: 'not', part } : part;
}

type FieldTest = Omit<Condition, 'kind'>;

function listTest(reader: TokenReader, about: FieldReference): FieldTest | undefined {
  if (reader.takeKeyword('IN')) return listed(reader, about);
  if (reader.takeKeyword('BETWEEN')) {
    const from = value(reader, about);
    if (!reader.takeKeyword('AND')) return reader.expected('between');
    const to = value(reader, from.field);
    return { field: to.field, test: { kind: 'between', low: from.literal, high: to.literal } };
  }
  if (!reader.takeKeyword('LIKE')) return undefined;
  const { field: matched, literal } = value(reader, about);
  return { field: matched, test: { kind: 'like', literal } };
}

function listed(reader: TokenReader, about: FieldReference): FieldTest {
  reader.need('open', 'open');
  const first = value(reader, about);
  let { field: compared } = first;
  const literals = [first.literal];
  while (reader.peek().kind === 'comma') {
    reader.take();
    const next = value(reader, compared);
    compared = next.field;
    literals.push(next.literal);
  }
  reader.need('close', 'list');
  return { field: compared, test: { kind: 'in', literals } };
}

function comparison(reader: TokenReader, what: 'comparison' | 'operator' = 'comparison'): Comparison {
  const { text } = reader.peek();
  const known = COMPARISONS.find((each) => each === text);
  if (known === undefined) return reader.expected(what);
  reader.take();
  return known;
}

function field(reader: TokenReader, what: 'field' | 'condition'): FieldReference {
  const { start } = reader.peek();
  const fold = takeFold(reader);
  if (!fold) return { ...name(reader, () => reader.expected(what)), folds: [] };
  const inner = reader.nested(() => field(reader, 'field'));
  const { end } = reader.need('close', 'close');
  return { ...folded(inner, [fold]), start, end };
}

function folded(about: FieldReference, folds: readonly Fold[]): FieldReference {
  const all = FOLDS.filter((fold) => about.folds.includes(fold) || folds.includes(fold));
  return { ...about, folds: all };
}

function name(reader: TokenReader, otherwise: (reader: TokenReader) => never): Omit<FieldReference, 'folds'> {
  const token = reader.peek();
  const { kind, text, start, end } = token;
  const isName = kind === 'word' && !isNumberWord(token) && !isReserved(token);
  const path = isName ? pathOfField(text) : undefined;
  if (!path) return otherwise(reader);
  reader.take();
  return { name: text, path, start, end };
}

/** Parses the value of a comparison. CASEI or ACCENTI around the value also applies to the field. */
function value(reader: TokenReader, about: FieldReference): { field: FieldReference; literal: Literal } {
  const { folds, literal } = inFolds(reader, () => literalOr(reader, valueExpected));
  return { field: folded(about, folds), literal };
}

/** Parses calls of CASEI and ACCENTI, which can be nested. `read` parses the value or field in the innermost call. */
function inFolds<T extends object>(reader: TokenReader, read: () => T): T & { readonly folds: readonly Fold[] } {
  const fold = takeFold(reader);
  if (!fold) return { ...read(), folds: [] };
  const inner = reader.nested(() => inFolds(reader, read));
  reader.need('close', 'close');
  return { ...inner, folds: [...inner.folds, fold] };
}

function literalOr<T>(reader: TokenReader, otherwise: (reader: TokenReader) => T): { readonly literal: Literal } | T {
  const literal = literalIf(reader, false);
  return literal ? { literal } : otherwise(reader);
}

function valueExpected(reader: TokenReader): never {
  const token = reader.peek();
  if (token.kind !== 'word' || isReserved(token)) return reader.expected('value');
  const { text } = token;
  if (isTemporal(text, 'date'))
    return reader.expected('value', { kind: 'replace', text: `DATE('${text}')`, instead: text });
  return reader.expected('value', { kind: 'quote', text: quotedText(text) });
}

function comparedField(reader: TokenReader): { readonly literal?: undefined; readonly other: FieldReference } {
  return { other: { ...name(reader, valueExpected), folds: [] } };
}

function takeFold(reader: TokenReader): Fold | undefined {
  if (reader.peek(1).kind !== 'open') return undefined;
  const fold = FOLDS.find((each) => isKeyword(reader.peek(), each.toUpperCase()));
  if (fold) reader.take(2);
  return fold;
}

function literalIf(reader: TokenReader, leads: boolean): Literal | undefined {
  const temporal = temporalCall(reader);
  if (temporal) return temporalLiteral(reader, temporal);
  const found = literalOf(reader.text, [reader.peek(), reader.peek(1), reader.peek(2)], leads);
  if (found) reader.take(found.tokens);
  return found?.literal;
}

/** Returns the function if the next tokens call DATE or TIMESTAMP. */
function temporalCall(reader: TokenReader): Temporal | undefined {
  if (reader.peek(1).kind !== 'open') return undefined;
  return TEMPORAL.find((each) => isKeyword(reader.peek(), each.toUpperCase()));
}

const TEMPORAL = ['date', 'timestamp'] as const;

function temporalLiteral(reader: TokenReader, temporal: Temporal): Literal {
  const { start } = reader.take();
  reader.take();
  const unquoted = reader.peek();
  if (unquoted.kind === 'word') return reader.expected('value', { kind: 'quote', text: quotedText(unquoted.text) });
  const { text, start: at } = reader.need('text', 'value');
  if (!isTemporal(text, temporal))
    return fail(finding('query-temporal', { temporal, text }, placeInQuery(reader.text, at)));
  const { end } = reader.need('close', 'close');
  return { value: text, temporal, start, end };
}

/** Quotes a text that has no quotes, or has the quotes of a word processor. */
export function quotedText(text: string): string {
  return `'${text.replace(/^["‘’“”]|["‘’“”]$/g, '').replaceAll("'", "''")}'`;
}
