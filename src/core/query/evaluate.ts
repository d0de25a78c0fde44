/** Which nodes a query is true of. */

import type { Json } from '../model/json.ts';
import { MANY, matchesPattern, ONE, type PatternPart } from '../model/wildcards.ts';
import { ABSENT } from '../table/node-table.ts';
import { type FieldValues, fieldValues, fittedTest } from './check.ts';
import { addressOf, type QueryFleet, valuesAt } from './columns.ts';
import { parseQuery } from './parse.ts';
import type { Comparison, Condition, FieldReference, Literal, Query, Test } from './query.ts';

/** In this order, AND is the least of its parts, OR the greatest, and NOT turns the order round. */
const FALSE = 0;
const UNKNOWN = 1;
const TRUE = 2;

/** For each node one of the three. */
type Truths = Uint8Array;

/**
 * The numbers of the nodes that a query is true of, ascending. Ends with a Failure where the text is no query, or where the
 * query does not fit the fields of the nodes. Where there are no nodes, every query fits.
 */
export function findNodes(text: string, fleet: QueryFleet): number[] {
  const query = parseQuery(text);
  return fleet.total === 0 ? [] : nodesOf(query, fleet, text);
}

/** The same of a query that is parsed already. */
export function nodesOf(query: Query, fleet: QueryFleet, text: string): number[] {
  const truths = truthsOf(query, { fleet, text, known: new Map() });
  const found: number[] = [];
  for (let node = 0; node < truths.length; node++) if (truths[node] === TRUE) found.push(node);
  return found;
}

interface Asked {
  readonly fleet: QueryFleet;
  readonly text: string;
  /** A query may name a field many times. */
  readonly known: Map<string, KnownField>;
}

/** A field: what it has for each value of its column, and what that is in all. */
interface KnownField extends FieldValues {
  readonly byNumber: readonly (readonly Json[])[];
  readonly rows: ArrayLike<number>;
}

function truthsOf(query: Query, asked: Asked): Truths {
  switch (query.kind) {
    case 'condition':
      return conditionTruths(query, asked);
    case 'and':
      return joined(query.parts, asked, (truth, other) => (other < truth ? other : truth));
    case 'or':
      return joined(query.parts, asked, (truth, other) => (other > truth ? other : truth));
    case 'not': {
      const truths = truthsOf(query.part, asked);
      for (let node = 0; node < truths.length; node++) truths[node] = TRUE - (truths[node] ?? FALSE);
      return truths;
    }
    case 'constant':
      return new Uint8Array(asked.fleet.total).fill(query.value ? TRUE : FALSE);
    default:
      return query satisfies never;
  }
}

function joined(parts: readonly Query[], asked: Asked, join: (a: number, b: number) => number): Truths {
  let truths: Truths | undefined;
  for (const part of parts) {
    const more = truthsOf(part, asked);
    for (let node = 0; truths && node < truths.length; node++) {
      truths[node] = join(truths[node] ?? FALSE, more[node] ?? FALSE);
    }
    truths ??= more;
  }
  return truths ?? new Uint8Array(asked.fleet.total);
}

function conditionTruths(condition: Condition, asked: Asked): Truths {
  const { field } = condition;
  const known = knownField(field, asked);
  const test = fittedTest(condition, known, asked.fleet, asked.text);
  const isTrueOf = valueTest(test, field.isFolded);
  const isNullTest = test.kind === 'null';
  const nothing = isNullTest ? TRUE : UNKNOWN;
  const truths: Truths = new Uint8Array(known.byNumber.length);
  for (const [number, values] of known.byNumber.entries()) {
    if (values.length === 0) truths[number] = nothing;
    else truths[number] = !isNullTest && values.some(isTrueOf) ? TRUE : FALSE;
  }
  const all: Truths = new Uint8Array(asked.fleet.total);
  for (let node = 0; node < all.length; node++) {
    const number = known.rows[node] ?? ABSENT;
    all[node] = number === ABSENT ? nothing : (truths[number] ?? nothing);
  }
  return all;
}

function knownField(field: FieldReference, { fleet, known }: Asked): KnownField {
  const found = known.get(field.name);
  if (found) return found;
  const { kind, name, rest } = addressOf(field);
  const { values, rows } = fleet.column(kind, name) ?? { values: [], rows: [] };
  const byNumber = values.map((value) => valuesAt(value, rest));
  const made = { ...fieldValues(byNumber), byNumber, rows };
  known.set(field.name, made);
  return made;
}

/** The tests of conditions as functions of one value. */
type ValueTest = (value: Json) => boolean;

function valueTest(test: Test, isFolded: boolean): ValueTest {
  const fold = isFolded ? foldedValue : (value: Json) => value;
  const literal = ({ value }: Literal) => fold(value);
  switch (test.kind) {
    case 'compare': {
      const compared = comparison(test.operator, literal(test.literal));
      return (value) => compared(fold(value));
    }
    case 'in': {
      const texts = new Set(test.literals.map((each) => String(literal(each))));
      return (value) => isScalar(value) && texts.has(String(fold(value)));
    }
    case 'between': {
      const [low, high] = [literal(test.low), literal(test.high)];
      const [isLow, isHigh] = [comparison('>=', low), comparison('<=', high)];
      return (value) => isLow(fold(value)) && isHigh(fold(value));
    }
    case 'like': {
      const pattern = likePattern(String(literal(test.literal)));
      return (value) => typeof value === 'string' && matchesPattern(String(fold(value)), pattern);
    }
    case 'null':
      return () => false;
    default:
      return test satisfies never;
  }
}

function foldedValue(value: Json): Json {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value !== 'object';
}

/** Texts are ordered by code unit, numbers by size; a text and a number are in no order. */
function comparison(operator: Comparison, literal: Json): ValueTest {
  switch (operator) {
    case '=':
      return sameAs(literal);
    case '<>': {
      const isSame = sameAs(literal);
      return (value) => isScalar(value) && !isSame(value);
    }
    case '<':
      return (value) => order(value, literal) < 0;
    case '<=':
      return (value) => order(value, literal) <= 0;
    case '>':
      return (value) => order(value, literal) > 0;
    case '>=':
      return (value) => order(value, literal) >= 0;
    default:
      return operator satisfies never;
  }
}

/**
 * Whether a value is the same as a literal, which it is too where one tool has written as a text what another has written
 * as a number, or as true or false: `2` and `'2'`, but not `'02'`.
 */
function sameAs(literal: Json): ValueTest {
  const [type, text] = [typeof literal, String(literal)];
  return (value) => value === literal || (typeof value !== type && isScalar(value) && String(value) === text);
}

/** Not a number where two values are in no order. */
function order(value: Json, literal: Json): number {
  if (typeof value === 'number' && typeof literal === 'number') return value - literal;
  if (typeof value !== 'string' || typeof literal !== 'string') return Number.NaN;
  return value < literal ? -1 : value > literal ? 1 : 0;
}

/** `%` is any text, `_` any character; after a backslash both are themselves. */
function likePattern(text: string): PatternPart[] {
  const characters = [...text];
  const parts: PatternPart[] = [];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? '';
    const escaped = characters[i + 1];
    if (character === '\\' && escaped !== undefined) {
      parts.push(escaped);
      i++;
    } else parts.push(character === '%' ? MANY : character === '_' ? ONE : character);
  }
  return parts;
}
