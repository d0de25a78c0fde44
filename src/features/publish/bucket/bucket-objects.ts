/**
 * The objects that a tree is in a bucket, known from its manifest alone: each document under every key that answers for
 * it, with the metadata that it is stored with.
 */
import { JSON_MEDIA_TYPE } from '../../../core/api/dialect.ts';
import { type CacheClass, endpointOf } from '../../../core/api/endpoints.ts';
import { pageOfFolder } from '../../../core/api/page-folders.ts';
import { keyOf } from '../../../core/hosts/s3.ts';
import { sha256 } from '../../../core/model/digest.ts';
import { cacheControl } from '../../../core/tree/headers.ts';
import { MANIFEST_FILE, NOT_FOUND_FILE } from '../../../core/tree/layout.ts';
import type { ServedDocument } from '../../../core/tree/served-documents.ts';
import { FORM_ENDS, INDEX_END, isPlainForm, storedForms, urlOfRequest } from '../../../core/tree/url-forms.ts';

/** Whether a document answers at every form of its path, or a website makes `X/` of `X/index.json`. */
export type KeyStyle = 'exact' | 'index';

const STORED_ENDS = { exact: FORM_ENDS, index: [INDEX_END, '.json'] } as const;

/** Grows when the same document is stored in another way, so that everything is stored anew. */
const EDITION = 1;

export interface StoredForm {
  /** The style of the keys. Where it differs, no document is the same. */
  readonly storage?: string;
  /** Digests of the headers of objects of each cache class. */
  readonly 'headers-mutable'?: string;
  readonly 'headers-immutable'?: string;
}

export function storedForm(keys: KeyStyle): StoredForm {
  return {
    storage: `${keys}-${EDITION}`,
    'headers-mutable': headersDigest('mutable'),
    'headers-immutable': headersDigest('immutable'),
  };
}

function headersDigest(cache: CacheClass): string {
  return sha256(JSON.stringify([cacheControl(cache)])).slice(0, 16);
}

export function storedFormIn(metadata: Readonly<Record<string, string>>): StoredForm {
  const names = ['storage', 'headers-mutable', 'headers-immutable'];
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => names.includes(name)));
}

export function keyStylesIn({ storage }: StoredForm): KeyStyle[] {
  const styles: readonly KeyStyle[] = ['exact', 'index'];
  const known = styles.filter((keys) => storage === storedForm(keys).storage);
  return known.length > 0 ? known : [...styles];
}

export interface PlannedObject {
  readonly key: string;
  readonly file: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly cacheControl?: string;
  /** Epoch seconds. */
  readonly modified?: number;
}

/** The error document of a website stands beside the documents, under its own key alone. */
export const NOT_FOUND_PATH = `/${NOT_FOUND_FILE}`;

/** The forms of the path of a document or of the error document, which has one. */
export function requestForms(path: string, ends = FORM_ENDS): string[] {
  return path === NOT_FOUND_PATH ? [path] : storedForms(path, ends);
}

export interface KeyOptions {
  /** Empty, or begins with a slash and does not end in one. */
  readonly prefix: string;
  readonly keys: KeyStyle;
}

/** The forms of a path that have a key of their own. The root of a whole bucket has fewer: no key is empty. */
function keyForms(path: string, { prefix, keys }: KeyOptions): string[] {
  return requestForms(path, STORED_ENDS[keys]).filter((form) => keyOf({ prefix }, form) !== '');
}

export function keysOf(path: string, options: KeyOptions): string[] {
  return keyForms(path, options).map((form) => keyOf(options, form));
}

export function objectsOf(
  path: string,
  { file, sha256, size, type, cache, modified }: ServedDocument,
  options: KeyOptions,
): PlannedObject[] {
  return keyForms(path, options).map((form) => ({
    key: keyOf(options, form),
    file,
    sha256,
    size,
    modified,
    contentType: path !== NOT_FOUND_PATH && isPlainForm(form) ? JSON_MEDIA_TYPE : type,
    // An error has none.
    ...(path === NOT_FOUND_PATH ? {} : { cacheControl: cacheControl(cache) }),
  }));
}

export function manifestKey(prefix: string): string {
  return keyOf({ prefix }, `/${MANIFEST_FILE}`);
}

const ARCHIVE = '_manifests';
const ARCHIVED = /^(\d+)-[0-9a-f]{64}\.json$/;

/** Below it stand the manifests of all publications that were begun, each under a name of its own. */
export function pastManifestKey(prefix: string, name = ''): string {
  return keyOf({ prefix }, `/${ARCHIVE}/${name}`);
}

/** They sort by serial. */
export function pastManifestName(serial: number, sha256: string): string {
  return `${String(serial).padStart(8, '0')}-${sha256}.json`;
}

export function isPastManifestName(name: string): boolean {
  return ARCHIVED.test(name);
}

export function isPastManifestAs(name: string, sha256: string): boolean {
  return isPastManifestName(name) && name.endsWith(`-${sha256}.json`);
}

/** Written and removed to learn what a store makes of conditions. */
export function probeKey(prefix: string, nonce: string): string {
  return keyOf({ prefix }, `/_probe-${nonce}`);
}

/** What an object of our kind is; undefined for any other, which is never touched. */
export function kindOfKey(
  key: string,
  prefix: string,
): { readonly document: string } | { readonly archived: string } | 'probe' | undefined {
  const path = `/${key}`.slice(prefix.length);
  if (!`/${key}`.startsWith(`${prefix}/`)) return undefined;
  const archived = path.startsWith(`/${ARCHIVE}/`) ? path.slice(ARCHIVE.length + 2) : undefined;
  if (archived !== undefined) return isPastManifestName(archived) ? { archived } : undefined;
  if (/^\/_probe-[0-9a-f]+$/.test(path)) return 'probe';
  const asked = urlOfRequest(path);
  const document = (asked === undefined ? undefined : pageOfFolder(asked)) ?? asked;
  return document !== undefined && storedForms(document).includes(path) && endpointOf(document)
    ? { document }
    : undefined;
}
