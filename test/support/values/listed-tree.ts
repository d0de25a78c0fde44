/** Manifests of trees in memory: documents with their texts, and the results of verifying them. */

import { CACHE_CONTROL, type CacheControl, endpointOf } from '../../../src/core/api/endpoints.ts';
import type { Publication } from '../../../src/core/api/publication.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import { fileOfUrl, type Variants } from '../../../src/core/tree/layout.ts';
import {
  aliasLine,
  documentLine,
  filesText,
  LINE_SEPARATOR,
  type ManifestFile,
  manifestEnd,
  manifestSeal,
  manifestStart,
} from '../../../src/core/tree/manifest/manifest.ts';
import { bytesSource } from '../../../src/core/tree/manifest/manifest-frame.ts';
import { type Manifest, readManifest } from '../../../src/core/tree/manifest/read-manifest.ts';
import { planTree } from '../../../src/core/tree/plan/plan-tree.ts';

const PLAIN: Variants = { names: ['{path}/index.json'], pretty: false, precompressed: false };

export interface Listed {
  readonly revision: string;
  readonly dialect?: 'current' | 'legacy';
  readonly variants?: Variants;
  readonly files?: readonly ManifestFile[];
  readonly cacheControl?: CacheControl;
  /** The counts in the header; by default the actual ones. */
  readonly counts?: { readonly documents: number; readonly aliases: number };
}

/** A document's line in the manifest. */
export function lineOf(path: string, text: string, type = 'application/json'): string {
  return documentLine({
    path,
    file: fileOfUrl(path),
    sha256: sha256(text),
    size: Buffer.byteLength(text),
    type,
    cache: 'mutable',
    modified: 1_767_225_600,
  });
}

export function aliasOf(path: string, target: string): string {
  return aliasLine(path, fileOfUrl(path), target, 'mutable');
}

/** The bytes of a manifest with these lines. */
export function manifestBytes(lines: readonly string[], listed: Listed): Buffer {
  const { revision, dialect = 'current', variants = PLAIN, files = [], cacheControl = CACHE_CONTROL } = listed;
  const aliases = lines.filter((line) => line.includes('"alias_of"')).length;
  const counts = listed.counts ?? { documents: lines.length - aliases, aliases };
  const head = { revision, serial: 1, dialect, sources: 'sources', variants, hosts: [], cache_control: cacheControl };
  const documents = lines.join(LINE_SEPARATOR);
  const start = manifestStart({ ...head, counts: { ...counts, snapshots: 0 } });
  const text = start + documents + manifestEnd(filesText(files), sha256(documents + filesText(files)));
  return Buffer.from(text + manifestSeal(sha256(text)));
}

export function manifestIn(bytes: Buffer): Manifest {
  const manifest = readManifest(bytesSource(bytes));
  if (!manifest) throw new Error('this is no manifest');
  return manifest;
}

/** The texts of all documents of a publication by path, and the targets of its aliases. */
export interface Planned {
  readonly texts: ReadonlyMap<string, string>;
  readonly targets: ReadonlyMap<string, string>;
  readonly manifest: Manifest;
}

/** The manifest of a publication's tree with some documents replaced. */
export function plannedManifest(publication: Publication, changed: ReadonlyMap<string, string> = new Map()): Planned {
  const { documents, aliases } = planTree(publication);
  const texts = new Map<string, string>();
  for (const { list } of documents) for (const { url, body } of list()) texts.set(url, changed.get(url) ?? body());
  const targets = new Map<string, string>();
  for (const { list } of aliases) for (const { url, target } of list()) targets.set(url, target);
  const typeOf = (url: string) => publication.dialect.mediaType(endpointOf(url)?.form ?? 'item');
  const lines = [
    ...[...texts].map(([url, text]) => lineOf(url, text, typeOf(url))),
    ...[...targets].map(([url, target]) => aliasOf(url, target)),
  ];
  const revision = publication.history.revisions[publication.head]?.id ?? '';
  const manifest = manifestIn(manifestBytes(lines, { revision, dialect: publication.dialect.name }));
  return { texts, targets, manifest };
}
