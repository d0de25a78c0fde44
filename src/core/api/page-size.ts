/** How many entries a full page of changes has. It can never be another number: full pages would change. */
export const PAGE_SIZE = 100;
/** How many nodes a page of all nodes has. */
export const NODE_PAGE_SIZE = 500;
