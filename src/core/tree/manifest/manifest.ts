/** Each document has one line in the manifest, so that programs can read and write the manifest in chunks. */

import type { z } from 'zod';
import type { CacheClass, CacheControl } from '../../api/endpoints.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { API_FOLDER } from '../../registry/layout.ts';
import { NOT_FOUND_FILE, type Variants } from '../layout.ts';

interface ManifestHead extends Pick<ManifestSummary, 'revision' | 'dialect' | 'sources'> {
  readonly serial: number;
  readonly variants: Variants;
  readonly hosts: readonly string[];
  readonly cache_control: CacheControl;
  readonly counts: TreeCounts;
  readonly history_since?: string | undefined;
  readonly provisional?: true | undefined;
}

export interface TreeCounts {
  readonly documents: number;
  readonly aliases: number;
  readonly snapshots: number;
}

interface ManifestDocument {
  readonly path: string;
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
  readonly type: string;
  readonly cache: CacheClass;
  /** Epoch seconds. */
  readonly modified: number;
  /** The digests of the variants, in the order of `variantFilesOf`. Undefined if there are no variants. */
  readonly variant_digests?: readonly string[];
}

const FORMAT = 1;
/** Increase this number if your change alters the manifest of an unchanged registry. All trees are then rebuilt. */
export const EDITION = 11;
export const MANIFEST_BEGINNING = `{"gridpress":${FORMAT},"revision":"`;
/** The exact bytes before each section of a manifest, and at the end of the manifest. */
export const SECTION = {
  documents: ',"documents":[\n',
  files: '\n],"files":',
  digest: ',"digest":"',
  seal: ',"seal":"',
  end: '}\n',
} as const;
/** Hosts send these values in the `Cache-Control` header, so a value must not contain a line break. */
export const cacheControlSchema = lazily(() => {
  const value = zod()
    .string()
    .regex(/^[a-z0-9=, -]{1,200}$/);
  return zod().strictObject({ mutable: value, immutable: value });
});
export const manifestSchema = lazily(() => {
  const z = zod();
  const documentSchema = z.strictObject({
    path: z.string(),
    file: z.string(),
    sha256: z.string(),
    size: z.number(),
    type: z.string(),
    cache: z.enum(['mutable', 'immutable']),
    modified: z.number(),
    variant_digests: z
      .array(z.string())
      .exactOptional()
      .describe(
        'SHA-256 of the variants: indented, compressed (gzip, brotli), and indented and compressed (gzip, brotli).',
      ),
  });
  const aliasSchema = z.strictObject({
    path: z.string(),
    file: z.string(),
    alias_of: z.string(),
    cache: z.enum(['mutable', 'immutable']),
  });

  return z
    .strictObject({
      gridpress: z.literal(FORMAT),
      revision: z.string(),
      serial: z
        .number()
        .exactOptional()
        .describe('The number of revisions in the history, including the head. It increases with every revision.'),
      dialect: z.enum(['current', 'legacy']),
      sources: z.string().describe('The digest of all inputs of the build. Equal inputs give equal trees.'),
      variants: z.strictObject({ names: z.array(z.string()), pretty: z.boolean(), precompressed: z.boolean() }),
      hosts: z.array(z.string()),
      cache_control: cacheControlSchema()
        .exactOptional()
        .describe('The `Cache-Control` header of the documents of each cache class. Older versions did not write it.'),
      not_found: z.string(),
      counts: z.strictObject({ documents: z.number(), aliases: z.number(), snapshots: z.number() }),
      history_since: z
        .string()
        .exactOptional()
        .describe('The history start, in ISO 8601. Absent if the tree includes the whole history.'),
      provisional: z
        .literal(true)
        .exactOptional()
        .describe('The tree includes unrecorded changes. Its revision is in no history.'),
      // Older versions of gridpress wrote this field. Readers ignore the field.
      past: z
        .strictObject({ revision: z.string(), digest: z.string() })
        .exactOptional()
        .describe('A revision, and SHA-256 of the inputs of all documents up to that revision.'),
      documents: z.array(z.union([documentSchema, aliasSchema])),
      files: z
        .array(z.strictObject({ file: z.string(), sha256: z.string(), size: z.number() }))
        .describe('The files that are not documents: error documents, tombstones and host configurations.'),
      digest: z
        .string()
        .describe('SHA-256 of the lines of `documents`, from the first brace to the last, and of the array `files`.'),
      seal: z
        .string()
        .exactOptional()
        .describe('SHA-256 of all bytes of this file before the comma that precedes the seal.'),
      signature: z
        .string()
        .exactOptional()
        .describe('The armoured SSH signature of this file without its signature, in the namespace `gridpress`.'),
      claim: claimSchema().exactOptional(),
    })
    .describe('The list of all documents of a tree.');
});

export type ManifestJson = z.output<ReturnType<typeof manifestSchema>>;
export type ManifestFile = ManifestJson['files'][number];

export function manifestStart(head: ManifestHead): string {
  const { revision, serial, dialect, sources, variants, hosts, cache_control } = head;
  const { counts, history_since, provisional } = head;
  const fields = {
    gridpress: FORMAT,
    revision,
    serial,
    dialect,
    sources,
    variants,
    hosts,
    cache_control,
    not_found: NOT_FOUND_FILE,
    counts,
    history_since,
    provisional,
  };
  return `${JSON.stringify(fields).slice(0, -1)}${SECTION.documents}`;
}

export const LINE_SEPARATOR = ',\n';

/** Paths and media types contain no character that JSON would escape. */
export function documentLine(document: ManifestDocument): string {
  const { path, file, sha256, size, type, cache, modified, variant_digests: digests } = document;
  const more = digests ? `,"variant_digests":${JSON.stringify(digests)}` : '';
  return `{"path":"${path}","file":"${file}","sha256":"${sha256}","size":${size},"type":"${type}","cache":"${cache}","modified":${modified}${more}}`;
}

export function aliasLine(path: string, file: string, target: string, cache: CacheClass): string {
  return `{"path":"${path}","file":"${file}","alias_of":"${target}","cache":"${cache}"}`;
}

export function filesText(files: readonly ManifestFile[]): string {
  return JSON.stringify(files);
}

export function manifestEnd(files: string, digest: string): string {
  return `${SECTION.files}${files}${SECTION.digest}${digest}"`;
}

export function manifestSeal(seal: string): string {
  return `${SECTION.seal}${seal}"${SECTION.end}`;
}

export function manifestSignature(signature: string | undefined): string {
  return signature === undefined ? SECTION.end : `,"signature":${JSON.stringify(signature)}${SECTION.end}`;
}

export interface ManifestSummary extends Readonly<Omit<ManifestJson, 'gridpress' | 'not_found' | 'documents'>> {
  readonly cache_control: CacheControl;
}

export const MANIFEST_SCHEMA = `${API_FOLDER}/manifest`;

/**
 * The claim keeps other publishers out while a publisher replaces mutable documents. The claim follows the signed
 * parts, and readers ignore it. The claim is not object metadata, because stores derive ETags from bodies.
 */
export const claimSchema = lazily(() => {
  const z = zod();
  return z
    .strictObject({
      nonce: z.string().describe('A random text, so that all claims differ.'),
      purpose: z.enum(['publish', 'prune']),
      revision: z.string().exactOptional().describe('The head of the tree that is being published.'),
      since: z.number().describe('Epoch seconds of the store.'),
      until: z.number().describe('Epoch seconds of the store. After this time, others may replace the claim.'),
      begun: z
        .array(z.string())
        .describe('The names in `_manifests` of manifests whose documents may be partly published.'),
    })
    .describe('Present while a publication is in progress. The seal does not cover it.');
});

export type Claim = z.output<ReturnType<typeof claimSchema>>;

/** The maximum duration of a claim, in seconds. A publisher claims a bucket for a few minutes and renews the claim. */
const LONGEST_LEASE = 3600;

/** `now` is in epoch seconds. A claim that lasts longer than the maximum is invalid. */
export function isLeaseValid({ until }: Pick<Claim, 'until'>, now: number): boolean {
  return until > now && until <= now + LONGEST_LEASE;
}

export const CLAIM_FIELD = ',"claim":';
