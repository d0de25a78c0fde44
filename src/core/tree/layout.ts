/**
 * The file of `/a/b` is `a/b.json`, and the file of the root is `index.json`. For hosts that answer `/a/b/` with
 * `a/b/index.json`, this file is a hard link to `a/b.json`. A raw document has only one file, at its own path, and no
 * indented variant.
 */

import { CATALOG_FILE } from '../api/description/description-paths.ts';
import { endpointOf, READABLE_ENDPOINTS, rawFormOf } from '../api/endpoints.ts';
import { isRaw } from '../api/raw-forms.ts';
import { MANIFEST_FILE } from './names.ts';

export { MANIFEST_FILE };

export const NOT_FOUND_FILE = '404.json';
export const NOT_ALLOWED_FILE = '405.json';

const INDEX = 'index.json';

/** Returns the file of a URL path without suffix, relative to the tree and with `/` between the segments. */
export function fileOfUrl(url: string): string {
  if (rawFormOf(url) !== undefined) return url.slice(1);
  return url === '/' ? INDEX : `${url.slice(1)}.json`;
}

export interface Variants {
  /** The patterns of additional file names for each document, such as `{path}/index.json` and `{path}.html`. */
  readonly names: readonly string[];
  /** Whether the tree contains `_pretty/X.json`, indented by two spaces. */
  readonly pretty: boolean;
  /** Whether all documents, including indented and raw documents, also have files that end in `.gz` and `.br`. */
  readonly precompressed: boolean;
}

/** No uid begins with an underscore, so no document can be in these folders. */
export const PRETTY_FOLDER = '_pretty';
export const HOSTS_FOLDER = '_hosts';
/** The folder of tombstones. `_gone/X.json` is the tombstone of `/X`. */
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

/** Returns the content coding of a compressed variant, or undefined for another file. */
export function codingOf(file: string): keyof typeof CODINGS | undefined {
  return file.endsWith(CODINGS.gzip) ? 'gzip' : file.endsWith(CODINGS.br) ? 'br' : undefined;
}

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
const CODING = /\.(?:gz|br)$/;
const JSON_ENDINGS = /\.(?:json(?:\.gz|\.br)?|html)$/;

export function isTreeName(name: string): boolean {
  return TOP_NAMES.has(name.replace(JSON_ENDINGS, '')) || isRawPath(name);
}

/** Whether gridpress can write a file at this path below a folder of a tree. */
export function isDocumentPath(path: string): boolean {
  return JSON_ENDINGS.test(path) || isRawPath(path);
}

/** Whether the file is a raw document. Returns false for an operator's file, such as `sites/lyra/README.md`. */
function isRawPath(path: string): boolean {
  const endpoint = endpointOf(`/${path.replace(CODING, '')}`);
  return endpoint !== undefined && isRaw(endpoint.form);
}

const WELL_KNOWN = new Set([CATALOG_FILE, ...Object.values(CODINGS).map((ending) => CATALOG_FILE + ending)]);

/** Whether gridpress writes this file below `.well-known`. Other files in that folder belong to the operator. */
export function isWellKnown(path: string): boolean {
  return WELL_KNOWN.has(path);
}
