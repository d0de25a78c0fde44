/** Where something stands in a query, for findings: messages show the query with a mark, as they show lines of files. */
import { type Place, placeAt } from '../diagnostics/finding.ts';

/** The name of a query among files. */
const QUERY = 'query';

export function placeInQuery(text: string, offset: number): Place {
  return placeAt(QUERY, text, offset);
}
