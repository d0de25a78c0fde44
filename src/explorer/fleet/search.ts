import { Failure } from '../../core/diagnostics/finding.ts';
import { QUERY_MESSAGES } from '../../core/diagnostics/messages/query.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { findNodes } from '../../core/query/evaluate.ts';
import type { Fleet } from './fleet.ts';
import { queryOfWords } from './words.ts';

export type SearchOutcome =
  | {
      readonly kind: 'rows';
      readonly rows: readonly number[];
      /** The query that means the same as the words. Undefined if the text is a query. */
      readonly words: string | undefined;
    }
  | WrongQuery;

export interface WrongQuery extends ErrorMessage {
  readonly kind: 'wrong';
  /** The names that the reader may have meant, each with the text that contains it. */
  readonly corrections: readonly { readonly name: string; readonly text: string }[];
}

/** Matches texts that are queries. Other texts are words. */
const QUERY = /[=<>()]|\bIS\s+(?:NOT\s+)?NULL\b|\bLIKE\s+'|\bBETWEEN\s|^(?:TRUE|FALSE)$/i;

export function search(fleet: Fleet, input: string): SearchOutcome | undefined {
  const text = input.trim();
  if (text === '') return undefined;
  try {
    const words = QUERY.test(text) ? undefined : queryOfWords(text, fleet);
    return { kind: 'rows', rows: findNodes(words ?? text, fleet.query), words };
  } catch (error) {
    const { hint, ...message } = messageOf(error);
    return { kind: 'wrong', ...message, hint: hintOnPage(hint), corrections: correctionsOf(text, error) };
  }
}

/** Replaces hints about the command line. */
function hintOnPage(hint: string): string {
  if (hint.includes('gridpress find --help'))
    return "Write a field, an operator and a value, such as label.ram >= 256GiB. Put text in single quotes: site = 'uc'. Join conditions with AND or OR.";
  return hint.includes('gridpress find --fields') ? 'The view “Fields” lists all fields and values.' : hint;
}

function correctionsOf(text: string, error: unknown): WrongQuery['corrections'] {
  const first = error instanceof Failure ? error.findings[0] : undefined;
  if (first?.code !== 'query-field' && first?.code !== 'query-unit-unknown') return [];
  const given = 'unit' in first.args ? first.args.unit : first.args.field;
  const at = first.place?.column === undefined ? text.indexOf(given) : first.place.column - 1;
  const start = text.startsWith(given, at) ? at : text.indexOf(given, at);
  if (start < 0) return [];
  const corrected = (name: string) => text.slice(0, start) + name + text.slice(start + given.length);
  return first.args.nearest.map((name) => ({ name, text: corrected(name) }));
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
