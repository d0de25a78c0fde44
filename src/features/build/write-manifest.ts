/** Writing what a tree holds besides its documents: the error documents, the hosts' files, and the manifest last. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historySince, idAt, modificationTimes } from '../../core/api/publication.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import {
  filesText,
  LINE_SEPARATOR,
  manifestEnd,
  manifestSeal,
  manifestStart,
} from '../../core/tree/manifest/manifest.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { type TreeWriter, treeWriter } from '../../system/trees/tree-writer.ts';
import { fragmentFile, type ManifestFragment } from './document-writer.ts';
import type { PlannedBuild } from './plan-build.ts';
import { pastMark } from './standing/past-marks.ts';
import { writeListing } from './write-per-document-files.ts';

/** What the manifest says of the whole tree. */
export interface TreeHead extends PlannedBuild {
  readonly stage: Pick<Stage, 'out' | 'next'>;
  /** The digest of the sources. */
  readonly sources: string;
  /** Whether the head is made of changes that are not recorded. */
  readonly isProvisional?: boolean;
  /** Where all goes that is not to be a file of its own below the stage. */
  readonly spool?: TreeWriter;
}

/** Writes the manifest from the parts that the threads wrote, and returns the digest of the whole. */
export function writeManifest(head: TreeHead, parts: readonly ManifestFragment[]): string {
  const path = (file: string) => join(head.stage.next, file);
  const files = writeOtherFiles(head);
  const opened = new Map([...new Set(parts.map(({ file }) => file))].map((file) => [file, openSync(path(file), 'r')]));
  const manifest = openSync(path(MANIFEST_FILE), 'w');
  try {
    const [whole, seal] = [createHash('sha256'), createHash('sha256')];
    const write = (chunk: string | Uint8Array) => {
      seal.update(chunk);
      writeFileSync(manifest, chunk);
    };
    write(startOf(head));
    let between = '';
    for (const part of parts.toSorted((a, b) => a.order - b.order)) {
      const lines = linesOf(part, opened.get(part.file));
      whole.update(between).update(lines);
      write(between);
      write(lines);
      between = LINE_SEPARATOR;
    }
    const digest = whole.update(files).digest('hex');
    write(manifestEnd(files, digest));
    writeFileSync(manifest, manifestSeal(seal.digest('hex')));
    return digest;
  } finally {
    for (const file of [manifest, ...opened.values()]) closeSync(file);
    for (const thread of [0, 1]) rmSync(path(fragmentFile(thread)), { force: true });
  }
}

function startOf(head: TreeHead): string {
  const { publication, sources, hosting, counts, isProvisional } = head;
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
    past: pastMark(head),
  });
}

/** The text of the manifest that lists them. */
function writeOtherFiles({ publication, stage, hosting, plan, spool }: TreeHead): string {
  const { head, history } = publication;
  const time = modificationTimes(history)[head] ?? 0;
  const writer = spool ?? treeWriter(stage.next, undefined);
  const write = (file: string, text: string) => ({ file, ...writer.write(file, text, time, false) });
  return filesText([
    ...plan.files().map(({ file, body }) => write(file, body())),
    ...Array.from(hosting.files, ([file, text]) => write(file, text)),
    ...hosting.listings.map((listing) => writeListing(stage.next, listing, plan, time)),
  ]);
}

function linesOf({ offset, length }: ManifestFragment, file: number | undefined): Uint8Array {
  const lines = Buffer.allocUnsafe(length);
  if (file !== undefined) readSync(file, lines, 0, length, offset);
  return lines;
}
