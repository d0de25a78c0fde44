/** Reading the manifest of a tree: whole, or only its beginning and end. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parsedJson } from '../../core/model/json.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import {
  type Manifest,
  type ManifestSummary,
  manifestSchema,
  readSummary,
} from '../../core/tree/manifest.ts';
import { unlessRefused } from '../files/system-errors.ts';
import { packagedChecks } from './packaged-checks.ts';

const START_BYTES = 16_384;
const END_BYTES = 65_536;

/** What a tree says of itself; undefined when there is no tree, none of this format, or none that may be read. */
export function readManifestSummary(tree: string): ManifestSummary | undefined {
  return unlessRefused(() => summaryIn(join(tree, MANIFEST_FILE)));
}

function summaryIn(path: string): ManifestSummary | undefined {
  const file = openSync(path, 'r');
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

/** Undefined when the bytes are no manifest of this format. */
export function parseManifest(bytes: Uint8Array): Manifest | undefined {
  return manifestSchema().safeParse(parsedJson(new TextDecoder().decode(bytes))).data;
}
