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
import { MANIFEST_FILE, NOT_FOUND_FILE } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { type DocumentsByPath, type ServedDocument, servedDocuments } from '../../core/tree/served-documents.ts';
import { reading, reasonOf } from '../../system/files/system-errors.ts';
import { splitClaim } from '../../system/trees/claimed-manifest.ts';
import { manifestInBytes } from '../../system/trees/manifest-file.ts';
import { NOT_FOUND_PATH } from './bucket/bucket-objects.ts';

export interface TreeToPublish {
  readonly bytes: Buffer;
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
  const { manifest: bytes } = splitClaim(reading(path, () => readFileSync(path)));
  const manifest = bytes && manifestInBytes(bytes);
  const reason = 'is no manifest of this format';
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
  if (sha256(bytes) !== stated) return damaged('has not the digest that the manifest says');
  return bytes;
}
