export const EXPLORER_FOLDER = 'explorer';
export const EXPLORER_PATHS = {
  page: `/${EXPLORER_FOLDER}/index.htm`,
  script: `/${EXPLORER_FOLDER}/explorer.js`,
  /** The explorer loads this script after the first rows appear. */
  more: `/${EXPLORER_FOLDER}/more.js`,
  /** The explorer loads this script when the user exports nodes. The script writes tables and code. */
  exports: `/${EXPLORER_FOLDER}/exports.js`,
  style: `/${EXPLORER_FOLDER}/explorer.css`,
  icon: `/${EXPLORER_FOLDER}/icon.svg`,
  /** Catalogues and search engines read the dataset description and its links. */
  dataset: `/${EXPLORER_FOLDER}/dataset.jsonld`,
  linkset: `/${EXPLORER_FOLDER}/dataset.linkset`,
  data: `/${EXPLORER_FOLDER}/data.js`,
  history: `/${EXPLORER_FOLDER}/history.js`,
  past: `/${EXPLORER_FOLDER}/past.js`,
} as const;

/** Returns the URL of the view of a revision. The URL has no fragment, because LaTeX cannot print `#` everywhere. */
export function revisionPageUrl(id: string): string {
  return `${EXPLORER_PATHS.page}?revision=${id}`;
}

/** The templates of documents that have a view. The address of a view contains the document's path after `#`. */
export const VIEWED_TEMPLATES: readonly string[] = [
  ...['/', '/nodes', '/changes', '/sites', '/sites/{site_uid}'],
  '/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}',
];

export const EXPLORER_ROWS = [
  [EXPLORER_PATHS.page, 'explorer', 'html'],
  [EXPLORER_PATHS.script, 'explorer', 'js'],
  [EXPLORER_PATHS.more, 'explorer', 'js'],
  [EXPLORER_PATHS.exports, 'explorer', 'js'],
  [EXPLORER_PATHS.style, 'explorer', 'css'],
  [EXPLORER_PATHS.icon, 'explorer', 'svg'],
  [EXPLORER_PATHS.dataset, 'explorer', 'json-ld'],
  [EXPLORER_PATHS.linkset, 'explorer', 'linkset'],
  [EXPLORER_PATHS.data, 'explorer', 'js'],
  [EXPLORER_PATHS.history, 'explorer', 'js'],
  [EXPLORER_PATHS.past, 'explorer', 'js'],
] as const;
