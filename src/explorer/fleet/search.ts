/** The search box: a query as `gridpress find` takes it, or words that stand anywhere in what a node has. */
import { Failure } from '../../core/diagnostics/failure.ts';
import { QUERY_MESSAGES } from '../../core/diagnostics/messages/query.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { findNodes } from '../../core/query/evaluate.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { Fleet } from './fleet.ts';

export type SearchOutcome =
  | { readonly kind: 'rows'; readonly rows: readonly number[] }
  | { readonly kind: 'wrong'; readonly problem: string; readonly hint: string; readonly column: number | undefined };

/** What only a query has. Words that are no query are looked for as they stand. */
const QUERY = /[=<>()]|\b(?:IS|IN|LIKE|BETWEEN)\b/i;

export function search(fleet: Fleet, asked: string): SearchOutcome | undefined {
  const text = asked.trim();
  if (text === '') return undefined;
  if (!QUERY.test(text)) return { kind: 'rows', rows: rowsWithWords(fleet, text) };
  try {
    return { kind: 'rows', rows: findNodes(text, fleet.query) };
  } catch (error) {
    const wrong = error instanceof Failure ? wordsOf(error) : undefined;
    if (!wrong) throw error;
    return wrong;
  }
}

/** The words that the command line has for the same mistake. */
function wordsOf({ findings }: Failure): SearchOutcome | undefined {
  const [first] = findings;
  const message = Object.entries(QUERY_MESSAGES).find(([code]) => code === first?.code)?.[1];
  if (!first || !message) return undefined;
  const said: unknown = Reflect.apply(message.text, undefined, [first.args]);
  if (!isJsonObject(said)) return undefined;
  const { what, fix } = said;
  return { kind: 'wrong', problem: String(what), hint: String(fix), column: first.place?.column };
}

/** The nodes that have every word somewhere in their uids, names, places, labels or bodies, in any case of letters. */
function rowsWithWords({ table, query, placeOf }: Fleet, text: string): number[] {
  const words = text.toLowerCase().split(/\s+/);
  const labels = [...query.names('label')].flatMap((name) => query.column('label', name) ?? []);
  const columns = [...table.columns, ...labels].map(({ values, rows }) => {
    const texts = values.map((value) => textIn(value).toLowerCase());
    return { rows, having: words.map((word) => texts.map((each) => each.includes(word))) };
  });
  const found: number[] = [];
  for (const [row, uid] of table.uids.entries()) {
    const { site, cluster } = placeOf(row);
    const own = `${uid} ${site} ${cluster}`.toLowerCase();
    const isFound = words.every(
      (word, i) => own.includes(word) || columns.some(({ rows, having }) => having[i]?.[rows[row] ?? ABSENT] === true),
    );
    if (isFound) found.push(row);
  }
  return found;
}

function textIn(value: Json): string {
  if (Array.isArray(value)) return value.map(textIn).join(' ');
  if (isJsonObject(value)) return Object.values(value).map(textIn).join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
