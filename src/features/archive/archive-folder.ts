/**
 * A folder of archives. What is being made lies in a stage of its own until it is whole: then it is renamed, and the
 * index says so last. What a run leaves that was killed is no archive, and the next run clears it.
 */

import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { byCodeUnit, parsedJson } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { zod } from '../../core/platform/modules.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { putInPlace } from '../../system/files/disk-sync.ts';
import { chunkReader, digestOf } from '../../system/files/file-chunks.ts';
import { readPlainFile } from '../../system/files/plain-file.ts';
import { reading, writing } from '../../system/files/system-errors.ts';
import { checkFolder } from '../../system/trees/output-place.ts';
import { dropStage, openStage } from '../../system/trees/staging.ts';

export interface ArchiveFolder {
  readonly stage: string;
  readonly isWhole: (archive: Archive) => boolean;
  readonly find: (name: string) => Archive | undefined;
  /** Puts the two files of an archive, which lie in the stage, in their place, and into the index. */
  readonly add: (archive: Archive) => void;
  readonly close: () => void;
}

/** Fails when the folder cannot be written, when another run writes there, and when there is an index of another form. */
export function openArchives(folder: string): ArchiveFolder {
  checkFolder(folder);
  const stage = openStage(join(folder, 'archives'));
  const close = () => dropStage(stage);
  try {
    const known = new Map(indexIn(folder).map((archive) => [archive.name, archive]));
    return {
      stage: stage.next,
      find: (name) => known.get(name),
      isWhole: ({ tar, gzip }) => [tar, gzip].every((file) => isWhole(folder, file)),
      add: (archive) => {
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

function isWhole(folder: string, { file, size, sha256 }: ArchivedFile): boolean {
  const path = join(folder, file);
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.isFile() === true && status.size === size && digestOfFile(path) === sha256;
}

/** SHA-256 of a file of any size. A system error ends the command with a finding. */
export function digestOfFile(path: string): string {
  return reading(path, () => digestOf(chunkReader()(path)));
}

/** All is on the disk before anything has its name there, and those names are before the index says so. */
function install(folder: string, stage: string, { tar, gzip }: Archive, index: string): void {
  writing(join(folder, tar.file), () => {
    writeFileSync(join(stage, ARCHIVES_INDEX), index);
    for (const files of [[tar.file, gzip.file], [ARCHIVES_INDEX]])
      putInPlace(files.map((file) => ({ from: join(stage, file), to: join(folder, file) })));
  });
}

/** The index of a folder of archives, `archives.json`: what each is made of and how to know that it is whole. */
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
    digest: digest.describe('Of the tree, as its manifest states it.'),
    sources: digest.describe('Of what the tree is built from, as its manifest states it.'),
    tar: file,
    gzip: file,
  });
  return z.strictObject({ gridpress_archives: z.literal(FORMAT), archives: z.array(archive) });
});

export type Archive = z.output<ReturnType<typeof archivesSchema>>['archives'][number];
export type ArchivedFile = Archive['tar'];

/** The archives that a text lists; undefined when it is no index of this format. */
function readArchives(text: string): Archive[] | undefined {
  return archivesSchema().safeParse(parsedJson(text)).data?.archives;
}

/**
 * Newest first: by the number of revisions in the history of each, and by name where branches have as many. Archives that
 * are no more known to a history keep their place among the others.
 */
function archivesText(archives: readonly Archive[]): string {
  const sorted = archives.toSorted((a, b) => b.serial - a.serial || byCodeUnit(a.name, b.name));
  return `${JSON.stringify({ gridpress_archives: FORMAT, archives: sorted }, null, 2)}\n`;
}
