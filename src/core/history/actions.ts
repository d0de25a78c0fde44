/** What a version document says that a revision did to a resource. */
export const ACTIONS = ['added', 'updated', 'removed', 'replaced'] as const;
export type Action = (typeof ACTIONS)[number];
