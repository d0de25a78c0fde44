/** Stages registry files, so that an import or a recording replaces files in one step. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { openStage, recover, type Stage, stageOf } from '../../system/trees/staging.ts';
import { checkRegistry } from './registry-files.ts';

/** Opens the stage of a registry's history. Only one process at a time can open it and add revisions. */
export function openHistory(registry: string): Stage {
  checkRegistry(registry);
  return openStage(join(registry, HISTORY_FOLDER));
}

/** Restores a registry after an import was killed between two renames. */
export function recoverRegistry(registry: string): void {
  if (!existsSync(registry)) recover(stageOf(registry));
}
