import type { Json } from '../model/json.ts';
import { MANY, matchesPattern, ONE, type PatternPart } from '../model/wildcards.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { ABSENT } from '../table/node-table.ts';
import { checkComparedField, type FieldValues, fieldValues, fittedTest } from './check.ts';
import { addressOf, type QueryFleet, valuesAt } from './columns.ts';
import { parseQuery } from './parse.ts';
import {
  type Comparison,
  type Condition,
  type FieldReference,
  type Fold,
  isOrder,
  type Literal,
  literalsOf,
  type Query,
  type Test,
} from './query.ts';
import { type Temporal, temporalValue } from './temporal.ts';

/** AND returns the minimum of the truth values of its conditions, and OR the maximum. NOT swaps FALSE and TRUE. */
const FALSE = 0;
const UNKNOWN = 1;
const TRUE = 2;

/** The truth value of each node. */
type Truths = Uint8Array;

/** Returns ascending node numbers. Throws a Failure if the text is not a valid query for the fields of the nodes. */
export function findNodes(text: string, fleet: QueryFleet): number[] {
  const query = parseQuery(text);
  return fleet.total === 0 ? [] : nodesOf(query, fleet, text);
}

export function nodesOf(query: Query, fleet: QueryFleet, text: string): number[] {
  const truths = truthsOf(query, { fleet, text, known: new Map() });
  const found: number[] = [];
  for (let node = 0; node < truths.length; node++) if (truths[node] === TRUE) found.push(node);
  return found;
}

interface Asked {
  readonly fleet: QueryFleet;
  readonly text: string;
  readonly known: Map<string, KnownField>;
}

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
  if (test.kind === 'compare-field') return pairTruths(condition.field, known, test, asked);
  const isTrueOf = valueTest(test, field.folds);
  const isNullTest = test.kind === 'null';
  const nothing = isNullTest ? TRUE : UNKNOWN;
  const temporal = temporalOf(test);
  const truths: Truths = new Uint8Array(known.byNumber.length);
  for (const [number, all] of known.byNumber.entries()) {
    // Ignores values that are not dates, because they cannot be ordered with dates.
    const values = temporal ? all.filter((value) => temporalValue(value, temporal) !== null) : all;
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

/**
 * A node matches if the comparison is true for any pair of values, one from each field. Two fields of dates are compared
 * as instants, as with TIMESTAMP.
 */
function pairTruths(
  reference: FieldReference,
  field: KnownField,
  { operator, other }: Extract<Test, { readonly kind: 'compare-field' }>,
  asked: Asked,
): Truths {
  const against = knownField(other, asked);
  checkComparedField(reference, field, other, against, asked.text);
  const isTemporal = reference.folds.length === 0 && holdsDates(field) && holdsDates(against);
  const fold = isTemporal ? (value: Json) => temporalValue(value, 'timestamp') : foldOf(reference.folds);
  const [left, right] = [field, against].map(({ byNumber }) =>
    byNumber.map((values) => values.map(fold).filter((value) => !isTemporal || value !== null)),
  );
  const testsOf = right?.map((values) => values.filter(isScalar).map((value) => comparison(operator, value)));
  const known = new Map<number, number>();
  const all: Truths = new Uint8Array(asked.fleet.total);
  for (let node = 0; node < all.length; node++) {
    const [number, otherNumber] = [field.rows[node] ?? ABSENT, against.rows[node] ?? ABSENT];
    const [values = [], others = []] = [left?.[number], right?.[otherNumber]];
    if (values.length === 0 || others.length === 0) all[node] = UNKNOWN;
    else {
      const isTrue = () => values.some((value) => testsOf?.[otherNumber]?.some((isTrueOf) => isTrueOf(value)));
      all[node] = getOrCreate(known, number * against.byNumber.length + otherNumber, () => (isTrue() ? TRUE : FALSE));
    }
  }
  return all;
}

/** Whether most distinct values of a field are dates or timestamps. */
function holdsDates({ byNumber }: KnownField): boolean {
  const values = byNumber.flat().filter(isScalar);
  return 2 * values.filter((value) => temporalValue(value, 'timestamp') !== null).length > values.length;
}

function knownField(field: FieldReference, { fleet, known }: Asked): KnownField {
  return getOrCreate(known, field.name, () => {
    const { kind, name, rest } = addressOf(field);
    const { values, rows } = fleet.column(kind, name) ?? { values: [], rows: [] };
    const byNumber = values.map((value) => valuesAt(value, rest));
    return { ...fieldValues(byNumber), byNumber, rows };
  });
}

type ValueTest = (value: Json) => boolean;

function valueTest(test: Exclude<Test, { readonly kind: 'compare-field' }>, folds: readonly Fold[]): ValueTest {
  const temporal = temporalOf(test);
  const fold = temporal ? (value: Json) => temporalValue(value, temporal) : foldOf(folds);
  const literal = ({ value }: Literal) => fold(value);
  switch (test.kind) {
    case 'compare': {
      const compared = comparison(test.operator, literal(test.literal));
      const { quantityText } = test.literal;
      if (quantityText === undefined || isOrder(test)) return (value) => compared(fold(value));
      const comparedText = comparison(test.operator, fold(quantityText));
      if (test.operator === '<>') return (value) => compared(fold(value)) && comparedText(fold(value));
      return (value) => compared(fold(value)) || comparedText(fold(value));
    }
    case 'in': {
      const texts = new Set(
        test.literals.flatMap((each) => [
          String(literal(each)),
          ...(each.quantityText === undefined ? [] : [String(fold(each.quantityText))]),
        ]),
      );
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

/** Returns the type of the dates in a test. One timestamp makes all comparisons use timestamps. */
export function temporalOf(test: Test): Temporal | undefined {
  const found = literalsOf(test).flatMap(({ temporal }) => temporal ?? []);
  return found.find((each) => each === 'timestamp') ?? found[0];
}

/** Maps letters with a stroke, which Unicode does not decompose, to letters without a stroke. */
const [STROKED, PLAIN] = ['øØłŁđĐħĦŧŦ', 'oOlLdDhHtT'];
const STROKED_LETTERS = new RegExp(`[${STROKED}]`, 'g');

/** Returns a function that removes ignored differences, such as case. */
function foldOf(folds: readonly Fold[]): (value: Json) => Json {
  if (folds.length === 0) return (value) => value;
  const ofText: Readonly<Record<Fold, (text: string) => string>> = {
    casei: (text) => text.toLowerCase(),
    accenti: (text) =>
      text
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(STROKED_LETTERS, (letter) => PLAIN.charAt(STROKED.indexOf(letter))),
  };
  return (value) => (typeof value === 'string' ? folds.reduce((text, fold) => ofText[fold](text), value) : value);
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value !== 'object';
}

/** Compares two texts by code units, and two numbers by size. A text and a number are not comparable. */
export function comparison(operator: Comparison, literal: Json): ValueTest {
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

/** Tools use different types, so values with the same text are equal. `2` equals `'2'`, but not `'02'`. */
function sameAs(literal: Json): ValueTest {
  const [type, text] = [typeof literal, String(literal)];
  return (value) => value === literal || (typeof value !== type && isScalar(value) && String(value) === text);
}

/** Returns NaN if two values are not comparable. */
function order(value: Json, literal: Json): number {
  if (typeof value === 'number' && typeof literal === 'number') return value - literal;
  if (typeof value !== 'string' || typeof literal !== 'string') return Number.NaN;
  return value < literal ? -1 : value > literal ? 1 : 0;
}

/** Parses a LIKE pattern. `%` matches any text, and `_` matches any character. A backslash escapes `%` and `_`. */
export function likePattern(text: string): PatternPart[] {
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
