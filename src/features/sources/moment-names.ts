/** How a user names a moment: by a revision, a date, `head`, or `worktree`. */

/** The registry as its files say it is, recorded or not. */
export const WORKTREE = 'worktree';

/** Whether a text is written like a moment: `head`, `worktree`, a date, or the beginning of a revision. */
export function isMoment(given: string): boolean {
  return given === 'head' || given === WORKTREE || /^(\d{4}-\d{2}-\d{2}([T ].*)?|[0-9a-f]{4,})$/.test(given);
}

/** Whether what names a moment is a date: nothing else has hyphens. */
export function isDate(given: string): boolean {
  return given.includes('-');
}
