import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { closeStage, hasWholeCopy, openStage, recover, type Stage, stageOf } from '../../system/trees/staging.ts';
import { rejectForeignEdit } from './edit-plan.ts';
import { checkRegistry } from './registry-files.ts';

/** Opens the stage of the history folder. Other processes cannot add revisions until this stage is closed. */
export function openHistory(registry: string): Stage {
  checkRegistry(registry);
  return openStage(join(registry, HISTORY_FOLDER));
}

/** Locks the registry while `change` runs, except in a dry run. In a dry run, `change` gets no stage. */
export function changingRegistry<T>(
  { registry, dryRun }: { readonly registry: string; readonly dryRun?: boolean | undefined },
  change: (stage: Stage | undefined) => T,
): T {
  if (dryRun === true) return change(undefined);
  const stage = openHistory(registry);
  try {
    rejectForeignEdit(registry);
    return change(stage);
  } finally {
    closeStage(stage);
  }
}

/** Restores the registry if an import was killed while it replaced or deleted the folder of the registry. */
export function recoverRegistry(registry: string): void {
  const stage = stageOf(registry);
  if (!existsSync(registry) || hasWholeCopy(stage)) recover(stage);
}
