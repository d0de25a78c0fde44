/** How many entries a full page of changes has. It can never be another number: full pages would change. */
export const PAGE_SIZE = 100;
