/** What may be meant by the values of a query that finds nothing: a typing mistake is the likeliest reason. */
import { type Finding, finding } from '../diagnostics/finding.ts';
import { nearestTo } from '../diagnostics/nearest.ts';
import { addressOf, type QueryFleet, valuesAt } from './columns.ts';
import { placeInQuery } from './place.ts';
import { conditionsOf, literalsOf, type Query } from './query.ts';

/** A finding for each text that a condition asks for and no node has in its field. */
export function valueHints(query: Query, fleet: QueryFleet, text: string): Finding[] {
  return [...conditionsOf(query)].flatMap(({ field, test }) => {
    const isAsked = test.kind === 'in' || (test.kind === 'compare' && test.operator === '=');
    if (!isAsked) return [];
    const { kind, name, rest } = addressOf(field);
    const all = fleet.column(kind, name)?.values.flatMap((value) => valuesAt(value, rest)) ?? [];
    const known = new Set(all.filter((value) => typeof value !== 'object').map(String));
    const texts = new Set(all.filter((value) => typeof value === 'string'));
    return literalsOf(test).flatMap(({ value, start }): Finding[] => {
      if (typeof value !== 'string' || texts.size === 0 || known.has(value)) return [];
      const folded = [...texts].filter((each) => each.toLowerCase() === value.toLowerCase());
      const nearest = folded.length > 0 ? folded : nearestTo(value, texts);
      return [finding('query-value', { field: field.name, value, nearest }, placeInQuery(text, start))];
    });
  });
}
