/** The number of changes on a full page. This number must never change, because full pages are immutable. */
export const PAGE_SIZE = 100;
/** The number of versions on an older page of a history. Histories shorter than two full pages are not split. */
export const VERSION_PAGE_SIZE = 500;
export const NODE_PAGE_SIZE = 500;
/** Larger node tables have pages of rows, so that browsers can show a table before its uids. */
export const ROW_PAGE_SIZE = 5000;
