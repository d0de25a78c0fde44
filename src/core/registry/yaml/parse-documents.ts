/** The parser that knows where everything stands, and takes its time. */
import type { Document } from 'yaml';
import { yaml } from '../../platform/modules.ts';

/**
 * The longest text that it is given, in characters: it takes a hundred times as much memory. Longer ones are read as others
 * are, but nobody looks what exactly is wrong with them.
 */
export const MOST_EXPLAINED = 250_000;

/** The documents of a text; none when it is too long. */
export function parseDocuments(text: string): Document[] {
  if (text.length > MOST_EXPLAINED) return [];
  const { parseAllDocuments } = yaml();
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'failsafe',
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
    // It compares each key with all before it.
    uniqueKeys: false,
  });
  return Array.isArray(documents) ? documents : [];
}
