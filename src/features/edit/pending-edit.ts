/** Changes and records files, or changes nothing. If a command is killed, the next command undoes its changes. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure, fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { headsOf } from '../../core/history/graph.ts';
import { SCHEMAS_FOLDER } from '../../core/registry/layout.ts';
import { cacheFolder } from '../../system/files/cache-folder.ts';
import { printError } from '../../system/terminal/terminal.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { authorOf, recordFiles, recordIn } from '../revisions/record.ts';
import {
  forgetPlan,
  hasPlan,
  makeEdit,
  type PendingEdit,
  pendingEdit,
  pendingEditOf,
  planFile,
  prepareEdit,
  undoEdit,
} from '../sources/edit-plan.ts';
import type { HeadSources, SourceOptions } from '../sources/load-sources.ts';
import { type ChangedFiles, changedRegistry, loadWorktree, type Worktree } from '../sources/load-worktree.ts';
import { type Source, textsOf } from './site-sources.ts';

export interface EditOptions extends SourceOptions {
  readonly dryRun?: boolean | undefined;
  /** The message of the new revision. If set, the command records all unrecorded changes in this revision. */
  readonly message?: string | undefined;
  readonly author?: string | undefined;
  /** Whether to accept fields that neither the schema nor another resource contains. */
  readonly allowUnknown?: boolean | undefined;
}

export interface EditableSources extends Worktree {
  /** Set if the command records a revision. */
  readonly head?: HeadSources;
}

export interface StagedEdit extends EditOptions {
  /** Undefined in a dry run. */
  readonly stage: Stage | undefined;
}

interface FileChanges {
  readonly written?: readonly Source[];
  readonly removed?: readonly string[];
  /** The removed resources and their successors, as `PATH=PATH`. */
  readonly successors?: readonly string[];
}

export interface Recorded {
  /** The new revision. Null if a message is set, but the registry now matches its history. */
  readonly recorded?: string | null;
  /** Whether the command would record a revision without `--dry-run`. */
  readonly wouldRecord?: boolean;
}

/** `end` follows the command that records the changes: further options, or a full stop. */
export function describeNextStep({ recorded }: Recorded, end: string, message = 'what happened'): string {
  if (recorded === undefined) return `Record it: gridpress record -m "${message}"${end}\n`;
  return recorded === null ? 'Nothing to record: the registry matches its history.\n' : `Recorded ${recorded}.\n`;
}

/** Ends the sentence about what a command does without `--dry-run`. */
export function describeRecording({ wouldRecord }: Recorded): string {
  return wouldRecord === true ? ', and records all unrecorded changes' : '';
}

/** Records a revision if a message is set. Fails if the new files are invalid. In a dry run, only checks them. */
export function changeFiles(
  worktree: EditableSources,
  options: StagedEdit,
  { written = [], removed = [], successors = [] }: FileChanges,
): Recorded {
  const { registry, stage, message, dryRun } = options;
  const texts = textsOf(written, existsSync(join(dirname(registry), SCHEMAS_FOLDER)));
  if (dryRun === true) return tryChange(worktree, options, { texts, removed, successors });
  const author = message === undefined ? '' : authorOf(options);
  const moved = new Map(
    written.flatMap(({ file, movedFrom }) => (movedFrom === undefined ? [] : [[file, movedFrom] as const])),
  );
  const plan = prepareEdit(registry, { texts, moved, removed, successors });
  if (plan.files.length > 1 && !hasPlan(registry)) printError(noPlan());
  try {
    makeEdit(registry, plan);
    if (message === undefined) loadWorktree(options);
    const recorded =
      message === undefined
        ? {}
        : { recorded: recordIn(stage, { ...options, message, author, plannedSuccessors: successors })?.id ?? null };
    forgetPlan(registry);
    if (hasPlan(registry)) printError(planStays(registry));
    return recorded;
  } catch (error) {
    if (plan.files.length === 0) throw error;
    const findings = error instanceof Failure ? error.findings : [];
    restore(registry, pendingEditOf(registry, plan), findings);
    if (findings.length === 0) throw error;
    return failAll([...findings, finding('edit-undone', {})]);
  }
}

interface TriedChange extends ChangedFiles {
  readonly successors: readonly string[];
}

/** Fails if the new files are invalid, or cannot be recorded. Writes nothing. */
function tryChange(worktree: EditableSources, options: EditOptions, change: TriedChange): Recorded {
  const { head } = worktree;
  const { message } = options;
  const undone = change.texts.size + change.removed.length > 0 ? [finding('edit-undone', {})] : [];
  const { findings, state, folder } = changedRegistry(worktree, change);
  if (findings.length > 0) return failAll([...findings, ...undone]);
  if (!head || message === undefined) return {};
  const sources = { ...head, worktree: state, folder };
  const parents = headsOf(head.history.revisions);
  const revision = { ...options, message, plannedSuccessors: change.successors, sources, parents };
  try {
    return { wouldRecord: recordFiles(undefined, revision, () => {}) !== undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failAll([...error.findings, ...undone]);
  }
}

/** Restores the files of an edit. If restoring fails, the plan of the edit stays on the disk. */
function restore(registry: string, pending: PendingEdit, findings: Failure['findings']): void {
  const { plan, changed, canUndo } = pending;
  const halfDone = (left: readonly string[]) => {
    // If the disk fails, it can be unknown which files are changed.
    const files = left.length > 0 ? left : plan.files.map(({ file }) => file);
    return finding('edit-half', { files });
  };
  if (!canUndo) failAll([...findings, halfDone(changed)]);
  try {
    undoEdit(registry, pending);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failAll([...findings, ...error.findings, halfDone(pendingEditOf(registry, plan).changed)]);
  }
  forgetPlan(registry);
}

const SHOWN_FILES = 10;

function noPlan(): string {
  const folder = cacheFolder() ?? 'of this user';
  return `The cache folder ${folder} cannot be used. Only you may have access to it (mode 700), and its disk needs space. If this command is interrupted, its changes cannot be undone.\n`;
}

function planStays(registry: string): string {
  return `The change was made, but its plan ${planFile(registry)} cannot be deleted. Delete this file. Otherwise the next command that edits the registry takes this command for interrupted, and may undo the change.\n`;
}

/** Undoes an interrupted edit. If its files or the history changed since then, forgets the edit and fails. */
export function undoPendingEdit(registry: string, isRecorded: () => boolean): void {
  const pending = pendingEdit(registry);
  if (pending?.changed.length === 0) printError('An earlier command was interrupted. None of its changes are left.\n');
  else if (pending?.canUndo) {
    restore(registry, pending, []);
    printError(`Undid the changes of an earlier command that was interrupted. Run it again. ${listed(pending)}`);
  }
  forgetPlan(registry);
  if (pending && pending.changed.length > 0 && !pending.canUndo && !(pending.isWhole && isRecorded()))
    fail(finding('edit-stays', { files: pending.changed }));
}

function listed({ changed }: PendingEdit): string {
  const files = changed.slice(0, SHOWN_FILES).map((file) => `  ${file}\n`);
  const others = changed.length > SHOWN_FILES ? `  and ${formatCount(changed.length - SHOWN_FILES)} more\n` : '';
  return `It had changed ${plural(changed.length, 'file')}:\n${files.join('')}${others}`;
}
