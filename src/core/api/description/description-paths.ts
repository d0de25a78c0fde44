/** No kind can have a top-level collection with one of these names. */

export const OPENAPI_PATH = '/openapi';
/** The path of the list of links that the root document does not contain. */
export const LINKS_PATH = '/links';
/** The conformance classes of the queries (OGC API - Common, section 7.4). */
export const CONFORMANCE_PATH = '/conformance';
/** The folder of the reference page. The page is an `.htm` file, because some hosts serve JSON at `.html` paths. */
export const REFERENCE_FOLDER = 'docs';
export const REFERENCE_PATH = `/${REFERENCE_FOLDER}/index.htm`;
export const STYLE_PATH = `/${REFERENCE_FOLDER}/style.css`;

/** RFC 9727 fixes the path of the API catalogue. A tree with a base path contains no catalogue. */
export const WELL_KNOWN_FOLDER = '.well-known';
export const CATALOG_FILE = `${WELL_KNOWN_FOLDER}/api-catalog` as const;
export const CATALOG_PATH = `/${CATALOG_FILE}`;

/** The file is `{name}.schema.json`. */
export function schemaUrl(name: string): string {
  return `/schemas/${name}${name === '{schema}' ? '' : '.schema'}`;
}

/** A list of the main documents for language models (https://llmstxt.org). */
export const LLMS_PATH = '/llms.txt';

export const DESCRIPTION_ROWS = [
  [LINKS_PATH, 'links', 'item'],
  [OPENAPI_PATH, 'openapi', 'item'],
  [CONFORMANCE_PATH, 'conformance', 'item'],
  [schemaUrl('{schema}'), 'schema', 'item'],
  [REFERENCE_PATH, 'reference', 'html'],
  [STYLE_PATH, 'style', 'css'],
  [CATALOG_PATH, 'catalog', 'catalog'],
  [LLMS_PATH, 'llms', 'text'],
] as const;

export type DescriptionContent = (typeof DESCRIPTION_ROWS)[number][1];
