/**
 * Size and time budgets of the explorer, with reasons. `test/e2e/api/explorer.test.ts` checks the files;
 * `bench/explorer.ts` and `bench/explorer-history.ts` check the rest in a browser.
 */

export interface FileBudget {
  readonly file: 'script' | 'more' | 'exports' | 'style';
  readonly size: 'bytes' | 'gzip';
  readonly most: number;
  readonly reason: string;
}

/** Sizes in bytes. If a file exceeds its budget, move code to `more` or reduce something else. */
export const FILE_BUDGETS: readonly FileBudget[] = [
  {
    file: 'script',
    size: 'bytes',
    most: 75_000,
    reason: 'A slow processor parses it before the overview and the first rows.',
  },
  { file: 'script', size: 'gzip', most: 28_800, reason: 'It is sent before the overview and the first rows.' },
  {
    file: 'style',
    size: 'bytes',
    most: 23_600,
    reason: 'Nothing is drawn before it is there. 600 bytes are for phones, print and forced colours.',
  },
  {
    file: 'more',
    size: 'gzip',
    most: 92_600,
    reason:
      'Every view but the nodes waits for it. 4,600 bytes are the outline of the land. 2,000 bytes let the palette find types, revisions and removed nodes. 9,000 bytes explain searches: warnings, CQL2-JSON and words without a match. 4,000 bytes draw the plots of the overview and of sites. 500 bytes colour racks by the last change. 200 bytes compare fields of dates, and ignore strokes of letters. 100 bytes distinguish nodes that have the same uid. 100 bytes limit the requests of a check of a lock file. The filters in use are listed from it. It contains the code that it shares with the script of exports.',
  },
  {
    file: 'exports',
    size: 'gzip',
    most: 7_800,
    reason:
      'The user waits for it after a click on Export. 200 bytes request whole clusters from OAR. 300 bytes write NDJSON with labels.',
  },
];

/** All scripts together, in bytes with gzip. */
export const ALL_SCRIPTS = 130_000;

/** Limits in a browser for a registry with many nodes. */
export interface NodesBudgets {
  /** The measurement slows down the CPU by this factor. */
  readonly slower: number;
  /** Seconds to the first rows. People leave if it takes longer. */
  readonly seconds: number;
  /** Bytes with gzip before the first rows. Undefined without a limit. */
  readonly bytes?: number;
  /** Seconds from a click on a filter to the rows. Longer times feel slow. */
  readonly click: number;
  /** MB of heap, as much as a phone has for a page. */
  readonly heap: number;
  /** Elements of the document. Only visible rows may have elements. */
  readonly elements: number;
}

const FOR_ALL = { heap: 60, elements: 1_500 };

/** The largest registry whose table of nodes contains the names. */
export const LARGE_REGISTRY: NodesBudgets = { ...FOR_ALL, slower: 4, seconds: 1.5, bytes: 700_000, click: 0.1 };

/** The largest registry of the benchmarks. It only has to stay usable. */
export const LARGEST_REGISTRY: NodesBudgets = { ...FOR_ALL, slower: 1, seconds: 2.5, click: 0.2 };

/** Limits in a browser for a registry with a long history. */
export const HISTORY_BUDGETS = {
  /** Seconds to the first rows, also with a CPU slowed down four times. */
  seconds: 1,
  /** Bytes with gzip before the first rows, about one second on a slow line. */
  bytes: 70_000,
  /** Share of the page that shifts during loading. */
  shift: 0,
  /** Seconds to the largest paint with a CPU slowed down four times; web.dev rates this as good. */
  paint: 2.5,
  /** Milliseconds from a move of the slider to its paint. Longer times feel slow. */
  slide: 100,
} as const;
