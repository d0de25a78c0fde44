import { formatCount, plural } from './words.ts';

/** An `error` concerns the input. A `failure` concerns the command or its environment. */
export type Severity = 'error' | 'failure' | 'warning';

export interface Message<A> {
  readonly severity: Severity;
  readonly text: (args: A) => { readonly what: string; readonly fix: string };
}

export const error = messageOf('error');
export const failure = messageOf('failure');
export const warning = messageOf('warning');

function messageOf(severity: Severity) {
  return <A>(what: (args: A) => string, fix: string | ((args: A) => string)): Message<A> => ({
    severity,
    text: (args) => ({ what: what(args), fix: typeof fix === 'string' ? fix : fix(args) }),
  });
}

export const formatPath = (path: string) => (path === '' ? 'the grid' : path);
export const joinNames = (names: readonly string[]) => names.join(', ');

const MOST_NAMES = 3;

export const firstNames = (names: readonly string[]) =>
  names.length > MOST_NAMES
    ? `${joinNames(names.slice(0, MOST_NAMES))} and ${formatCount(names.length - MOST_NAMES)} more`
    : joinNames(names);

/** Returns `Did you mean "lyra" or "vega"?`, or another remedy if there are no similar names. */
export const suggestion = (names: readonly string[], otherwise: string) =>
  names.length > 0 ? `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?` : otherwise;

export type NoArguments = Record<never, never>;
export interface ForPath {
  path: string;
}
export interface ForRevision {
  id: string;
}
export interface ForUrl {
  url: string;
}
export interface ForLink extends ForUrl {
  from: string;
}

export interface ChangedPaths {
  added: readonly string[];
  updated: readonly string[];
  removed: readonly string[];
}

export function unrecordedChanges({ added, updated, removed }: ChangedPaths): string {
  const changes = [
    ...added.map((path) => `added ${formatPath(path)}`),
    ...updated.map((path) => `updated ${formatPath(path)}`),
    ...removed.map((path) => `removed ${formatPath(path)}`),
  ];
  const rest = changes.length > 10 ? `\n  and ${changes.length - 10} more` : '';
  return `${plural(changes.length, 'unrecorded change')}:\n  ${changes.slice(0, 10).join('\n  ')}${rest}`;
}
