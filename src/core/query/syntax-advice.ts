/** Recognizes common mistakes in the tokens around an unexpected token. */
import type { FindingArguments } from '../diagnostics/finding.ts';
import type { Advice } from '../diagnostics/messages/query.ts';
import { isKeyword, isNumberWord, isReserved, type Token } from './tokens.ts';

/** Operators of other languages, and their CQL2 equivalents. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['==', '='],
  ['!=', '<>'],
  ['=<', '<='],
  ['=>', '>='],
  ['!', 'NOT'],
  ['&&', 'AND'],
  ['||', 'OR'],
  ['~', 'LIKE'],
  ['=~', 'LIKE'],
]);

/** The tokens of a query. `at` is the number of the unexpected token. */
interface Unexpected {
  readonly query: string;
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly what: FindingArguments<'query-expected'>['expected'];
}

export function syntaxAdvice(unexpected: Unexpected): Advice | undefined {
  const { tokens, at } = unexpected;
  const instead = tokens[at]?.text ?? '';
  const foreign = FOREIGN.get(instead);
  if (foreign !== undefined) return { kind: 'replace', text: foreign, instead };
  for (const advise of ADVICE) {
    const advice = advise(unexpected);
    if (advice) return advice;
  }
  return undefined;
}

function sourceOf({ query }: Unexpected, first: Token, last: Token): string {
  return query.slice(first.start, last.end);
}

/** Returns advice for `a = NULL`. */
function nullAdvice(unexpected: Unexpected): Advice | undefined {
  const { tokens, at } = unexpected;
  const [operator, token] = [tokens[at - 1], tokens[at]];
  if (!operator || !token || !isKeyword(token, 'NULL') || operator.kind !== 'operator') return undefined;
  const text = operator.text === '<>' ? 'IS NOT NULL' : 'IS NULL';
  return { kind: 'replace', text, instead: sourceOf(unexpected, operator, token) };
}

/** Returns advice for numbers with commas, such as `2,4GHz` and `1,000`. */
function decimalAdvice(unexpected: Unexpected): Advice | undefined {
  const { tokens, at } = unexpected;
  const [whole, comma, fraction] = tokens.slice(Math.max(at - 1, 0), at + 2);
  if (!whole || !fraction || comma?.kind !== 'comma') return undefined;
  const isAdjacent = whole.end === comma.start && comma.end === fraction.start;
  if (!isAdjacent || !/^[+-]?\d+$/.test(whole.text) || !/^\d/.test(fraction.text)) return undefined;
  const isThousand = /^[+-]?[1-9]/.test(whole.text) && /^\d{3}(?!\d)/.test(fraction.text);
  const point = isThousand ? '' : '.';
  const text = `${whole.text}${point}${fraction.text}`;
  return { kind: 'replace', text, instead: sourceOf(unexpected, whole, fraction) };
}

/** Returns advice for `a IN ['x']`. */
function bracketAdvice({ query, tokens, at }: Unexpected): Advice | undefined {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!before || !token || !isKeyword(before, 'IN')) return undefined;
  const [instead, list] = /^\[([^\]]*)\]/.exec(query.slice(token.start)) ?? [];
  return instead === undefined ? undefined : { kind: 'replace', text: `(${list})`, instead };
}

/** Returns advice for `a CONTAINS 'x'`. */
function containsAdvice(unexpected: Unexpected): Advice | undefined {
  const { tokens, at } = unexpected;
  const [token, value] = [tokens[at], tokens[at + 1]];
  if (!token || !isKeyword(token, 'CONTAINS') || (value?.kind !== 'text' && value?.kind !== 'word')) return undefined;
  const text = `LIKE '%${value.text.replaceAll("'", "''")}%'`;
  return { kind: 'replace', text, instead: sourceOf(unexpected, token, value) };
}

/** Returns advice for lists in the wrong form: `a IN 1`, `a = 1, 2` and `a = 1 OR 2`. */
function listAdvice(unexpected: Unexpected): Advice | undefined {
  const { tokens, at } = unexpected;
  const first = firstValue(unexpected);
  const before = tokens[first - 1];
  const values: string[] = [];
  let last: Token | undefined;
  for (let i = first; ; i++) {
    const value = tokens[i];
    if (!value || !isValue(value)) return undefined;
    const unit = unitAfter(tokens, i);
    last = unit ?? value;
    values.push(sourceOf(unexpected, value, last));
    if (unit) i++;
    if (!isSeparator(tokens[++i])) break;
  }
  const isIn = before !== undefined && isKeyword(before, 'IN');
  if (!before || !last || (!isIn && (values.length < 2 || first >= at || !['=', '<>'].includes(before.text))))
    return undefined;
  const operator = before.text === '<>' ? 'NOT IN' : 'IN';
  return { kind: 'replace', text: `${operator} (${values.join(', ')})`, instead: sourceOf(unexpected, before, last) };
}

/**
 * Finds the list of values that contains the unexpected token, or else the last list before the token. Returns the
 * index of its first value.
 */
function firstValue({ tokens, at }: Unexpected): number {
  let first = at;
  for (let i = at; i >= 0; i--) {
    const token = tokens[i];
    if (!token || !(isValue(token) || isSeparator(token) || (i === at && !isValue(token)) || isUnit(tokens, i))) break;
    if (isValue(token)) first = i;
  }
  return first;
}

function isValue(token: Token): boolean {
  return token.kind === 'text' || isNumberWord(token);
}

function isUnit(tokens: readonly Token[], i: number): boolean {
  return i > 0 && unitAfter(tokens, i - 1) === tokens[i];
}

/** Returns the unit that follows a number as a separate token. */
function unitAfter(tokens: readonly Token[], i: number): Token | undefined {
  const [number, unit] = [tokens[i], tokens[i + 1]];
  if (!number || !unit || !isNumberWord(number) || unit.kind !== 'word') return undefined;
  return /^[A-Za-z/]+$/.test(unit.text) && !isReserved(unit) ? unit : undefined;
}

function isSeparator(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'comma' || isKeyword(token, 'OR'));
}

/** Returns advice for `a > 1 AND 2`. */
function repeatAdvice({ tokens, at, what }: Unexpected): Advice | undefined {
  if (what !== 'comparison' && what !== 'operator') return undefined;
  const before = tokens.slice(0, at);
  const value = before.findLastIndex((token) => isValue(token));
  const keyword = before[value - 1];
  const isLast = value >= 0 && before.length - value <= 2;
  const isJoined = keyword && (isKeyword(keyword, 'AND') || isKeyword(keyword, 'OR'));
  return isLast && isJoined ? { kind: 'repeat', keyword: keyword.text } : undefined;
}

/** Returns advice for a function call, such as `S_INTERSECTS(a, b)`. */
function functionAdvice({ tokens, at }: Unexpected): Advice | undefined {
  const name = tokens[at - 1];
  const isCalled = tokens[at]?.kind === 'open' && name?.kind === 'word' && !isReserved(name) && !isNumberWord(name);
  return isCalled ? { kind: 'function', name: name.text } : undefined;
}

/** Returns advice for arithmetic, such as `a + 1 > b` or `a > b +1`. */
function arithmeticAdvice({ tokens, at }: Unexpected): Advice | undefined {
  const [before, token] = [tokens[at - 1], tokens[at]];
  const follows =
    before && (before.kind === 'close' || isValue(before) || (before.kind === 'word' && !isReserved(before)));
  return follows && token?.kind === 'word' && /^(?:[-+*/%^]$|[-+]\d|[*/])/.test(token.text)
    ? { kind: 'arithmetic' }
    : undefined;
}

const ADVICE = [
  ...[nullAdvice, decimalAdvice, bracketAdvice, containsAdvice],
  ...[listAdvice, repeatAdvice, functionAdvice, arithmeticAdvice],
];
