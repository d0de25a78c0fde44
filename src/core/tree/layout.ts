/**
 * The layout: which files hold the document of a URL. `/a/b` is `a/b.json`, the root `index.json`; the variant
 * `a/b/index.json` is a hard link to it, for hosts that answer `/a/b/` with an index file. A raw document is the file of
 * its path; it has no other names, and is not indented.
 */

import { CATALOG_FILE } from '../api/description/description-paths.ts';
import { READABLE_ENDPOINTS, rawFormOf } from '../api/endpoints.ts';
import { RAW_ENDING_PATTERN } from '../api/raw-forms.ts';
import { MANIFEST_FILE } from './manifest/manifest-file.ts';

export { MANIFEST_FILE };

export const NOT_FOUND_FILE = '404.json';
export const NOT_ALLOWED_FILE = '405.json';

const INDEX = 'index.json';

/** The file of a URL path without suffix, with `/` between the segments, below the root of the tree. */
export function fileOfUrl(url: string): string {
  if (rawFormOf(url) !== undefined) return url.slice(1);
  return url === '/' ? INDEX : `${url.slice(1)}.json`;
}

export interface Variants {
  /** Other names of each document's file, as patterns of its path: `{path}/index.json`, `{path}.html`. */
  readonly names: readonly string[];
  /** `_pretty/X.json`, JSON indented by two spaces. */
  readonly pretty: boolean;
  /** `X.json.gz` and `X.json.br`, of the indented variant and of raw documents too. */
  readonly precompressed: boolean;
}

/** The folders of the tree that hold no documents of their own. No uid begins with an underscore. */
export const PRETTY_FOLDER = '_pretty';
export const HOSTS_FOLDER = '_hosts';
/** What is answered for items that are gone, by their paths: `_gone/X.json`. */
export const GONE_FOLDER = '_gone';

export const INDEX_NAME = `{path}/${INDEX}`;

export function namesOfUrl(url: string, { names }: Variants): string[] {
  const path = url.slice(1);
  const file = fileOfUrl(url);
  if (file === path) return [];
  const written = names.map((name) => name.replace('{path}', path).replace(/^\//, ''));
  return written.filter((name) => name !== file && !name.startsWith('.'));
}

export const CODINGS = { gzip: '.gz', br: '.br' } as const;

export function variantFilesOf(file: string, { pretty, precompressed }: Variants): string[] {
  const isIndented = pretty && rawFormOf(`/${file}`) === undefined;
  const texts = [file, ...(isIndented ? [prettyFile(file)] : [])];
  const compressed = precompressed
    ? texts.flatMap((text) => Object.values(CODINGS).map((ending) => text + ending))
    : [];
  return [...texts.slice(1), ...compressed];
}

export function tombstoneFile(url: string): string {
  return `${GONE_FOLDER}/${fileOfUrl(url)}`;
}

export function prettyFile(file: string): string {
  return `${PRETTY_FOLDER}/${file}`;
}

export const MANIFEST_URL = `/${MANIFEST_FILE}`;

const TOP_NAMES = new Set([
  ...READABLE_ENDPOINTS.map(({ template }) => template.split('/')[1] ?? ''),
  ...[PRETTY_FOLDER, HOSTS_FOLDER, GONE_FOLDER, 'index'],
]);
const ENDINGS = new RegExp(`(?:(?:\\.json|${RAW_ENDING_PATTERN})(?:\\.gz|\\.br)?|\\.html)$`);

/** Whether a file or folder of this name can stand at the top of a tree. */
export function isTreeName(name: string): boolean {
  return TOP_NAMES.has(name.replace(ENDINGS, ''));
}

/** Whether a file of this name can be a document, or be made from one. */
export function isDocumentName(name: string): boolean {
  return ENDINGS.test(name);
}

const WELL_KNOWN = new Set([CATALOG_FILE, ...Object.values(CODINGS).map((ending) => CATALOG_FILE + ending)]);

/** Whether a path below `.well-known`, which belongs to whoever publishes the tree, is of a file of ours. */
export function isWellKnown(path: string): boolean {
  return WELL_KNOWN.has(path);
}
