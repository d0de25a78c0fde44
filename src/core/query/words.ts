/** What the words of a query mean: keywords in upper or lower case, numbers with or without a unit, true and false. */
import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import { MOST_SUGGESTIONS, nearestTo } from '../diagnostics/nearest.ts';
import { inBaseUnit, type Unit, unitNamed, unitNames } from '../model/notation/units.ts';
import { placeInQuery } from './place.ts';
import type { Literal } from './query.ts';
import type { Token } from './tokens.ts';

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
