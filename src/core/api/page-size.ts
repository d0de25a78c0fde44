/** How many entries a full page of changes has. It can never be another number: full pages would change. */
export const PAGE_SIZE = 100;
/** How many versions an older page of a history has; from twice as many on, a history has pages. */
export const VERSION_PAGE_SIZE = 500;
/** How many nodes a page of all nodes has. */
export const NODE_PAGE_SIZE = 500;
/** How many rows a page of the rows of the table has. */
export const ROW_PAGE_SIZE = 1000;
