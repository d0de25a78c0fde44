/** Maps the documents of a tree to objects in a bucket. Each document has one object for each form of its URL. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE } from '../../../core/api/dialect.ts';
import { endpointOf } from '../../../core/api/endpoints.ts';
import { pageOfFolder } from '../../../core/api/page-folders.ts';
import { fail, failAll, finding } from '../../../core/diagnostics/finding.ts';
import { keyOf } from '../../../core/hosts/s3.ts';
import { sha256 } from '../../../core/model/digest.ts';
import { MANIFEST_FILE, NOT_FOUND_FILE } from '../../../core/tree/layout.ts';
import type { Manifest } from '../../../core/tree/manifest/read-manifest.ts';
import { type DocumentsByPath, type ServedDocument, servedDocuments } from '../../../core/tree/served-documents.ts';
import { FORM_ENDS, INDEX_END, isPlainJsonForm, storedForms, urlOfRequest } from '../../../core/tree/url-forms.ts';
import { readingIfExists, reasonOf } from '../../../system/files/system-errors.ts';
import { splitClaim } from '../../../system/trees/claimed-manifest.ts';
import { manifestInBytes } from '../../../system/trees/manifest-file.ts';

/**
 * `exact` stores a key for each form of a path. `index` is for websites, which return `X/index.json` for the path `X/`.
 */
export type KeyStyle = 'exact' | 'index';

const STORED_ENDS = { exact: FORM_ENDS, index: [INDEX_END, '.json'] } as const;

/** The version of the storage format. If this number increases, `publish` uploads all documents again. */
const EDITION = 1;

/** Identifies how a bucket stores documents. If this text changes, `publish` uploads all documents again. */
export function storageOf(keys: KeyStyle): string {
  return `${keys}-${EDITION}`;
}

export function keyStylesIn(storage: string | undefined): KeyStyle[] {
  const styles: readonly KeyStyle[] = ['exact', 'index'];
  const known = styles.filter((keys) => storage === storageOf(keys));
  return known.length > 0 ? known : [...styles];
}

export interface PlannedObject {
  readonly key: string;
  readonly file: string;
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly cacheControl?: string;
  /** The modification time in epoch seconds. */
  readonly modified?: number;
}

/** An error document has only one key. */
const NOT_FOUND_PATH = `/${NOT_FOUND_FILE}`;

export function requestForms(path: string, ends = FORM_ENDS): string[] {
  return path === NOT_FOUND_PATH ? [path] : storedForms(path, ends);
}

interface KeyOptions {
  /** The prefix is empty, or a path that starts with a slash and does not end with a slash. */
  readonly prefix: string;
  readonly keys: KeyStyle;
}

/** A bucket without a prefix has no key for `/`, because keys cannot be empty. */
function keyForms(path: string, { prefix, keys }: KeyOptions): string[] {
  return requestForms(path, STORED_ENDS[keys]).filter((form) => keyOf({ prefix }, form) !== '');
}

export function keysOf(path: string, options: KeyOptions): string[] {
  return keyForms(path, options).map((form) => keyOf(options, form));
}

export function objectsOf(
  path: string,
  { file, sha256, size, type, cacheControl, modified }: ServedDocument,
  options: KeyOptions,
): PlannedObject[] {
  return keyForms(path, options).map((form) => ({
    key: keyOf(options, form),
    file,
    sha256,
    size,
    modified,
    contentType: path !== NOT_FOUND_PATH && isPlainJsonForm(form) ? JSON_MEDIA_TYPE : type,
    // Error responses have no Cache-Control header.
    ...(path === NOT_FOUND_PATH ? {} : { cacheControl }),
  }));
}

export function manifestKey(prefix: string): string {
  return keyOf({ prefix }, `/${MANIFEST_FILE}`);
}

const ARCHIVE = '_manifests';
const ARCHIVED = /^(\d+)-[0-9a-f]{64}\.json$/;

export function pastManifestKey(prefix: string, name: string): string {
  return keyOf({ prefix }, `/${ARCHIVE}/${name}`);
}

export function pastManifestName(serial: number, sha256: string): string {
  return `${String(serial).padStart(8, '0')}-${sha256}.json`;
}

function isPastManifestName(name: string): boolean {
  return ARCHIVED.test(name);
}

export function isPastManifestAs(name: string, sha256: string): boolean {
  return isPastManifestName(name) && name.endsWith(`-${sha256}.json`);
}

/** The key of a temporary object that tests conditional writes. */
export function probeKey(prefix: string, nonce: string): string {
  return keyOf({ prefix }, `/_probe-${nonce}`);
}

/** Returns undefined for keys that gridpress did not create. Commands never change objects with these keys. */
export function classifyKey(
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

export interface TreeToPublish {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly revision: string;
  readonly serial: number;
  readonly digest: string;
  readonly documents: DocumentsByPath;
  readonly read: (file: string, sha256: string) => Buffer;
}

/** Fails if the folder has no tree or an invalid manifest. `name` is for messages. */
export function treeToPublish(folder: string, name: string): TreeToPublish {
  const path = join(folder, MANIFEST_FILE);
  const content = readingIfExists(path, () => readFileSync(path));
  if (content === undefined) return fail(finding('no-tree', { folder: name }));
  const { manifest: bytes } = splitClaim(content);
  const manifest = bytes && manifestInBytes(bytes);
  const reason = 'is not a manifest of this format';
  if (!manifest) return fail(finding('bucket-tree-damaged', { folder: name, file: MANIFEST_FILE, reason }));
  const { findings, summary, sha256 } = manifest;
  if (findings.length > 0) failAll(findings);
  return {
    bytes,
    sha256,
    documents: publishedDocuments(manifest),
    revision: summary.revision,
    serial: summary.serial ?? 0,
    digest: summary.digest,
    read: (file, stated) => readChecked(folder, file, stated, name),
  };
}

export function publishedDocuments(manifest: Manifest): DocumentsByPath {
  const notFound = manifest.files.find(({ file }) => file === NOT_FOUND_FILE);
  const others = new Map<string, Omit<ServedDocument, 'cacheControl'>>();
  const rest = { type: PROBLEM_MEDIA_TYPE, cache: 'mutable', modified: 0, target: undefined } as const;
  if (notFound) others.set(NOT_FOUND_PATH, { ...notFound, ...rest });
  return servedDocuments(manifest, others);
}

function readChecked(folder: string, file: string, stated: string, name: string): Buffer {
  const damaged = (reason: string) => fail(finding('bucket-tree-damaged', { folder: name, file, reason }));
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder, file));
  } catch (error) {
    return damaged(`cannot be read: ${reasonOf(error)}`);
  }
  if (sha256(bytes) !== stated) return damaged('does not have the digest in the manifest');
  return bytes;
}
