import { Failure } from '../../core/diagnostics/finding.ts';
import { joinedByAnd } from '../../core/query/parse.ts';
import type { Fleet } from './fleet.ts';
import { isWordSearch, search } from './search.ts';
import { type SiteUids, termsWithout } from './words.ts';

interface ShorterSearch {
  /** The omitted word in quotation marks, or the omitted condition. */
  readonly part: string;
  readonly text: string;
  readonly rows: readonly number[];
}

/** A search has more parts only if a program wrote it. */
const MOST_PARTS = 12;

/** Returns the correct searches that omit one word, or one of the conditions that AND joins. */
export function shorterSearches(text: string, fleet: Fleet, siteUids: SiteUids | undefined): ShorterSearch[] {
  const parts = isWordSearch(text, fleet) ? termsWithout(text) : queriesWithout(text);
  if (parts.length > MOST_PARTS) return [];
  return parts.flatMap((each) => {
    const found = search(fleet, each.text, siteUids);
    return found?.kind === 'rows' ? [{ ...each, rows: found.rows }] : [];
  });
}

function queriesWithout(text: string) {
  try {
    const whole = joinedByAnd(text);
    // A translated CQL2-JSON query can be in parentheses. A wrong pair of parentheses gives no parts.
    const parts = whole.length === 0 && /^\(.*\)$/s.test(text) ? joinedByAnd(text.slice(1, -1)) : whole;
    return parts.map((part, i) => ({ part, text: parts.toSpliced(i, 1).join(' AND ') }));
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
