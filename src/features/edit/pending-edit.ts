/**
 * Changes several files of a registry and records them. Before the first change, the plan is saved in the user's cache
 * folder. If the command is killed, the next command that edits the registry completes the plan.
 */
import { join } from 'node:path';
import { Failure } from '../../core/diagnostics/finding.ts';
import { plural } from '../../core/diagnostics/words.ts';
import { sha256 } from '../../core/model/digest.ts';
import { DOCUMENT_BYTES, FILE_BYTES } from '../../core/platform/limits.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { removeLeftovers, replaceFiles } from '../../system/files/replace-file.ts';
import { undefinedOnSystemError } from '../../system/files/system-errors.ts';
import { readCached, removeCached, writeCached } from '../../system/files/user-cache.ts';
import { printError } from '../../system/terminal/terminal.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { authorOf, recordIn } from '../revisions/record.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { PENDING_EDIT } from '../sources/registry-files.ts';
import { removeSources, type Source, textsOf } from './site-sources.ts';

export interface RecordedEdit extends SourceOptions {
  /** If set, all unrecorded changes are recorded at once. */
  readonly message?: string | undefined;
  readonly author?: string | undefined;
  readonly allowUnknown?: boolean | undefined;
  readonly stage: Stage | undefined;
}

export interface FileChanges {
  readonly written?: readonly Source[];
  readonly removed?: readonly string[];
  readonly successors?: readonly string[];
}

interface Plan {
  readonly texts: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
  /** The digests of all these files before the change. Undefined for a new file. */
  readonly before: Readonly<Record<string, string>>;
  /** Undefined if no revision is to be recorded. */
  readonly revision?: { readonly message: string; readonly author: string; readonly successors: readonly string[] };
}

/** Returns the identifier of the recorded revision, if a message is given. */
export function changeFiles(
  options: RecordedEdit,
  { written = [], removed = [], successors = [] }: FileChanges,
): { recorded?: string } {
  const { registry, message } = options;
  const texts = Object.fromEntries(textsOf(registry, written));
  const digests = [...Object.keys(texts), ...removed].flatMap((file) => {
    const digest = digestOf(registry, file);
    return digest === undefined ? [] : [[file, digest] as const];
  });
  const revision = message === undefined ? {} : { revision: { message, author: authorOf(options), successors } };
  const plan: Plan = { texts, removed, before: Object.fromEntries(digests), ...revision };
  writeCached(registry, PENDING_EDIT, JSON.stringify(plan));
  return carriedOut(plan, options);
}

/** Completes the plan of a killed command. Forgets it if nothing was changed yet, or if the files changed otherwise. */
export function completePendingEdit(options: RecordedEdit): void {
  const { registry } = options;
  const bytes = readCached(registry, PENDING_EDIT, DOCUMENT_BYTES);
  if (!bytes) return;
  const plan: Plan = JSON.parse(bytes.toString('utf8'));
  const { texts, removed, before } = plan;
  const files = [
    ...Object.entries(texts).map(([file, text]) => [file, sha256(text)] as const),
    ...removed.map((file) => [file, undefined] as const),
  ];
  const states = files.map(([file, after]) => {
    const now = digestOf(registry, file);
    return now === after ? 'after' : now === before[file] ? 'before' : 'other';
  });
  if (!states.includes('after') || states.includes('other')) {
    for (const file of Object.keys(texts)) undefinedOnSystemError(() => removeLeftovers(join(registry, file)));
    removeCached(registry, PENDING_EDIT);
    return;
  }
  const { recorded } = carriedOut(plan, { ...options, allowUnknown: undefined });
  const end = recorded === undefined ? '' : ` Recorded ${recorded}.`;
  printError(`Completed an earlier command that was interrupted: ${plural(files.length, 'file')} changed.${end}\n`);
}

function digestOf(registry: string, file: string): string | undefined {
  return undefinedOnSystemError(() => sha256(readPlainFile(join(registry, file), FILE_BYTES)));
}

function carriedOut({ texts, removed, revision }: Plan, { stage, ...options }: RecordedEdit): { recorded?: string } {
  try {
    replaceFiles(options.registry, new Map(Object.entries(texts)));
    removeSources(options.registry, removed);
    return revision ? { recorded: recordIn(stage, { ...options, ...revision }).id } : {};
  } catch (error) {
    // The command was killed between its revision and its end.
    if (error instanceof Failure && error.findings.some(({ code }) => code === 'nothing-to-record')) return {};
    throw error;
  } finally {
    removeCached(options.registry, PENDING_EDIT);
  }
}
