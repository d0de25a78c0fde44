/** Reads and writes the journal of a publication. A continued publication skips the uploaded keys in its journal. */

import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { fail, finding } from '../../../core/diagnostics/finding.ts';
import { sha256 } from '../../../core/model/digest.ts';
import { parsedJson } from '../../../core/model/json.ts';
import { zod } from '../../../core/platform/modules.ts';
import { lazily } from '../../../core/platform/on-demand.ts';
import { putInPlace, syncFolders } from '../../../system/files/disk-sync.ts';
import {
  holderOf,
  isRunning,
  lockFolderOf,
  processIdentity,
  releaseLock,
  takeLock,
} from '../../../system/files/folder-lock.ts';
import { freshFile } from '../../../system/files/replace-file.ts';
import { readingIfExists, undefinedOnSystemError } from '../../../system/files/system-errors.ts';

const headSchema = lazily(() => {
  const z = zod();
  return z.strictObject({
    destination: z.string().describe('The store, the bucket, the prefix and the style of keys.'),
    manifest: z.string().describe('The digest of the manifest that is published.'),
    nonces: z.array(z.string()).describe('Of the claims: of each run its own.'),
    process: z.string().describe('The mark of the process that writes it.'),
  });
});
export type JournalHead = z.output<ReturnType<typeof headSchema>>;

export interface Journal {
  readonly file: string;
  /** The publication that an earlier process did not finish, if any. */
  readonly interrupted: { readonly head: JournalHead; readonly confirmed: ReadonlySet<string> } | undefined;
  /** Fails if another process uses the journal. Throws a system error if the file cannot be written. */
  readonly open: (head: JournalHead, isResumed: boolean) => void;
  readonly confirm: (key: string) => void;
  readonly close: () => void;
  readonly remove: () => void;
}

export function journalFile(tree: string, destination: string, folder: string | undefined): string {
  const whole = resolve(tree);
  const name = sha256(`${whole}\n${destination}`).slice(0, 16);
  return join(folder ?? dirname(whole), `.${basename(whole)}.gridpress-publish-${name}`);
}

export function publishJournal(file: string, place: string): Journal {
  const lock = lockFolderOf(file);
  let opened: number | undefined;
  // Ignores errors of the disk, because a publication is complete without its journal.
  const write = (line: string) => {
    undefinedOnSystemError(() => opened !== undefined && writeSync(opened, `${line}\n`));
  };
  const close = () => {
    undefinedOnSystemError(() => opened !== undefined && closeSync(opened));
    opened = undefined;
    undefinedOnSystemError(() => releaseLock(lock));
  };
  return {
    file,
    interrupted: interruptedRun(file),
    open: (head, isResumed) => {
      if (!takeLock(lock)) fail(finding('publish-running', { place, held: lock, pid: holderOf(lock) }));
      const fresh = freshFile(file);
      const lines = [JSON.stringify(head), ...(isResumed ? confirmedKeysIn(file) : [])];
      writeFileSync(fresh, lines.map((line) => `${line}\n`).join(''));
      putInPlace([{ from: fresh, to: file }]);
      opened = openSync(file, 'a');
    },
    confirm: write,
    close,
    remove: () => {
      undefinedOnSystemError(() => {
        rmSync(file, { force: true });
        // Without a sync, a completed publication could seem unfinished after a power failure.
        if (opened !== undefined) syncFolders(dirname(file));
      });
      close();
    },
  };
}

function interruptedRun(file: string): Journal['interrupted'] {
  const [first = ''] = completeLinesOf(file);
  const head = headSchema().safeParse(parsedJson(first)).data;
  if (!head || (head.process !== processIdentity() && isRunning(head.process))) return undefined;
  return { head, confirmed: new Set(confirmedKeysIn(file)) };
}

function confirmedKeysIn(file: string): string[] {
  return completeLinesOf(file).slice(1);
}

/** Skips an incomplete last line of a file. */
function completeLinesOf(file: string): string[] {
  return readingIfExists(file, () => readFileSync(file, 'utf8').split('\n').slice(0, -1)) ?? [];
}
