/**
 * The plan is saved in the user's cache folder before the first change. If the command is killed, the next one
 * completes it.
 */
import { join } from 'node:path';
import { Failure, failAll, finding } from '../../core/diagnostics/finding.ts';
import { changesBetween } from '../../core/history/changes-between.ts';
import { headsOf } from '../../core/history/graph.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { removeLeftovers, replaceFiles } from '../../system/files/replace-file.ts';
import { undefinedOnSystemError } from '../../system/files/system-errors.ts';
import { printError } from '../../system/terminal/terminal.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { stateBefore } from '../revisions/pending-revision.ts';
import { authorOf, recordIn } from '../revisions/record.ts';
import { forgetPlan, type Plan, readPlan, savePlan, stateOfPlan } from '../sources/edit-plan.ts';
import { loadHeadSources, type SourceOptions } from '../sources/load-sources.ts';
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

/** Returns the identifier of the recorded revision, if a message is given. */
export function changeFiles(
  options: RecordedEdit,
  { written = [], removed = [], successors = [] }: FileChanges,
): { recorded?: string } {
  const { registry, message } = options;
  const texts = Object.fromEntries(textsOf(registry, written));
  const revision = message === undefined ? {} : { revision: { message, author: authorOf(options), successors } };
  savePlan(registry, { texts, removed, ...revision });
  let isChanged = false;
  try {
    changeSources(registry, texts, removed);
    isChanged = Object.keys(texts).length + removed.length > 0;
    return revision.revision ? { recorded: recordIn(options.stage, { ...options, ...revision.revision }).id } : {};
  } catch (error) {
    if (!(error instanceof Failure) || !isChanged) throw error;
    return failAll([...error.findings, finding('edit-unrecorded', { successors })]);
  } finally {
    forgetPlan(registry);
  }
}

function changeSources(registry: string, texts: Readonly<Record<string, string>>, removed: readonly string[]): void {
  replaceFiles(registry, new Map(Object.entries(texts)));
  removeSources(registry, removed);
}

/**
 * Completes the files of a killed command. Records them if a revision was wanted, none was recorded since, and no other
 * file has unrecorded changes. Always deletes the plan, so that it cannot block other commands.
 */
export function completePendingEdit({ stage, ...options }: RecordedEdit): void {
  const { registry } = options;
  const plan = readPlan(registry);
  if (!plan) {
    forgetPlan(registry);
    return;
  }
  const { progress, hasNewHistory } = stateOfPlan(plan, registry);
  for (const file of Object.keys(plan.texts)) undefinedOnSystemError(() => removeLeftovers(join(registry, file)));
  if (progress === 'begun') changeSources(registry, plan.texts, plan.removed);
  forgetPlan(registry);
  if (progress === 'unknown') {
    printError('An earlier command was interrupted, and its files were changed since. See: gridpress diff.\n');
    return;
  }
  if (progress === 'none' || (progress === 'done' && (hasNewHistory || !plan.revision))) return;
  const { revision } = plan;
  const recorded =
    revision && !hasNewHistory && hasNoOtherChanges(plan, options)
      ? recordIfPossible({ stage, ...options, ...revision })
      : undefined;
  const how = revision
    ? ` Record it: gridpress record -m MESSAGE${revision.successors.map((pair) => ` --successor ${pair}`).join('')}`
    : '';
  const end = recorded === undefined ? how : ` Recorded ${recorded}.`;
  printError(`Completed an earlier command that was interrupted.${end}\n`);
}

function recordIfPossible({ stage, ...options }: RecordedEdit & { readonly message: string }): string | undefined {
  try {
    return recordIn(stage, { ...options, allowUnknown: undefined }).id;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function hasNoOtherChanges({ texts, removed }: Plan, options: SourceOptions): boolean {
  const sources = loadHeadSources(options);
  if (sources.findings.length > 0) return false;
  const { history, worktree, store } = sources;
  const heads = headsOf(history.revisions).map(({ id }) => id);
  const files = new Set([...Object.keys(texts), ...removed]);
  const changes = [...changesBetween(stateBefore(sources, heads), worktree, store, history.kinds)];
  return changes.every(({ change }) => files.has(fileOfResource(subjectAt(change.path, history.kinds))));
}
