/** The index of a folder of archives, `archives.json`: what each is made of and how to know that it is whole. */
import type { z } from 'zod';
import { byCodeUnit, parsedJson } from '../../core/model/json.ts';
import { zod } from '../../core/platform/modules.ts';
import { lazily } from '../../core/platform/on-demand.ts';

export const ARCHIVES_INDEX = 'archives.json';

const FORMAT = 1;

export const archivesSchema = lazily(() => {
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
export function readArchives(text: string): Archive[] | undefined {
  return archivesSchema().safeParse(parsedJson(text)).data?.archives;
}

/**
 * Newest first: by the number of revisions in the history of each, and by name where branches have as many. Archives that
 * are no more known to a history keep their place among the others.
 */
export function archivesText(archives: readonly Archive[]): string {
  const sorted = archives.toSorted((a, b) => b.serial - a.serial || byCodeUnit(a.name, b.name));
  return `${JSON.stringify({ gridpress_archives: FORMAT, archives: sorted }, null, 2)}\n`;
}
