/** The paths of what describes the API, and leads to all of it. No kind has a collection of these names at the top. */

/** The OpenAPI document. */
export const OPENAPI_PATH = '/openapi';
/** Where everything is that no link of the root leads to. */
export const LINKS_PATH = '/links';
/** The page of reference. Its ending is that of no document on any host, as `.html` is on some that serve JSON by it. */
export const REFERENCE_FOLDER = 'docs';
export const REFERENCE_PATH = `/${REFERENCE_FOLDER}/index.htm`;
export const STYLE_PATH = `/${REFERENCE_FOLDER}/style.css`;

/** The catalogue of the APIs of a host (RFC 9727), which has no other place than this: there is one where the tree is the whole host. */
export const WELL_KNOWN_FOLDER = '.well-known';
export const CATALOG_FILE = `${WELL_KNOWN_FOLDER}/api-catalog` as const;
export const CATALOG_PATH = `/${CATALOG_FILE}`;

const SCHEMAS_PATH = '/schemas';
const SCHEMA_ENDING = '.schema';

/** The JSON Schema of a kind of document: its file is called `{name}.schema.json`. */
export function schemaUrl(name: string): string {
  return `${SCHEMAS_PATH}/${name}${name === '{schema}' ? '' : SCHEMA_ENDING}`;
}

/** What these paths answer. */
export type DescriptionContent = 'links' | 'openapi' | 'schema' | 'reference' | 'style' | 'catalog';

/** The rows of what describes the API: what each template answers, and in which form. */
export const DESCRIPTION_ROWS: readonly (readonly [
  template: string,
  content: DescriptionContent,
  form: 'item' | 'html' | 'css' | 'linkset',
])[] = [
  [LINKS_PATH, 'links', 'item'],
  [OPENAPI_PATH, 'openapi', 'item'],
  [schemaUrl('{schema}'), 'schema', 'item'],
  [REFERENCE_PATH, 'reference', 'html'],
  [STYLE_PATH, 'style', 'css'],
  [CATALOG_PATH, 'catalog', 'linkset'],
];
