/**
 * The manifest: every document of the tree with its file, digest, size, media type, cache class and time, plus the
 * revision and one digest of the whole. It is JSON with one document on each line, so that it can be written and
 * checked piece by piece.
 */
import type { z } from 'zod';
import type { CacheClass } from '../api/endpoints.ts';
import { lazily, zod } from '../model/on-demand.ts';
import { NOT_FOUND_FILE, type Variants } from './layout.ts';

export interface ManifestHead {
  /** The identifier of the head. */
  readonly revision: string;
  readonly dialect: 'current' | 'legacy';
  /** The digest of all that the tree was built from: when it is the same, so is the tree. */
  readonly sources: string;
  readonly variants: Variants;
  /** The hosts whose files are in the tree. */
  readonly hosts: readonly string[];
  readonly counts: TreeCounts;
}

export interface TreeCounts {
  readonly documents: number;
  readonly aliases: number;
  readonly snapshots: number;
}

export type ManifestFile = Manifest['files'][number];

export interface ManifestDocument {
  readonly path: string;
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
  readonly type: string;
  readonly cache: CacheClass;
  /** Epoch seconds. */
  readonly modified: number;
}

const FORMAT = 1;
const DOCUMENTS = ',"documents":[\n';
const END = '\n],"files":';

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
      dialect: z.enum(['current', 'legacy']),
      sources: z.string(),
      variants: z.strictObject({
        names: z.array(z.string()),
        pretty: z.boolean(),
        precompressed: z.boolean(),
      }),
      hosts: z.array(z.string()),
      not_found: z.string(),
      counts: z.strictObject({ documents: z.number(), aliases: z.number(), snapshots: z.number() }),
      documents: z.array(z.union([documentSchema, aliasSchema])),
      files: z
        .array(z.strictObject({ file: z.string(), sha256: z.string(), size: z.number() }))
        .describe('The files that are no documents: error documents and configuration of hosts.'),
      digest: z
        .string()
        .describe(
          'SHA-256 over the lines of `documents`, from the first brace to the last, and the array `files`.',
        ),
    })
    .describe('The list of all documents of a tree.');
});

export type Manifest = z.output<ReturnType<typeof manifestSchema>>;

/** The beginning of the manifest, up to its documents. */
export function manifestStart(head: ManifestHead): string {
  const { revision, dialect, sources, variants, hosts, counts } = head;
  const fields = {
    gridpress: FORMAT,
    revision,
    dialect,
    sources,
    variants,
    hosts,
    not_found: NOT_FOUND_FILE,
    counts,
  };
  return `${JSON.stringify(fields).slice(0, -1)}${DOCUMENTS}`;
}

/** What stands between two lines. */
export const LINE_SEPARATOR = ',\n';

/** One document on its line. */
export function documentLine(document: ManifestDocument): string {
  return JSON.stringify(document);
}

export function aliasLine(path: string, file: string, target: string, cache: CacheClass): string {
  return `{"path":"${path}","file":"${file}","alias_of":"${target}","cache":"${cache}"}`;
}

/** The files that are no documents, as they stand in the manifest. */
export function filesText(files: readonly ManifestFile[]): string {
  return JSON.stringify(files);
}

/** The end of the manifest, after its documents. */
export function manifestEnd(files: string, digest: string): string {
  return `${END}${files},"digest":"${digest}"}
`;
}

export interface ManifestSummary extends ManifestHead {
  readonly files: readonly ManifestFile[];
  readonly digest: string;
}

/** The manifest without its documents, from its first and last bytes; undefined when it is none of this format. */
export function readSummary(start: string, end: string): ManifestSummary | undefined {
  const head = start.slice(0, Math.max(0, start.indexOf(DOCUMENTS)));
  const tail = end.slice(Math.max(0, end.lastIndexOf(END)));
  const parsed = manifestSchema().safeParse(parseOrUndefined(`${head},"documents":[${tail}`));
  if (!parsed.success) return undefined;
  const { documents: _, gridpress: __, not_found: ___, ...summary } = parsed.data;
  return summary;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
