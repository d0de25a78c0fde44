/** If a user passes this word as a revision, it means the registry files with their unrecorded changes. */
export const WORKTREE = 'worktree';

export function isRevisionOrDate(given: string): boolean {
  return given === 'head' || given === WORKTREE || /^(\d{4}-\d{2}-\d{2}([T ].*)?|[0-9a-f]{4,})$/.test(given);
}

export function isDate(given: string): boolean {
  return given.includes('-');
}
