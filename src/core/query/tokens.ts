/** Splits a query into tokens. The parser decides by position whether a word is a field or a value. */

import { fail, finding } from '../diagnostics/finding.ts';
import { MOST_SUGGESTIONS, suggestSimilar } from '../diagnostics/nearest.ts';
import { inBaseUnit, type Unit, unitNamed, unitNames } from '../model/units.ts';
import { type Literal, placeInQuery, type Span } from './query.ts';
import { NUMBER_WORD, RESERVED, WORD } from './query-text.ts';

export interface Token extends Span {
  /** A `word` is a field, a keyword, or a number that can have a unit. A `text` is in single quotes. */
  readonly kind: 'word' | 'text' | 'operator' | 'open' | 'close' | 'comma' | 'end';
  /** The source of the token. A `text` token contains the unescaped text without quotes. */
  readonly text: string;
}

/** The maximum length of a query, in characters. A query with two thousand uids is below this maximum. */
export const LONGEST_QUERY = 100_000;

const SPACE = /\s*/y;
const OPERATOR = /[=<>!&|~]+/y;
const TEXT = /'((?:[^'\\]|''|\\.)*)'/sy;
const PUNCTUATION: ReadonlyMap<string, Token['kind']> = new Map([
  ['(', 'open'],
  [')', 'close'],
  [',', 'comma'],
]);

/** Throws a Failure at text that is not a token. The last token is `end`. */
export function tokensOf(text: string): Token[] {
  if (text.length > LONGEST_QUERY) return fail(finding('query-long', { length: text.length, limit: LONGEST_QUERY }));
  const tokens: Token[] = [];
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = skipSpace(text, token.end);
  }
  const last = tokens.at(-1);
  if (last?.kind === 'word' && last.text.endsWith(';'))
    return fail(finding('query-semicolon', {}, placeInQuery(text, last.end - 1)));
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

/** Replaces `''` and `\'` with a quote. All other backslashes stay in the text. */
function unescaped(content: string): string {
  return content.replace(/''|\\./gs, (pair) => (pair === "''" || pair === "\\'" ? "'" : pair));
}

function matchAt(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}

/** Keywords are case-insensitive. */
export function isKeyword({ kind, text }: Token, keyword: string): boolean {
  return kind === 'word' && text.length === keyword.length && text.toUpperCase() === keyword;
}

/** Whether a word is a number rather than a field name. The number can have a unit. */
export function isNumberWord({ kind, text }: Token): boolean {
  return kind === 'word' && NUMBER_WORD.test(text);
}

/** A word in double quotes is never reserved. */
export function isReserved(token: Token): boolean {
  return RESERVED.some((keyword) => isKeyword(token, keyword));
}

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([A-Za-z]+(?:\/[A-Za-z]+)?)?$/;
const LONGEST_NUMBER = 64;

/** `leads` means that the literal precedes a comparison operator. Before any other comparison, a word is a field. */
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
  if (!isApart) return { literal: number(query, digits, unit, token), tokens: 1 };
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
  // Recognizes names of Ethernet standards, such as 25GbE.
  const [, prefix] = /^([MGT])bE$/i.exec(name) ?? [];
  if (prefix !== undefined) return [`${prefix.toUpperCase()}bps`];
  const likely = likelyUnits(name);
  return (likely.length > 0 ? likely : suggestSimilar(name, unitNames())).slice(0, MOST_SUGGESTIONS);
}

/** Returns the units that a misspelt name could mean. `gb` gives GB. `G` gives all units that begin with G. */
function likelyUnits(name: string): string[] {
  const folded = name.toLowerCase();
  const same = unitNames().filter((each) => each.toLowerCase() === folded);
  return same.length > 0 ? same : unitNames().filter((each) => each.toLowerCase().startsWith(folded));
}
