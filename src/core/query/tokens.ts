/** The text of a query -> its tokens. What a word is, a field or a value, is told by where it stands: see `parse.ts`. */
import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import { placeInQuery } from './place.ts';
import type { Span } from './query.ts';

export interface Token extends Span {
  /** A `word` is a field, a keyword or a number with or without its unit; a `text` stands in single quotes. */
  readonly kind: 'word' | 'text' | 'operator' | 'open' | 'close' | 'comma' | 'end';
  /** As it stands in the query; of a `text` what it means. */
  readonly text: string;
}

/** Longer than any query that somebody writes: one that lists two thousand uids. */
export const LONGEST_QUERY = 100_000;

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
export function tokensOf(text: string): Token[] {
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
