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
  | { readonly kind: 'wrong'; readonly problem: string; readonly hint: string; readonly column: number | undefined };

/** Matches texts that are queries. Other texts are words. */
const QUERY = /[=<>()]|\bIS\s+(?:NOT\s+)?NULL\b|\bLIKE\s+'|\bBETWEEN\s|^(?:TRUE|FALSE)$/i;

export function search(fleet: Fleet, input: string): SearchOutcome | undefined {
  const text = input.trim();
  if (text === '') return undefined;
  try {
    const words = QUERY.test(text) ? undefined : queryOfWords(text, fleet);
    return { kind: 'rows', rows: findNodes(words ?? text, fleet.query), words };
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
