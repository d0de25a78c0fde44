/** Reading the manifest of a tree: whole, or only its beginning and end. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../site/layout.ts';
import { type Manifest, type ManifestSummary, manifestSchema, readSummary } from '../site/manifest.ts';

const SUMMARY_BYTES = 16_384;

/** What a tree says of itself; undefined when there is no tree, or none of this format. */
export function readManifestSummary(tree: string): ManifestSummary | undefined {
  let file: number;
  try {
    file = openSync(join(tree, MANIFEST_FILE), 'r');
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(SUMMARY_BYTES);
    const piece = (at: number) => bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, at));
    return readSummary(piece(0), piece(Math.max(0, size - SUMMARY_BYTES)));
  } finally {
    closeSync(file);
  }
}

/** The whole manifest; undefined when there is none, or none of this format. */
export function readManifest(tree: string): Manifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(readFileSync(join(tree, MANIFEST_FILE), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
