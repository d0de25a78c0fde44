/** Suggests values for a query without a result. The most frequent reason is a misspelt value. */
import { type Finding, finding } from '../diagnostics/finding.ts';
import { suggestSimilar } from '../diagnostics/nearest.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { addressOf, type QueryFleet, valuesAt } from './columns.ts';
import { conditionsOf, type FieldReference, type Literal, literalsOf, placeInQuery, type Query } from './query.ts';

const MOST_HINTS = 10;

/**
 * Returns a finding for each text that no node has in the field of its condition. Returns at most `MOST_HINTS`
 * findings.
 */
export function valueHints(query: Query, fleet: QueryFleet, text: string): Finding[] {
  const findings: Finding[] = [];
  const known = new Map<string, HeldValues>();
  for (const { field, value, start } of askedTexts(query)) {
    const held = getOrCreate(known, field.name, () => heldValues(field, fleet));
    if (held.texts.size === 0 || held.all.has(value)) continue;
    const folded = [...held.texts].filter((each) => each.toLowerCase() === value.toLowerCase());
    const nearest = folded.length > 0 ? folded : suggestSimilar(value, held.texts);
    findings.push(finding('query-value', { field: field.name, value, nearest }, placeInQuery(text, start)));
    if (findings.length === MOST_HINTS) break;
  }
  return findings;
}

interface AskedText extends Pick<Literal, 'start'> {
  readonly field: FieldReference;
  readonly value: string;
}

function* askedTexts(query: Query): Generator<AskedText> {
  for (const { field, test } of conditionsOf(query)) {
    if (test.kind !== 'in' && !(test.kind === 'compare' && test.operator === '=')) continue;
    for (const { value, start } of literalsOf(test)) {
      if (typeof value === 'string') yield { field, value, start };
    }
  }
}

interface HeldValues {
  readonly all: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
}

function heldValues(field: FieldReference, fleet: QueryFleet): HeldValues {
  const { kind, name, rest } = addressOf(field);
  const values = fleet.column(kind, name)?.values.flatMap((value) => valuesAt(value, rest)) ?? [];
  return {
    all: new Set(values.filter((value) => typeof value !== 'object').map(String)),
    texts: new Set(values.filter((value) => typeof value === 'string')),
  };
}
