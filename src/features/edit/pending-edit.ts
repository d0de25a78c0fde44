/**
 * Changes several files of a registry and records them. Before the first change, the plan is saved in the user's cache
 * folder. If the command is killed, the next one of these commands completes the plan.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plural } from '../../core/diagnostics/words.ts';
import { sha256 } from '../../core/model/digest.ts';
import { isJsonObject, parsedJson } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
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
  /** The digest of the names of the revision files. */
  readonly history: string;
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
  const history = historyOf(registry);
  const plan: Plan = { texts, removed, before: Object.fromEntries(digests), history, ...revision };
  const saved = JSON.stringify(plan);
  if (saved.length <= DOCUMENT_BYTES) writeCached(registry, PENDING_EDIT, saved);
  try {
    return carriedOut(plan, options);
  } finally {
    removeCached(registry, PENDING_EDIT);
  }
}

/**
 * Completes the plan of a killed command. Forgets it if nothing was changed yet, if a revision was recorded since, or if
 * the files were changed otherwise.
 */
export function completePendingEdit(options: RecordedEdit): void {
  const { registry } = options;
  const bytes = readCached(registry, PENDING_EDIT, DOCUMENT_BYTES);
  if (!bytes) return;
  const plan = planIn(bytes);
  const states = plan ? statesOf(plan, registry) : [];
  if (plan && plan.history === historyOf(registry) && states.includes('after') && !states.includes('other')) {
    const { recorded } = carriedOut(plan, { ...options, allowUnknown: undefined });
    const end = recorded === undefined ? '' : ` Recorded ${recorded}.`;
    printError(`Completed an earlier command that was interrupted: ${plural(states.length, 'file')} changed.${end}\n`);
  } else if (plan) {
    for (const file of Object.keys(plan.texts)) undefinedOnSystemError(() => removeLeftovers(join(registry, file)));
    if (states.includes('other'))
      printError('An earlier command was interrupted, and its files were changed since. See: gridpress diff.\n');
  }
  removeCached(registry, PENDING_EDIT);
}

/** Returns undefined after a power failure, if the plan is not complete. */
function planIn(bytes: Buffer): Plan | undefined {
  const plan = parsedJson(bytes.toString('utf8'));
  return isJsonObject(plan) ? (plan as unknown as Plan) : undefined;
}

function statesOf({ texts, removed, before }: Plan, registry: string): ('before' | 'after' | 'other')[] {
  const files = [
    ...Object.entries(texts).map(([file, text]) => [file, sha256(text)] as const),
    ...removed.map((file) => [file, undefined] as const),
  ];
  return files.map(([file, after]) => {
    const now = digestOf(registry, file);
    return now === after ? 'after' : now === before[file] ? 'before' : 'other';
  });
}

function digestOf(registry: string, file: string): string | undefined {
  return undefinedOnSystemError(() => sha256(readPlainFile(join(registry, file), DOCUMENT_BYTES)));
}

function historyOf(registry: string): string {
  const names = undefinedOnSystemError(() => readdirSync(join(registry, HISTORY_FOLDER)).sort()) ?? [];
  return sha256(names.join('/'));
}

function carriedOut({ texts, removed, revision }: Plan, { stage, ...options }: RecordedEdit): { recorded?: string } {
  replaceFiles(options.registry, new Map(Object.entries(texts)));
  removeSources(options.registry, removed);
  return revision ? { recorded: recordIn(stage, { ...options, ...revision }).id } : {};
}
