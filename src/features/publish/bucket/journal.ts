/**
 * The journal of a publication: a file of lines, of which the first says what is published where under which claims, and
 * each of the others is a key that the store has confirmed. With it, an interrupted publication goes on where it was. What
 * a power cut takes of the confirmed keys is sent again.
 */

import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { sha256 } from '../../../core/model/digest.ts';
import { parsedJson } from '../../../core/model/json.ts';
import { zod } from '../../../core/platform/modules.ts';
import { lazily } from '../../../core/platform/on-demand.ts';
import { putInPlace, syncFolders } from '../../../system/files/disk-sync.ts';
import {
  holderOf,
  isRunning,
  lockFolderOf,
  processMark,
  releaseLock,
  takeLock,
} from '../../../system/files/folder-lock.ts';
import { freshFile } from '../../../system/files/replace-file.ts';
import { readingIfThere } from '../../../system/files/system-errors.ts';

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
  /** The earlier run that was interrupted, if one was and has ended. */
  readonly interrupted: { readonly head: JournalHead; readonly confirmed: ReadonlySet<string> } | undefined;
  /** Begins or goes on. Fails where another process has it; throws a system error where it cannot be written. */
  readonly open: (head: JournalHead, goesOn: boolean) => void;
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
  const write = (line: string) => {
    if (opened !== undefined) writeSync(opened, `${line}\n`);
  };
  const close = () => {
    if (opened !== undefined) closeSync(opened);
    opened = undefined;
    releaseLock(lock);
  };
  return {
    file,
    interrupted: interruptedRun(file),
    open: (head, goesOn) => {
      if (!takeLock(lock)) fail(finding('publish-running', { place, held: lock, pid: holderOf(lock) }));
      const fresh = freshFile(file);
      const lines = [JSON.stringify(head), ...(goesOn ? keysIn(file) : [])];
      writeFileSync(fresh, lines.map((line) => `${line}\n`).join(''));
      putInPlace([{ from: fresh, to: file }]);
      opened = openSync(file, 'a');
    },
    confirm: write,
    close,
    remove: () => {
      rmSync(file, { force: true });
      // With what it says, an older publication could seem to be under way.
      if (opened !== undefined) syncFolders(dirname(file));
      close();
    },
  };
}

function interruptedRun(file: string): Journal['interrupted'] {
  const [first = ''] = linesOf(file);
  const head = headSchema().safeParse(parsedJson(first)).data;
  if (!head || (head.process !== processMark() && isRunning(head.process))) return undefined;
  return { head, confirmed: new Set(keysIn(file)) };
}

function keysIn(file: string): string[] {
  return linesOf(file).slice(1);
}

/** Whole lines only: the last may be torn. */
function linesOf(file: string): string[] {
  return readingIfThere(file, () => readFileSync(file, 'utf8').split('\n').slice(0, -1)) ?? [];
}
