/** The words for what of a registry its history does not know. */
import { named } from '../message.ts';
import { plural } from '../words.ts';

export interface ChangedPaths {
  added: readonly string[];
  updated: readonly string[];
  removed: readonly string[];
}

/** The first ten of them by their names. */
export function unknownToHistory({ added, updated, removed }: ChangedPaths): string {
  const changes = [
    ...added.map((path) => `added ${named(path)}`),
    ...updated.map((path) => `updated ${named(path)}`),
    ...removed.map((path) => `removed ${named(path)}`),
  ];
  const rest = changes.length > 10 ? `\n  and ${changes.length - 10} more` : '';
  return `${plural(changes.length, 'change')} that the history does not know:\n  ${changes.slice(0, 10).join('\n  ')}${rest}`;
}
