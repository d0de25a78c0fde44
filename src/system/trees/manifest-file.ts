/** Reading the manifest of a tree: whole, or only its beginning and end. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import {
  type Manifest,
  type ManifestSummary,
  manifestSchema,
  readSummary,
} from '../../core/tree/manifest.ts';
import { packagedChecks } from './packaged-checks.ts';

const START_BYTES = 16_384;
const END_BYTES = 65_536;

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
    const chunk = (at: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, length, at));
    };
    const start = chunk(0, START_BYTES);
    // The end lists the files of hosts, of which there can be many.
    for (let length = END_BYTES; ; length *= 8) {
      const from = Math.max(0, size - length);
      const summary = readSummary(start, chunk(from, size - from), packagedChecks());
      if (summary || from === 0) return summary;
    }
  } finally {
    closeSync(file);
  }
}

/** The whole manifest; undefined when there is none, or none of this format. */
export function readManifest(tree: string): Manifest | undefined {
  try {
    return parseManifest(readFileSync(join(tree, MANIFEST_FILE)));
  } catch {
    return undefined;
  }
}

/** Undefined when the bytes are no manifest of this format. */
export function parseManifest(bytes: Uint8Array): Manifest | undefined {
  try {
    return manifestSchema().safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}
