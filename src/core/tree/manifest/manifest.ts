/**
 * What a manifest is, and how it is written: every document of the tree with its file, digest, size, media type, cache
 * class and time, plus the revision and one digest of the whole. It is JSON with one document on each line, so that it
 * can be written and read piece by piece.
 */

import type { z } from 'zod';
import type { CacheClass } from '../../api/endpoints.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { API_FOLDER } from '../../registry/schema-files.ts';
import { NOT_FOUND_FILE, type Variants } from '../layout.ts';

interface ManifestHead {
  readonly revision: string;
  /** How many revisions the head's history has, the head included: it grows with every revision that is recorded. */
  readonly serial: number;
  readonly dialect: 'current' | 'legacy';
  /** The digest of all that the tree was built from: when it is the same, so is the tree. */
  readonly sources: string;
  readonly variants: Variants;
  readonly hosts: readonly string[];
  readonly counts: TreeCounts;
  /** From when on the history is in the tree, in ISO 8601; undefined where all of it is. */
  readonly history_since?: string | undefined;
  /** Whether its head is made of changes that are not recorded: a tree to look at, and nothing else. */
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
  /** The digests of the files that are made from it, in the order of `companionsOf`; left out where there are none. */
  readonly companions?: readonly string[];
}

const FORMAT = 1;
/** Grows when the same sources make another manifest of this format, so that trees are built anew. */
export const EDITION = 5;
export const MANIFEST_BEGINNING = `{"gridpress":${FORMAT},"revision":"`;
/** What stands before each part of a manifest, byte for byte, and after the last one. */
export const SECTION = {
  documents: ',"documents":[\n',
  files: '\n],"files":',
  digest: ',"digest":"',
  seal: ',"seal":"',
  end: '}\n',
} as const;
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
    companions: z
      .array(z.string())
      .exactOptional()
      .describe(
        'SHA-256 of the indented file, of the compressed ones (gzip, brotli), of the indented ones compressed.',
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
        .describe("How many revisions the head's history has: it grows with every revision that is recorded."),
      dialect: z.enum(['current', 'legacy']),
      sources: z.string(),
      variants: z.strictObject({ names: z.array(z.string()), pretty: z.boolean(), precompressed: z.boolean() }),
      hosts: z.array(z.string()),
      not_found: z.string(),
      counts: z.strictObject({ documents: z.number(), aliases: z.number(), snapshots: z.number() }),
      history_since: z
        .string()
        .exactOptional()
        .describe(
          'From when on the history is in the tree, in ISO 8601: what is older is left out. All of it is there where nothing is said.',
        ),
      provisional: z
        .literal(true)
        .exactOptional()
        .describe('The tree has changes that are not recorded: no history has its revision.'),
      // Written by older builds, and ignored.
      past: z
        .strictObject({ revision: z.string(), digest: z.string() })
        .exactOptional()
        .describe(
          'A revision, and SHA-256 over all that its documents, and those of the revisions before it, were made of.',
        ),
      documents: z.array(z.union([documentSchema, aliasSchema])),
      files: z
        .array(z.strictObject({ file: z.string(), sha256: z.string(), size: z.number() }))
        .describe('The files that are no documents: error documents and configuration of hosts.'),
      digest: z
        .string()
        .describe('SHA-256 over the lines of `documents`, from the first brace to the last, and the array `files`.'),
      seal: z
        .string()
        .exactOptional()
        .describe('SHA-256 over all of this file that stands before the seal, up to its comma.'),
      signature: z
        .string()
        .exactOptional()
        .describe('Armoured SSH signature, namespace gridpress, over this file as it is without its signature.'),
      claim: claimSchema().exactOptional(),
    })
    .describe('The list of all documents of a tree.');
});

export type ManifestJson = z.output<ReturnType<typeof manifestSchema>>;
export type ManifestFile = ManifestJson['files'][number];

export function manifestStart(head: ManifestHead): string {
  const { revision, serial, dialect, sources, variants, hosts, counts } = head;
  const { history_since, provisional } = head;
  const fields = {
    gridpress: FORMAT,
    revision,
    serial,
    dialect,
    sources,
    variants,
    hosts,
    not_found: NOT_FOUND_FILE,
    counts,
    history_since,
    provisional,
  };
  return `${JSON.stringify(fields).slice(0, -1)}${SECTION.documents}`;
}

export const LINE_SEPARATOR = ',\n';

/** One document on its line. Nothing in it needs an escape: what paths and media types are made of is known. */
export function documentLine(document: ManifestDocument): string {
  const { path, file, sha256, size, type, cache, modified, companions } = document;
  const more = companions ? `,"companions":${JSON.stringify(companions)}` : '';
  return `{"path":"${path}","file":"${file}","sha256":"${sha256}","size":${size},"type":"${type}","cache":"${cache}","modified":${modified}${more}}`;
}

export function aliasLine(path: string, file: string, target: string, cache: CacheClass): string {
  return `{"path":"${path}","file":"${file}","alias_of":"${target}","cache":"${cache}"}`;
}

export function filesText(files: readonly ManifestFile[]): string {
  return JSON.stringify(files);
}

/** What stands between the documents and the seal, which is over all that stands before it. */
export function manifestEnd(files: string, digest: string): string {
  return `${SECTION.files}${files}${SECTION.digest}${digest}"`;
}

export function manifestSeal(seal: string): string {
  return `${SECTION.seal}${seal}"${SECTION.end}`;
}

export function manifestSignature(signature: string | undefined): string {
  return signature === undefined ? SECTION.end : `,"signature":${JSON.stringify(signature)}${SECTION.end}`;
}

/** A manifest without its documents. `digest` is the same for all builds of one tree, whatever their sources. */
export type ManifestSummary = Readonly<Omit<ManifestJson, 'gridpress' | 'not_found' | 'documents'>>;

export const MANIFEST_SCHEMA = `${API_FOLDER}/manifest`;

/**
 * The claim: what a publisher writes into the published manifest before it changes anything that can change, so that
 * others keep away. It is the manifest's last field, after all that is sealed and signed, and readers pass over it. It
 * stands in the body since stores make ETags of bodies alone: a claim in the metadata would leave the ETag as it was.
 */
export const claimSchema = lazily(() => {
  const z = zod();
  return z
    .strictObject({
      nonce: z.string().describe('Random, so that no two claims are the same bytes.'),
      purpose: z.enum(['publish', 'prune']),
      revision: z.string().exactOptional().describe('The head of what is being published.'),
      since: z.number().describe('Epoch seconds of the store.'),
      until: z.number().describe('Epoch seconds of the store; from then on, others may take it over.'),
      begun: z
        .array(z.string())
        .describe('The manifests of which some documents may stand there already, by their names in _manifests.'),
    })
    .describe('A publication is under way: not part of what is sealed, and gone when it is complete.');
});

export type Claim = z.output<ReturnType<typeof claimSchema>>;

/** The longest that a claim may still have to go, in seconds: publishers ask for minutes, and renew them. */
const LONGEST_LEASE = 3600;

/** Whether a claim holds at a moment, in epoch seconds. One that would hold for days was made by no publisher. */
export function isLeaseValid({ until }: Pick<Claim, 'until'>, now: number): boolean {
  return until > now && until <= now + LONGEST_LEASE;
}

export const CLAIM_FIELD = ',"claim":';
