import { type FindingArguments, fail, finding } from '../diagnostics/finding.ts';
import type { Advice } from '../diagnostics/messages/query.ts';
import { itemAt } from '../platform/lookups.ts';
import { placeInQuery } from './query.ts';
import { syntaxAdvice } from './syntax-advice.ts';
import { isKeyword, type Token, tokensOf } from './tokens.ts';

export const DEEPEST_QUERY = 100;

type Expectation = FindingArguments<'query-expected'>['expected'];

export interface TokenReader {
  readonly text: string;
  readonly peek: (ahead?: number) => Token;
  readonly take: (count?: number) => Token;
  readonly takeKeyword: (keyword: string) => boolean;
  readonly need: (kind: Token['kind'], what: Expectation) => Token;
  /** Throws a Failure about the next token. The default advice depends on the tokens around the next token. */
  readonly expected: (what: Expectation, advice?: Advice) => never;
  readonly nested: <T>(read: () => T) => T;
}

export function newTokenReader(text: string): TokenReader {
  const tokens = tokensOf(text);
  let next = 0;
  let depth = 0;
  const peek = (ahead = 0): Token => itemAt(tokens, Math.min(next + ahead, tokens.length - 1));
  const take = (count = 1): Token => {
    next += count;
    return peek(-1);
  };
  const expected = (what: Expectation, advice?: Advice): never => {
    const { kind, start, end } = peek();
    const found = kind === 'end' ? undefined : text.slice(start, end);
    const at = Math.min(next, tokens.length - 1);
    const args = { expected: what, found, advice: syntaxAdvice({ query: text, tokens, at, what }) ?? advice };
    return fail(finding('query-expected', args, placeInQuery(text, start)));
  };
  return {
    text,
    peek,
    take,
    expected,
    takeKeyword: (keyword) => {
      const isNext = isKeyword(peek(), keyword);
      if (isNext) next++;
      return isNext;
    },
    need: (kind, what) => (peek().kind === kind ? take() : expected(what)),
    nested: (read) => {
      if (++depth > DEEPEST_QUERY) {
        return fail(finding('query-deep', { limit: DEEPEST_QUERY }, placeInQuery(text, peek().start)));
      }
      const value = read();
      depth--;
      return value;
    },
  };
}
