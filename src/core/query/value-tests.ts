/** The tests of conditions as functions of one value. */
import type { Json } from '../model/json.ts';
import { MANY, matchesPattern, ONE, type PatternPart } from '../model/notation/wildcards.ts';
import type { Comparison, Literal, Test } from './query.ts';

export type ValueTest = (value: Json) => boolean;

export function valueTest(test: Test, isFolded: boolean): ValueTest {
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
