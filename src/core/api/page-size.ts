/** Changes on a full page. This number must never change, because full pages are immutable. */
export const PAGE_SIZE = 100;
/** Versions on an older page of a history. A history with twice as many versions has pages. */
export const VERSION_PAGE_SIZE = 500;
export const NODE_PAGE_SIZE = 500;
export const ROW_PAGE_SIZE = 1000;
