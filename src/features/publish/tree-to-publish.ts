/**
 * A tree that is to be published elsewhere, known by its manifest alone. Every file is held against the manifest when it
 * is read: what is damaged, or is being built anew meanwhile, does not go out.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEM_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { sha256 } from '../../core/model/digest.ts';
import { MANIFEST_FILE, MANIFEST_URL, NOT_FOUND_FILE } from '../../core/tree/layout.ts';
import { listingOf } from '../../core/tree/manifest-listing.ts';
import { openTree } from '../../core/tree/served-tree.ts';
import { reading, reasonOf } from '../../system/files/system-errors.ts';
import { manifestText, splitClaim } from '../../system/trees/manifest-bytes.ts';
import { parseManifest } from '../../system/trees/manifest-file.ts';
import { NOT_FOUND_PATH } from './bucket/bucket-objects.ts';
import type { DocumentsByPath } from './published-difference.ts';

export interface TreeToPublish {
  readonly manifest: Buffer;
  /** Of the manifest's bytes. */
  readonly sha256: string;
  readonly revision: string;
  /** 0 for trees of older builds. */
  readonly serial: number;
  readonly digest: string;
  readonly documents: DocumentsByPath;
  /** Fails when the file is not what the manifest says. */
  readonly read: (file: string, sha256: string) => Buffer;
}

/** Fails when there is no tree, or when its manifest does not hold. `name` is what messages call the folder. */
export function treeToPublish(folder: string, name: string): TreeToPublish {
  const path = join(folder, MANIFEST_FILE);
  if (!existsSync(path)) return fail(finding('no-tree', { folder: name }));
  const { manifest } = splitClaim(reading(path, () => readFileSync(path)));
  const text = manifest && manifestText(manifest);
  const documents = manifest && documentsIn(manifest);
  const noManifest = 'is no manifest of this format';
  if (!text || !documents)
    return fail(finding('bucket-tree-damaged', { folder: name, file: MANIFEST_FILE, reason: noManifest }));
  const { findings, summary } = listingOf(text);
  if (findings.length > 0) failAll(findings);
  return {
    ...{ manifest, documents, sha256: sha256(manifest) },
    ...{ revision: summary.revision, serial: summary.serial ?? 0, digest: summary.digest },
    read: (file, stated) => readChecked(folder, file, stated, name),
  };
}

/**
 * What a manifest lists, aliases with what they stand for, and the error document; undefined where any of it cannot be
 * read or is not what its digest and its seal say: what is listed there in part is worse than nothing.
 */
export function wholeDocumentsIn(manifest: Buffer): DocumentsByPath | undefined {
  const text = manifestText(manifest);
  return text && listingOf(text).findings.length === 0 ? documentsIn(manifest) : undefined;
}

/** The same of a manifest whose digest and seal hold; undefined when the bytes are none of this format. */
export function documentsIn(manifest: Uint8Array): DocumentsByPath | undefined {
  const parsed = parseManifest(manifest);
  if (!parsed) return undefined;
  const own = {
    file: '',
    type: '',
    cache: 'mutable',
    modified: 0,
    sha256: '',
    size: 0,
    target: undefined,
  } as const;
  const documents = new Map(openTree(parsed, own).documents);
  documents.delete(MANIFEST_URL);
  const notFound = parsed.files.find(({ file }) => file === NOT_FOUND_FILE);
  if (notFound) documents.set(NOT_FOUND_PATH, { ...own, ...notFound, type: PROBLEM_MEDIA_TYPE });
  return documents;
}

/** What stands in a folder: nothing where there is no manifest, undefined where there is one that is not whole. */
export function standingDocuments(folder: string): DocumentsByPath | undefined {
  const path = join(folder, MANIFEST_FILE);
  return existsSync(path) ? wholeDocumentsIn(reading(path, () => readFileSync(path))) : new Map();
}

function readChecked(folder: string, file: string, stated: string, name: string): Buffer {
  const damaged = (reason: string) => fail(finding('bucket-tree-damaged', { folder: name, file, reason }));
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder, file));
  } catch (error) {
    return damaged(`cannot be read: ${reasonOf(error)}`);
  }
  if (sha256(bytes) !== stated) return damaged('has not the digest that the manifest says');
  return bytes;
}
