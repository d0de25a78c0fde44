import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { headTime, historySince, idAt } from '../../core/api/publication.ts';
import { fileOfUrl, MANIFEST_FILE } from '../../core/tree/layout.ts';
import {
  filesText,
  LINE_SEPARATOR,
  manifestEnd,
  manifestSeal,
  manifestStart,
} from '../../core/tree/manifest/manifest.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import { writeAll } from '../../system/files/file-io.ts';
import { failToWrite, writing } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { isTree } from '../../system/trees/output-place.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { type TreeWriter, treeWriter } from '../../system/trees/tree-writer.ts';
import { documentWriter } from './document-writer.ts';
import type { HostListing } from './hosting.ts';
import type { PlannedBuild } from './plan-build.ts';

export interface TreeRun extends TreeHead {
  /** Whether to create hard links to unchanged files of the existing tree, instead of writing these files again. */
  readonly reuses: boolean;
  readonly showsProgress: boolean;
  /** Called from time to time, so that the process can do other work. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** The writer of all files except the manifest. The default writes into the stage. */
  readonly spool?: TreeWriter;
}

/** The number of written files between two progress reports. */
const STEP = 500;

export async function writeTree(run: TreeRun): Promise<string> {
  const { stage, plan, hosting, publication, counts, spool } = run;
  const previous = run.reuses && isTree(stage.out) ? stage.out : undefined;
  const shown = progress('Writing', counts.documents + counts.aliases, run.showsProgress);
  const { writeDocument, writeAlias } = documentWriter(
    spool ?? treeWriter(stage.next, previous),
    hosting.variants,
    publication.dialect.mediaType,
  );
  const manifest = writing(stage.out, () => manifestWriter(run));
  let done = 0;
  const step = async () => {
    if (++done % STEP !== 0) return;
    shown.at(done);
    await run.pause?.();
  };
  try {
    manifest.start();
    for (const { list } of plan.documents) {
      for (const document of list()) {
        manifest.add(writeDocument(document));
        await step();
      }
    }
    // Aliases are links to documents, so the documents are written first.
    for (const { list } of plan.aliases) {
      for (const alias of list()) {
        manifest.add(writeAlias(alias));
        await step();
      }
    }
    return manifest.end(writeOtherFiles(run, spool ?? treeWriter(stage.next, undefined)));
  } catch (error) {
    return failToWrite(stage.out, error);
  } finally {
    manifest.close();
    shown.end();
  }
}

interface TreeHead extends PlannedBuild {
  readonly stage: Pick<Stage, 'out' | 'next'>;
  readonly sources: string;
  readonly isProvisional?: boolean;
}

function manifestWriter(head: TreeHead) {
  const file = openSync(join(head.stage.next, MANIFEST_FILE), 'w');
  const [digest, seal] = [createHash('sha256'), createHash('sha256')];
  let waiting: string[] = [];
  const write = (text: string) => {
    seal.update(text);
    writeAll(file, Buffer.from(text));
  };
  const writeEntries = () => {
    const text = waiting.join('');
    waiting = [];
    digest.update(text);
    write(text);
  };
  let separator = '';
  return {
    start: () => write(startOf(head)),
    add: (entry: string): void => {
      if (waiting.push(separator + entry) >= STEP) writeEntries();
      separator = LINE_SEPARATOR;
    },
    /** Completes the manifest. Returns the digest of the tree. */
    end: (files: string): string => {
      writeEntries();
      const whole = digest.update(files).digest('hex');
      write(manifestEnd(files, whole));
      writeAll(file, Buffer.from(manifestSeal(seal.digest('hex'))));
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
    cache_control: hosting.cacheControl,
    counts,
    history_since: historySince(publication),
    provisional: isProvisional === true ? true : undefined,
  });
}

function writeOtherFiles({ publication, hosting, plan }: TreeHead, writer: TreeWriter): string {
  const time = headTime(publication);
  const write = (file: string, text: string) => ({ file, ...writer.write(file, text, time) });
  return filesText([
    ...plan.files().map(({ file, body }) => write(file, body())),
    ...Array.from(hosting.files, ([file, text]) => write(file, text)),
    ...hosting.listings.map((listing) => {
      return { file: listing.file, ...writer.writeParts(listing.file, linesOf(listing, plan), time) };
    }),
  ]);
}

function* linesOf({ head, lines }: HostListing, { documents, aliases }: Plan): Generator<string> {
  yield head;
  for (const { list } of [...documents, ...aliases])
    for (const { url } of list()) yield lines({ path: url, file: fileOfUrl(url) });
}
