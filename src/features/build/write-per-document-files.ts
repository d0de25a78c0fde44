/** Writing a host's file that has lines for every document, which grows with the tree: piece by piece. */
import { createHash } from 'node:crypto';
import { closeSync, futimesSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileOfUrl } from '../../core/tree/layout.ts';
import type { ManifestFile } from '../../core/tree/manifest/manifest.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import type { WrittenPerDocumentFile } from './hosting.ts';

const PIECE = 1 << 20;

export function writeListing(
  root: string,
  listing: WrittenPerDocumentFile,
  plan: Plan,
  modified: number,
): ManifestFile {
  const path = join(root, listing.file);
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'wx');
  const whole = createHash('sha256');
  let size = 0;
  try {
    for (const piece of piecesOf(listing, plan)) {
      const bytes = Buffer.from(piece);
      writeFileSync(file, bytes);
      whole.update(bytes);
      size += bytes.length;
    }
    futimesSync(file, modified, modified);
  } finally {
    closeSync(file);
  }
  return { file: listing.file, sha256: whole.digest('hex'), size };
}

function* piecesOf({ head, lines }: WrittenPerDocumentFile, { documents, aliases }: Plan): Generator<string> {
  let piece = head;
  for (const { list } of [...documents, ...aliases]) {
    for (const { url } of list()) {
      piece += lines({ path: url, file: fileOfUrl(url) });
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  }
  yield piece;
}
