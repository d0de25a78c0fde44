/**
 * The budgets of the explorer's page, each with its reason. `test/e2e/api/explorer.test.ts` holds the files against
 * theirs, `bench/explorer.ts` and `bench/explorer-history.ts` a browser against the others.
 */

export interface FileBudget {
  readonly file: 'script' | 'more' | 'style';
  readonly size: 'bytes' | 'gzip';
  readonly most: number;
  readonly reason: string;
}

/** In bytes. A view, a library or a label that exceeds one goes into `more`, or something else becomes smaller. */
export const FILE_BUDGETS: readonly FileBudget[] = [
  { file: 'script', size: 'bytes', most: 60_000, reason: 'A slow processor parses it before the first rows.' },
  { file: 'script', size: 'gzip', most: 22_000, reason: 'It is sent before the first rows.' },
  { file: 'style', size: 'bytes', most: 12_000, reason: 'Nothing is drawn before it is there.' },
  { file: 'more', size: 'gzip', most: 40_000, reason: 'Every view but the nodes waits for it.' },
];

/** In a browser, of the largest registry that a bench makes. */
export const NODES_BUDGETS = {
  /** Seconds to the first rows: longer, and people leave. */
  seconds: 2.5,
  /** Seconds from a click on a filter to the rows: longer is felt as waiting. */
  click: 0.2,
  /** MB of heap: what a phone has for a page. */
  heap: 60,
  /** Elements of the document: rows out of sight must be none. */
  elements: 1_500,
} as const;

/** In a browser, of a registry with a long history. */
export const HISTORY_BUDGETS = {
  /** Seconds to the first rows. */
  seconds: 1,
  /** Bytes sent before the first rows, with gzip: a second on a slow line. */
  bytes: 70_000,
  /** Share of the page that moves while it loads: half of what web.dev calls good. */
  shift: 0.05,
  /** Seconds to the largest paint on a processor four times slower: what web.dev calls good. */
  paint: 2.5,
  /** Milliseconds from a move of the slider to its paint: it must follow the hand. */
  slide: 100,
} as const;
