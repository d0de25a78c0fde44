/** The text of a query -> its tokens. What a word is, a field or a value, is told by where it stands: see `parse.ts`. */

import { Failure, fail } from '../diagnostics/failure.ts';
import { type Finding, type FindingArguments, finding } from '../diagnostics/finding.ts';
import { MOST_SUGGESTIONS, nearestTo } from '../diagnostics/nearest.ts';
import { inBaseUnit, type Unit, unitNamed, unitNames } from '../model/units.ts';
import { itemAt } from '../platform/certain.ts';
import { type Literal, placeInQuery, type Span } from './query.ts';

interface Token extends Span {
  /** A `word` is a field, a keyword or a number with or without its unit; a `text` stands in single quotes. */
  readonly kind: 'word' | 'text' | 'operator' | 'open' | 'close' | 'comma' | 'end';
  /** As it stands in the query; of a `text` what it means. */
  readonly text: string;
}

/** Longer than any query that somebody writes: one that lists two thousand uids. */
const LONGEST_QUERY = 100_000;

const SPACE = /\s*/y;
const OPERATOR = /[=<>!&|~]+/y;
/** A word ends where anything else begins; a part of it that stands in double quotes may hold anything. */
const WORD = /(?:"(?:[^"]|"")*"|[^\s()=<>!&|~,'"])+/y;
const TEXT = /'((?:[^'\\]|''|\\.)*)'/sy;
const PUNCTUATION: ReadonlyMap<string, Token['kind']> = new Map([
  ['(', 'open'],
  [')', 'close'],
  [',', 'comma'],
]);

/** Ends with a Failure at what is no token. The last token is `end`. */
function tokensOf(text: string): Token[] {
  if (text.length > LONGEST_QUERY) {
    return fail(finding('query-long', { length: text.length, limit: LONGEST_QUERY }));
  }
  const tokens: Token[] = [];
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = skipSpace(text, token.end);
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(text)?.[0].length ?? 0);
}

function tokenAt(text: string, start: number): Token {
  const character = text[start] ?? '';
  const kind = PUNCTUATION.get(character);
  if (kind) return { kind, text: character, start, end: start + 1 };
  if (character === "'") {
    const [whole, content = ''] = matchAt(TEXT, text, start);
    return whole === undefined
      ? fail(finding('query-quote', { quote: character }, placeInQuery(text, start)))
      : { kind: 'text', text: unescaped(content), start, end: start + whole.length };
  }
  const [operator] = matchAt(OPERATOR, text, start);
  if (operator !== undefined) return { kind: 'operator', text: operator, start, end: start + operator.length };
  const [word] = matchAt(WORD, text, start);
  return word === undefined
    ? fail(finding('query-quote', { quote: '"' }, placeInQuery(text, start)))
    : { kind: 'word', text: word, start, end: start + word.length };
}

/** A quote in a text is written twice, or after a backslash; any other backslash is one. */
function unescaped(content: string): string {
  return content.replace(/''|\\./gs, (pair) => (pair === "''" || pair === "\\'" ? "'" : pair));
}

function matchAt(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}

/** What the words of a query mean: keywords in upper or lower case, numbers with or without a unit, true and false. */
export function isKeyword({ kind, text }: Token, keyword: string): boolean {
  return kind === 'word' && text.length === keyword.length && text.toUpperCase() === keyword;
}

const RESERVED = ['AND', 'OR', 'NOT', 'IN', 'BETWEEN', 'LIKE', 'IS', 'NULL'];

/** Whether a word cannot be a field or a unit, unless it stands in double quotes. */
export function isReserved(token: Token): boolean {
  return RESERVED.some((keyword) => isKeyword(token, keyword));
}

/** A number; what follows it without a blank is its unit. */
const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([A-Za-z]+(?:\/[A-Za-z]+)?)?$/;
const LONGEST_NUMBER = 64;

/**
 * The value that the first of three tokens is, with its unit where the next one is that; undefined where it is none. A
 * value that leads stands before a comparison; after one, what stands before another comparison is a field.
 */
export function literalOf(
  query: string,
  [token, after, last]: readonly [Token, Token, Token],
  leads: boolean,
): { readonly literal: Literal; readonly tokens: 1 | 2 } | undefined {
  const { kind, text, start, end } = token;
  if (kind === 'text') return { literal: { value: text, start, end }, tokens: 1 };
  if (kind !== 'word') return undefined;
  if (isKeyword(token, 'TRUE')) return { literal: { value: true, start, end }, tokens: 1 };
  if (isKeyword(token, 'FALSE')) return { literal: { value: false, start, end }, tokens: 1 };
  const [, digits, unit] = text.length > LONGEST_NUMBER ? [] : (NUMBER.exec(text) ?? []);
  if (digits === undefined) return undefined;
  const isApart = unit === undefined && (last.kind === 'operator') === leads && isUnit(after);
  if (!isApart) {
    return { literal: number(query, digits, unit, token), tokens: 1 };
  }
  return { literal: number(query, digits, after.text, { ...token, end: after.end }), tokens: 2 };
}

function isUnit({ kind, text }: Token): boolean {
  return kind === 'word' && likelyUnits(text).length > 0;
}

function number(query: string, digits: string, unitName: string | undefined, { start, end }: Token): Literal {
  const place = placeInQuery(query, start);
  const unit = unitName === undefined ? undefined : knownUnit(unitName, placeInQuery(query, end - unitName.length));
  const value = unit ? inBaseUnit(digits, unit) : Number(digits);
  if (value === undefined || !Number.isFinite(value)) return fail(finding('query-number', { digits }, place));
  return { value, ...(unit ? { unit } : {}), start, end };
}

function knownUnit(name: string, place: ReturnType<typeof placeInQuery>): Unit {
  const unit = unitNamed(name);
  return unit ?? fail(finding('query-unit-unknown', { unit: name, nearest: nearestUnits(name) }, place));
}

function nearestUnits(name: string): string[] {
  const likely = likelyUnits(name);
  return (likely.length > 0 ? likely : nearestTo(name, unitNames())).slice(0, MOST_SUGGESTIONS);
}

/** Of `gb` the unit in upper and lower case, of `G` those that begin so. */
function likelyUnits(name: string): string[] {
  const folded = name.toLowerCase();
  const same = unitNames().filter((each) => each.toLowerCase() === folded);
  return same.length > 0 ? same : unitNames().filter((each) => each.toLowerCase().startsWith(folded));
}

/** How deep parentheses and negations may lie within each other. */
const DEEPEST_QUERY = 100;

type Expectation = FindingArguments<'query-expected'>['expected'];

export interface TokenReader {
  readonly text: string;
  readonly peek: (ahead?: number) => Token;
  readonly take: (count?: number) => Token;
  readonly takeKeyword: (keyword: string) => boolean;
  /** Takes a token of a kind, which must be there. */
  readonly need: (kind: Token['kind'], what: Expectation) => Token;
  /** Ends with a Failure: something else than what is next should stand there, perhaps what the hint says. */
  readonly expected: (what: Expectation, hint?: string) => never;
  /** Reads what lies one deeper, within bounds. */
  readonly nested: <T>(read: () => T) => T;
}

/** What people write who know another language, and what it is in this one. */
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

export function newTokenReader(text: string): TokenReader {
  const tokens = tokensOf(text);
  let next = 0;
  let depth = 0;
  const peek = (ahead = 0): Token => itemAt(tokens, Math.min(next + ahead, tokens.length - 1));
  const refuse = (found: Finding): never => {
    throw new Failure([found]);
  };
  const take = (count = 1): Token => {
    next += count;
    return peek(-1);
  };
  const expected = (what: Expectation, hint?: string): never => {
    const { kind, text: written, start, end } = peek();
    const found = kind === 'end' ? undefined : text.slice(start, end);
    const said = FOREIGN.get(written) ?? hint;
    const place = placeInQuery(text, start);
    return refuse(finding('query-expected', { expected: what, found, hint: said }, place));
  };
  return {
    text,
    peek,
    take,
    expected,
    takeKeyword: (keyword) => {
      const isThere = isKeyword(peek(), keyword);
      if (isThere) next++;
      return isThere;
    },
    need: (kind, what) => (peek().kind === kind ? take() : expected(what)),
    nested: (read) => {
      if (++depth > DEEPEST_QUERY) {
        return refuse(finding('query-deep', { limit: DEEPEST_QUERY }, placeInQuery(text, peek().start)));
      }
      const value = read();
      depth--;
      return value;
    },
  };
}
