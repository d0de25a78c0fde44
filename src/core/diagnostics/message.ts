/** An `error` is in the input, a `failure` in how or where the command was called; a `warning` stops nothing. */
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

export const named = (path: string) => (path === '' ? 'the grid' : path);
export const listed = (names: readonly string[]) => names.join(', ');

export type Nothing = Record<never, never>;
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
