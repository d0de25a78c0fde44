/** Writing the manifest of a tree while its documents are written, and the files that are no documents. */

import { createHash } from 'node:crypto';
import { closeSync, futimesSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { historySince, idAt, modificationTimes } from '../../core/api/publication.ts';
import { fileOfUrl, MANIFEST_FILE } from '../../core/tree/layout.ts';
import {
  filesText,
  LINE_SEPARATOR,
  type ManifestFile,
  manifestEnd,
  manifestSeal,
  manifestStart,
} from '../../core/tree/manifest/manifest.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import type { Stage } from '../../system/trees/staging.ts';
import type { TreeWriter } from '../../system/trees/tree-writer.ts';
import type { WrittenPerDocumentFile } from './hosting.ts';
import type { PlannedBuild } from './plan-build.ts';

/** What the manifest states about the whole tree. */
export interface TreeHead extends PlannedBuild {
  readonly stage: Pick<Stage, 'out' | 'next'>;
  readonly sources: string;
  /** Whether the head contains unrecorded changes. */
  readonly isProvisional?: boolean;
}

interface ManifestWriter {
  /** Adds the entries of a batch. Batches are written in the order of their numbers, which start at 0. */
  readonly add: (batch: number, entries: string) => void;
  /** Completes the manifest once all batches, at least one, are added, and returns the digest of the tree. */
  readonly end: (files: string) => string;
  readonly close: () => void;
}

export function manifestWriter(head: TreeHead): ManifestWriter {
  const file = openSync(join(head.stage.next, MANIFEST_FILE), 'w');
  const [digest, seal] = [createHash('sha256'), createHash('sha256')];
  const waiting = new Map<number, string>();
  let next = 0;
  const write = (text: string) => {
    seal.update(text);
    // Unlike writeSync, it writes all bytes or fails.
    writeFileSync(file, text);
  };
  return {
    add: (batch, entries) => {
      waiting.set(batch, entries);
      for (let text = waiting.get(next); text !== undefined; text = waiting.get(next)) {
        if (next === 0) write(startOf(head));
        const separated = next === 0 ? text : LINE_SEPARATOR + text;
        digest.update(separated);
        write(separated);
        waiting.delete(next++);
      }
    },
    end: (files) => {
      const whole = digest.update(files).digest('hex');
      write(manifestEnd(files, whole));
      writeFileSync(file, manifestSeal(seal.digest('hex')));
      return whole;
    },
    close: () => closeSync(file),
  };
}

function startOf({ publication, sources, hosting, counts, isProvisional }: TreeHead): string {
  return manifestStart({
    revision: idAt(publication, publication.head),
    serial: publication.history.revisions.length,
    dialect: publication.dialect.name,
    sources,
    variants: hosting.variants,
    hosts: hosting.hosts.map(({ name }) => name),
    counts,
    history_since: historySince(publication),
    provisional: isProvisional === true ? true : undefined,
  });
}

/** Writes error documents, tombstones and the files of hosts, and returns the text of the manifest that lists them. */
export function writeOtherFiles({ publication, stage, hosting, plan }: TreeHead, writer: TreeWriter): string {
  const { head, history } = publication;
  const time = modificationTimes(history)[head] ?? 0;
  const write = (file: string, text: string) => ({ file, ...writer.write(file, text, time) });
  return filesText([
    ...plan.files().map(({ file, body }) => write(file, body())),
    ...Array.from(hosting.files, ([file, text]) => write(file, text)),
    ...hosting.listings.map((listing) => writeListing(stage.next, listing, plan, time)),
  ]);
}

/** Writing a host's file that has lines for every document, which grows with the tree: piece by piece. */
const PIECE = 1 << 20;

function writeListing(root: string, listing: WrittenPerDocumentFile, plan: Plan, modified: number): ManifestFile {
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
