/** Going through the tokens of a query from left to right, and saying what should stand where something else does. */
import { Failure } from '../diagnostics/failure.ts';
import { type Finding, type FindingArguments, finding } from '../diagnostics/finding.ts';
import { itemAt } from '../platform/certain.ts';
import { placeInQuery } from './place.ts';
import { type Token, tokensOf } from './tokens.ts';
import { isKeyword } from './words.ts';

/** How deep parentheses and negations may lie within each other. */
export const DEEPEST_QUERY = 100;

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
