/** The paths of the page that shows the registry, and of what it consists of. No kind has a collection of this name at the top. */

export const EXPLORER_FOLDER = 'explorer';
export const EXPLORER_PATHS = {
  page: `/${EXPLORER_FOLDER}/index.htm`,
  script: `/${EXPLORER_FOLDER}/explorer.js`,
  /** What the page loads once its first rows are there. */
  more: `/${EXPLORER_FOLDER}/more.js`,
  style: `/${EXPLORER_FOLDER}/explorer.css`,
  icon: `/${EXPLORER_FOLDER}/icon.svg`,
  /** Copies of documents for a page opened from a folder: see offline-copies.ts. */
  data: `/${EXPLORER_FOLDER}/data.js`,
  history: `/${EXPLORER_FOLDER}/history.js`,
  past: `/${EXPLORER_FOLDER}/past.js`,
} as const;

/** The templates of paths that are those of views too: such a path follows `#` in the address of its view. */
export const VIEWED_TEMPLATES: readonly string[] = [
  ...['/', '/nodes', '/changes', '/sites', '/sites/{site_uid}'],
  '/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}',
];

/** What these paths answer. */
export type ExplorerContent = 'explorer';

/** The rows of the explorer: what each path answers, and in which form. */
export const EXPLORER_ROWS: readonly (readonly [
  template: string,
  content: ExplorerContent,
  form: 'html' | 'js' | 'css' | 'svg',
])[] = [
  [EXPLORER_PATHS.page, 'explorer', 'html'],
  [EXPLORER_PATHS.script, 'explorer', 'js'],
  [EXPLORER_PATHS.more, 'explorer', 'js'],
  [EXPLORER_PATHS.style, 'explorer', 'css'],
  [EXPLORER_PATHS.icon, 'explorer', 'svg'],
  [EXPLORER_PATHS.data, 'explorer', 'js'],
  [EXPLORER_PATHS.history, 'explorer', 'js'],
  [EXPLORER_PATHS.past, 'explorer', 'js'],
];
