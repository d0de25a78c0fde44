import { Failure } from '../../core/diagnostics/finding.ts';
import { QUERY_MESSAGES } from '../../core/diagnostics/messages/query.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { findNodes } from '../../core/query/evaluate.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { Fleet } from './fleet.ts';

export type SearchOutcome =
  | { readonly kind: 'rows'; readonly rows: readonly number[] }
  | { readonly kind: 'wrong'; readonly problem: string; readonly hint: string; readonly column: number | undefined };

/** Matches texts that are queries. Other texts are searched for as words. */
const QUERY = /[=<>()]|\b(?:IS|IN|LIKE|BETWEEN)\b/i;

export function search(fleet: Fleet, input: string): SearchOutcome | undefined {
  const text = input.trim();
  if (text === '') return undefined;
  if (!QUERY.test(text)) return { kind: 'rows', rows: rowsWithWords(fleet, text) };
  try {
    return { kind: 'rows', rows: findNodes(text, fleet.query) };
  } catch (error) {
    const { problem, hint, column } = messageOf(error);
    return { kind: 'wrong', problem, hint, column };
  }
}

interface ErrorMessage {
  readonly problem: string;
  readonly hint: string;
  readonly column: number | undefined;
}

/** Returns the message of a failure of `find`, as the command line prints it. Rethrows other errors. */
export function messageOf(error: unknown): ErrorMessage {
  const first = error instanceof Failure ? error.findings[0] : undefined;
  const message = Object.entries(QUERY_MESSAGES).find(([code]) => code === first?.code)?.[1];
  const rendered: unknown = message && Reflect.apply(message.text, undefined, [first?.args]);
  if (!isJsonObject(rendered)) throw error;
  const { what, fix } = rendered;
  return { problem: String(what), hint: String(fix), column: first?.place?.column };
}

function rowsWithWords({ table, query, placeOf }: Fleet, text: string): number[] {
  const words = text.toLowerCase().split(/\s+/);
  const labels = [...query.names('label')].flatMap((name) => query.column('label', name) ?? []);
  const columns = [...table.columns, ...labels].map(({ values, rows }) => {
    const texts = values.map((value) => textIn(value).toLowerCase());
    return { rows, matches: words.map((word) => texts.map((each) => each.includes(word))) };
  });
  return [...table.uids.keys()].filter((row) => {
    const { site, cluster } = placeOf(row);
    const place = `${table.uids[row]} ${site} ${cluster}`.toLowerCase();
    return words.every(
      (word, i) => place.includes(word) || columns.some(({ rows, matches }) => matches[i]?.[rows[row] ?? ABSENT]),
    );
  });
}

function textIn(value: Json): string {
  if (Array.isArray(value)) return value.map(textIn).join(' ');
  if (isJsonObject(value)) return Object.values(value).map(textIn).join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
