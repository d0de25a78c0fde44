/** Manages a folder of archives. Writes an archive to a temporary folder, moves the archive, and updates the index. */

import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { byCodeUnit, parsedJson } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { zod } from '../../core/platform/modules.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { putInPlace } from '../../system/files/disk-sync.ts';
import { chunkReader, digestOf, readPlainFile } from '../../system/files/file-io.ts';
import { reading, writing } from '../../system/files/system-errors.ts';
import { checkFolder } from '../../system/trees/output-place.ts';
import { closeStage, openStage } from '../../system/trees/staging.ts';

export type ArchiveFolder = ReturnType<typeof openArchives>;

/** Fails if the folder is not writable, if another process uses it, or if its index is invalid. */
export function openArchives(folder: string) {
  checkFolder(folder);
  const stage = openStage(join(folder, 'archives'));
  const close = () => closeStage(stage);
  try {
    const known = new Map(indexIn(folder).map((archive) => [archive.name, archive]));
    return {
      stage: stage.next,
      find: (name: string) => known.get(name),
      isIntact: ({ tar, gzip }: Archive) => [tar, gzip].every((file) => isIntact(folder, file)),
      add: (archive: Archive) => {
        known.set(archive.name, archive);
        install(folder, stage.next, archive, archivesText([...known.values()]));
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

export function indexIn(folder: string): readonly Archive[] {
  const file = join(folder, ARCHIVES_INDEX);
  if (!existsSync(file)) return [];
  return (
    readArchives(reading(file, () => readPlainFile(file, DOCUMENT_BYTES).toString('utf8'))) ??
    fail(finding('archives-index', { file }))
  );
}

function isIntact(folder: string, { file, size, sha256 }: ArchivedFile): boolean {
  const path = join(folder, file);
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.isFile() === true && status.size === size && digestOfFile(path) === sha256;
}

export function digestOfFile(path: string): string {
  return reading(path, () => digestOf(chunkReader()(path)));
}

function install(folder: string, stage: string, { tar, gzip }: Archive, index: string): void {
  writing(join(folder, tar.file), () => {
    writeFileSync(join(stage, ARCHIVES_INDEX), index);
    for (const files of [[tar.file, gzip.file], [ARCHIVES_INDEX]])
      putInPlace(files.map((file) => ({ from: join(stage, file), to: join(folder, file) })));
  });
}

const ARCHIVES_INDEX = 'archives.json';

const FORMAT = 1;

const archivesSchema = lazily(() => {
  const z = zod();
  const digest = z.string().regex(/^[0-9a-f]{64}$/);
  const file = z.strictObject({ file: z.string(), size: z.number(), sha256: digest });
  const archive = z.strictObject({
    revision: z.string(),
    date: z.string(),
    serial: z.number(),
    name: z.string(),
    signed: z.boolean(),
    digest: digest.describe('Digest of the tree, as in its manifest.'),
    sources: digest.describe('Digest of the sources of the tree, as in its manifest.'),
    tar: file,
    gzip: file,
  });
  return z.strictObject({ gridpress_archives: z.literal(FORMAT), archives: z.array(archive) });
});

export type Archive = z.output<ReturnType<typeof archivesSchema>>['archives'][number];
export type ArchivedFile = Archive['tar'];

function readArchives(text: string): Archive[] | undefined {
  return archivesSchema().safeParse(parsedJson(text)).data?.archives;
}

function archivesText(archives: readonly Archive[]): string {
  const sorted = archives.toSorted((a, b) => b.serial - a.serial || byCodeUnit(a.name, b.name));
  return `${JSON.stringify({ gridpress_archives: FORMAT, archives: sorted }, null, 2)}\n`;
}
