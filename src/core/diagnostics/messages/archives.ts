import { error, type ForRevision, failure, listed } from '../message.ts';
import { shortId } from '../words.ts';

const AGAIN = 'Fetch the archive again from where it came, or make it again.';

export const ARCHIVES_MESSAGES = {
  'archive-nothing': failure<ForRevision>(
    (a) => `After revision ${shortId(a.id)} there is no registry: there is nothing to archive.`,
    'Name another revision: "gridpress log" lists them.',
  ),
  'archive-all-and-some': failure<{ revisions: readonly string[] }>(
    (a) => `Both --all and revisions are named: ${listed(a.revisions)}.`,
    'Leave out --all to archive those alone, or them to archive every one.',
  ),
  'archives-index': failure<{ file: string }>(
    (a) => `${a.file} is no index of archives that this gridpress knows.`,
    'Name another folder, or remove the file: archives that stand there are then made again.',
  ),
  'archive-unreadable': failure<{ file: string; reason: string }>(
    (a) => `The archive ${a.file} cannot be read: ${a.reason}.`,
    'Check that it is there, that you may read it, and that the disk for temporary files has room for it.',
  ),
  'file-of-no-kind': failure<{ file: string }>(
    (a) => `${a.file} is neither an archive nor a bundle of gridpress.`,
    'Name a file that "gridpress archive" or "gridpress bundle" made, or the folder or the URL of a tree.',
  ),
  'archive-unpacked': failure<{ folder: string; tree: string }>(
    (a) => `${a.folder} is an unpacked archive; the tree is in ${a.tree}.`,
    (a) =>
      `gridpress verify ${a.tree} verifies it, and "sha256sum -c manifest-sha256.txt" in ${a.folder} what is beside it.`,
  ),
  'archive-bag': error<{ reason: string }>((a) => `The bag is not as gridpress makes it: ${a.reason}.`, AGAIN),
  'archive-differs': error<{ manifest: string; stated: string; computed: string }>(
    (a) => `The file has the digest ${a.computed}, and ${a.manifest} says ${a.stated}.`,
    AGAIN,
  ),
  'archive-unlisted': error<Record<never, never>>(() => 'The manifest of the bag does not list this file.', AGAIN),
  'archive-missing': error<{ manifest: string }>((a) => `${a.manifest} lists this file, and it is not there.`, AGAIN),
  'archive-compressed': error<{ reason: string }>((a) => `The compressed file is damaged: ${a.reason}.`, AGAIN),
  'archive-index-differs': error<{ what: string; stated: string; found: string }>(
    (a) => `Its ${a.what} is ${a.found}, and archives.json beside it says ${a.stated}.`,
    `${AGAIN} If archives.json is what was altered, make the archive again, which writes both.`,
  ),
} as const;
